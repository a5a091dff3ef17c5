//! Ask/tell: the same agents, one visit at a time, for rewards that come from outside.
//!
//! The walker never jumps: covering the graph is a sequence of ordinary legs, and the agent
//! continues from where the cover walk ends. Rust, Python and HTTP all use this adapter over a
//! [`Trajectory`]. You can store a session and resume it bit for bit ([`SessionState`]).

mod awaited;
mod state;
mod tell;

pub use state::{SessionState, StateError};
pub use tell::TellError;

use crate::agent::Agent;
use crate::clock::Clock;
use crate::confined::Confined;
use crate::cover::Init;
use crate::estimates::Estimates;
use crate::field::{Edge, Field, FieldError};
use crate::graph::{Graph, NodeId};
use crate::node_scores::NodeScores;
use crate::random::{Seed, label};
use crate::trajectory::{
    ChangeError, Decision, DecisionError, LegError, Order, Setting, Trajectory,
};
use awaited::AwaitedRoads;
use std::borrow::Cow;
use std::sync::Arc;

/// How a session begins. Default: on node 0, covering the graph in the paper's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionPlan {
    /// Where the walker stands.
    pub start: NodeId,
    /// How the graph is covered before the agent decides.
    pub init: Init,
    /// The seed of the agent's own randomness.
    pub seed: Seed,
}

impl Default for SessionPlan {
    fn default() -> Self {
        Self { start: 0, init: Init::default(), seed: Seed(0) }
    }
}

/// An agent on a graph. Ask it where to go, then tell it what the visit paid.
pub struct AskTell {
    trajectory: Trajectory<Confined<Box<dyn Agent + Send>>>,
    /// Roads that are closed for now.
    awaited: AwaitedRoads,
}

impl AskTell {
    /// A session without any rewards yet.
    ///
    /// # Errors
    /// When the plan's start is not a node of the graph.
    pub fn new(
        graph: impl Into<Arc<Graph>>,
        agent: Box<dyn Agent + Send>,
        plan: SessionPlan,
    ) -> Result<Self, FieldError> {
        let stream = plan.seed.child(label::AGENT).stream();
        let setting = Setting { start: plan.start, init: plan.init, stream };
        let agent = Confined::new(agent);
        let trajectory = Trajectory::new(Field::new(graph), agent, setting)?;
        Ok(Self { trajectory, awaited: AwaitedRoads::default() })
    }

    /// The next order. The answer stays the same until you report something.
    ///
    /// # Errors
    /// When the agent fails or its leg is not legal. Asking again calls the agent again.
    pub fn ask(&mut self) -> Result<Order<&[NodeId]>, LegError> {
        self.leave_cover();
        if self.is_idle() {
            self.expect_awaited();
            self.trajectory.order(&mut ())?;
            self.stop_before_closed();
        }
        self.trajectory.order(&mut ())
    }

    /// The rest of the current leg; no visits if the next leg is not planned yet.
    pub fn pending(&self) -> Order<&[NodeId]> {
        self.trajectory.walker().order()
    }

    /// Whether the next leg is still to be planned.
    pub fn is_idle(&self) -> bool {
        self.trajectory.walker().is_idle()
    }

    /// The last decision. Right after [`ask`](Self::ask) planned, it holds everything that
    /// [`decide`](Self::decide) needs to restore this state.
    pub fn decision(&self) -> Decision {
        self.trajectory.decision()
    }

    /// Takes a decision as if the agent had just made it, without calling the agent.
    ///
    /// # Errors
    /// When this decision is not possible here. Nothing changes then.
    pub fn decide(&mut self, decision: &Decision) -> Result<(), DecisionError> {
        self.trajectory.decide(decision, &mut ())?;
        self.expect_awaited();
        Ok(())
    }

    /// Places the walker on `node`, however it got there. No reward is collected.
    ///
    /// # Errors
    /// When the node does not exist.
    pub fn move_to(&mut self, node: NodeId) -> Result<(), FieldError> {
        self.trajectory.be_at(node)?;
        self.see_awaited(node);
        Ok(())
    }

    /// Drops the current leg if it is one of initialization, but every reachable node is known by
    /// now: others have [observed](Self::observe) the rest. [`ask`](Self::ask) does so, too.
    pub fn leave_cover(&mut self) {
        let (field, walker) = self.trajectory.parts();
        walker.leave_cover(field);
    }

    /// Drops the current leg. The next order is planned from where the walker stands.
    pub fn abandon(&mut self) {
        self.trajectory.abandon();
    }

    /// Records a `reward` on `node` that somebody else collected. The walker does not move and its
    /// leg continues, unless initialization ends with it.
    ///
    /// # Errors
    /// When the node does not exist or the reward is invalid.
    pub fn observe(&mut self, node: NodeId, reward: f64) -> Result<(), FieldError> {
        self.trajectory.observe(node, reward)
    }

    /// Closes `edge`; the next order is planned without it. Nodes that are no longer reachable are
    /// [set aside](Self::set_aside).
    ///
    /// # Errors
    /// See [`Trajectory::close`].
    pub fn close(&mut self, edge: Edge) -> Result<(), ChangeError> {
        self.check_not_awaited(edge)?;
        self.trajectory.close(edge)
    }

    /// Opens `edge` again.
    ///
    /// # Errors
    /// See [`Trajectory::open`].
    pub fn open(&mut self, edge: Edge) -> Result<(), ChangeError> {
        if self.open_awaited(edge)? {
            return Ok(());
        }
        self.trajectory.open(edge)
    }

    /// Where the walker stands.
    pub fn at(&self) -> NodeId {
        self.trajectory.at()
    }

    /// The nodes that are unreachable from where the walker stands while edges are closed,
    /// ascending. Their estimates are kept. Orders do not lead there until an edge opens or the
    /// walker is carried there.
    pub fn set_aside(&self) -> Vec<NodeId> {
        self.field().set_aside(self.at())
    }

    /// The walker's current time.
    pub fn clock(&self) -> &Clock {
        self.trajectory.walker().clock()
    }

    /// The graph without its closed edges; it may be disconnected. Its roads take their expected
    /// times, given everything told about them.
    pub fn graph(&self) -> &Graph {
        self.trajectory.graph()
    }

    /// Everything that is known.
    pub fn field(&self) -> &Field {
        self.trajectory.field()
    }

    /// The totals of all rewards so far.
    pub fn estimates(&self) -> &Estimates {
        self.trajectory.estimates()
    }

    /// Whether the visit told last showed that rewards have changed; see
    /// [`Agent::found_change`].
    pub fn found_change(&self) -> bool {
        self.trajectory.walker().agent().found_change()
    }

    /// How promising each node looks now; see [`Agent::scores`]. Looking changes nothing.
    pub fn scores(&mut self) -> Option<Vec<f64>> {
        self.trajectory.scores()
    }

    /// The same, for a caller that looks at few nodes; see [`Agent::node_scores`].
    pub fn node_scores(&mut self) -> Option<NodeScores> {
        self.trajectory.node_scores()
    }

    /// What the agent still remembers of all rewards: all of them if it does not forget. See
    /// [`Agent::remembered`].
    pub fn remembered(&self) -> Cow<'_, Estimates> {
        self.trajectory.remembered()
    }
}
