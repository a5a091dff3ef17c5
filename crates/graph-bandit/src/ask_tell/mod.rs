//! Ask/tell: the same agents, one visit at a time, for rewards that come from outside.
//!
//! Nothing jumps here: covering the graph is ordinary legs, and the agent goes on from where the
//! cover walk ends. The one adapter over a [`Trajectory`] for Rust, Python and HTTP. A session can be
//! stored and resumed ([`SessionState`]); it goes on bit for bit.

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
use crate::random::{Seed, label};
use crate::trajectory::{
    ChangeError, Decision, DecisionError, LegError, Order, Setting, Trajectory,
};
use awaited::AwaitedRoads;
use std::sync::Arc;

/// How a session begins. By default on node 0, covering the graph in the paper's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionPlan {
    /// Where the walker stands.
    pub start: NodeId,
    /// How the graph is covered before the agent decides.
    pub init: Init,
    /// Where the agent's own randomness comes from.
    pub seed: Seed,
}

impl Default for SessionPlan {
    fn default() -> Self {
        Self { start: 0, init: Init::default(), seed: Seed(0) }
    }
}

/// An agent on a graph that is asked where to go and told what it got.
pub struct AskTell {
    trajectory: Trajectory<Confined<Box<dyn Agent + Send>>>,
    /// Roads that are closed for now.
    awaited: AwaitedRoads,
}

impl AskTell {
    /// A session that has seen nothing yet.
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

    /// What to do next: the same answer until something is told.
    ///
    /// # Errors
    /// When the agent fails or its leg is not legal. Asking again asks the agent again.
    pub fn ask(&mut self) -> Result<Order<&[NodeId]>, LegError> {
        if self.is_idle() {
            self.expect_awaited();
            self.trajectory.order(&mut ())?;
            self.stop_before_closed();
        }
        self.trajectory.order(&mut ())
    }

    /// What is left of the leg that was planned last; no visits when the next is not planned yet.
    pub fn pending(&self) -> Order<&[NodeId]> {
        self.trajectory.walker().order()
    }

    /// Whether the next leg is still to be planned.
    pub fn is_idle(&self) -> bool {
        self.trajectory.walker().is_idle()
    }

    /// What was decided last: right after [`ask`](Self::ask) planned, all that
    /// [`decide`](Self::decide) needs to stand here again.
    pub fn decision(&self) -> Decision {
        self.trajectory.decision()
    }

    /// Stands as if the agent had just decided so; it is not asked.
    ///
    /// # Errors
    /// When it cannot have been decided here. Nothing changes then.
    pub fn decide(&mut self, decision: &Decision) -> Result<(), DecisionError> {
        self.trajectory.decide(decision, &mut ())?;
        self.expect_awaited();
        Ok(())
    }

    /// The walker stands on `node` now, however it got there; nothing was collected.
    ///
    /// # Errors
    /// When the node does not exist.
    pub fn move_to(&mut self, node: NodeId) -> Result<(), FieldError> {
        self.trajectory.be_at(node)?;
        self.see_awaited(node);
        Ok(())
    }

    /// The leg cannot be finished: the next order is planned from where the walker stands.
    pub fn abandon(&mut self) {
        self.trajectory.abandon();
    }

    /// Somebody else was paid `reward` on `node`; the walker does not move, and its leg goes on.
    ///
    /// # Errors
    /// When the node or the reward cannot be.
    pub fn observe(&mut self, node: NodeId, reward: f64) -> Result<(), FieldError> {
        self.trajectory.observe(node, reward)
    }

    /// There is no way along `edge` any more; the next order is planned without it. Nodes that cannot be
    /// reached any more are [set aside](Self::set_aside).
    ///
    /// # Errors
    /// As [`Trajectory::close`].
    pub fn close(&mut self, edge: Edge) -> Result<(), ChangeError> {
        self.check_not_awaited(edge)?;
        self.trajectory.close(edge)
    }

    /// There is a way along `edge` again.
    ///
    /// # Errors
    /// As [`Trajectory::open`].
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

    /// The nodes that cannot be reached from where the walker stands while edges are closed, ascending.
    /// What is known of them is kept; orders do not lead there until an edge opens or the walker is
    /// carried there.
    pub fn set_aside(&self) -> Vec<NodeId> {
        self.field().set_aside(self.at())
    }

    /// What time it is for the walker.
    pub fn clock(&self) -> &Clock {
        self.trajectory.walker().clock()
    }

    /// The graph it walks, without its closed edges; it may have fallen apart. Its roads take what they are expected to,
    /// after all that was told of them.
    pub fn graph(&self) -> &Graph {
        self.trajectory.graph()
    }

    /// All that is known.
    pub fn field(&self) -> &Field {
        self.trajectory.field()
    }

    /// Everything seen so far.
    pub fn estimates(&self) -> &Estimates {
        self.trajectory.estimates()
    }

    /// How promising every node looks now; see [`Agent::scores`]. Looking changes nothing.
    pub fn scores(&mut self) -> Option<Vec<f64>> {
        self.trajectory.scores()
    }
}
