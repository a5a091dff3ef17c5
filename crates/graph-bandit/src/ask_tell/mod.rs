//! Ask/tell: the same agents, one visit at a time, for rewards that come from outside.
//!
//! Nothing jumps here: covering the graph is ordinary legs, and the agent goes on from where the
//! cover walk ends. The one adapter over a [`Trajectory`] for Rust, Python and HTTP. A session can be
//! stored and resumed ([`SessionState`]); it goes on bit for bit.

mod state;

pub use state::{SessionState, StateError};

use crate::agent::Agent;
use crate::clock::Clock;
use crate::confined::Confined;
use crate::cover::Init;
use crate::estimates::Estimates;
use crate::field::{Edge, Field, FieldError};
use crate::graph::{Graph, NodeId};
use crate::random::{Seed, label};
use crate::trajectory::{
    ChangeError, Decision, DecisionError, LegError, Order, Paid, Setting, Told, Trajectory,
};
use std::sync::Arc;
use thiserror::Error;

/// Why a tell was refused. Nothing changed, except where the agent failed to hear of a visit: that
/// visit stands.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TellError {
    /// The node or the reward cannot be.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// One step does not lead there.
    #[error(
        "one step does not lead from node {from} to node {to}; \
         if the walker was carried there, say so with `move_to`"
    )]
    IllegalMove {
        /// Where the walker stands.
        from: NodeId,
        /// The node told of.
        to: NodeId,
    },
    /// More rewards than the leg has visits.
    #[error("{rewards} rewards were told, the leg has only {visits} visits left")]
    TooManyRewards {
        /// How many were told.
        rewards: usize,
        /// How many visits the leg had left.
        visits: u64,
    },
    /// The agent failed, or its leg is not legal.
    #[error(transparent)]
    Leg(#[from] LegError),
}

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
        Ok(Self { trajectory: Trajectory::new(Field::new(graph), agent, setting)? })
    }

    /// What to do next: the same answer until something is told.
    ///
    /// # Errors
    /// When the agent fails or its leg is not legal. Asking again asks the agent again.
    pub fn ask(&mut self) -> Result<Order<&[NodeId]>, LegError> {
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
        self.trajectory.decide(decision, &mut ())
    }

    /// One visit to `node` paid `paid`, a reward or one with the time that the step took ([`Paid`]), whatever was
    /// ordered and whether a road leads there or not. The leg is dropped, and nothing is planned.
    ///
    /// # Errors
    /// When the node does not exist, the reward is not finite or the time cannot be.
    pub fn visit(&mut self, node: NodeId, paid: impl Into<Paid>) -> Result<(), TellError> {
        let paid = paid.into();
        self.trajectory.field().check_node(node)?;
        self.trajectory.field().check_rewards(node, &[paid.reward])?;
        let spent = self.spent_staying([(node, paid)].into_iter())?;
        self.trajectory.go(node, &mut Told::of(&[paid]), &mut ())?;
        self.spend(&spent);
        Ok(())
    }

    /// One visit to `node` paid `paid`: a reward, or one with the time that the step took ([`Paid`]). The clock follows
    /// that time, and the road to `node` is expected to take the mean of what was told of it and what the map says,
    /// each counted once. A visit other than the one asked for is accepted, and the agent plans anew from there.
    ///
    /// ```
    /// use graph_bandit::{AgentSpec, AskTell, Graph, Paid, Preset, SessionPlan};
    /// let line = Graph::line(3)?;
    /// let agent = AgentSpec::parse("g-star", Preset::Paper)?.build(&line)?;
    /// let mut session = AskTell::new(line, agent, SessionPlan::default())?;
    /// session.tell(0, 0.5)?;
    /// session.tell(1, Paid { reward: 0.25, took: Some(4.0) })?;
    /// // The map says 0 beyond the visit, the drive took 3.
    /// assert_eq!(session.graph().travel(0, 1), Some(1.5));
    /// assert_eq!(session.clock().now().0, 5.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the node does not exist, is not a neighbour, the reward is not finite or the time cannot be.
    pub fn tell(&mut self, node: NodeId, paid: impl Into<Paid>) -> Result<(), TellError> {
        let paid = paid.into();
        self.trajectory.field().check_node(node)?;
        let at = self.at();
        if !self.graph().allows(at, node) {
            return Err(TellError::IllegalMove { from: at, to: node });
        }
        self.trajectory.field().check_rewards(node, &[paid.reward])?;
        let spent = self.spent_staying([(node, paid)].into_iter())?;
        let is_as_ordered = self.ask()?.node == node;
        let rewards = [paid];
        let mut payer = Told::of(&rewards);
        if is_as_ordered {
            self.trajectory.advance(1, &mut payer, &mut ())?;
        } else {
            self.trajectory.go(node, &mut payer, &mut ())?;
        }
        self.spend(&spent);
        Ok(())
    }

    /// Checks the times of steps to these nodes, one after another; answers by how much visits where the walker stayed
    /// took longer than a unit.
    fn spent_staying(
        &self,
        steps: impl Iterator<Item = (NodeId, Paid)>,
    ) -> Result<Vec<f64>, FieldError> {
        let (mut from, mut spent) = (self.at(), Vec::new());
        for (node, paid) in steps {
            if let Some(took) = paid.took {
                let beyond = Field::check_took(node, took)?;
                if from == node {
                    spent.push(beyond);
                }
            }
            from = node;
        }
        Ok(spent)
    }

    fn spend(&mut self, spent: &[f64]) {
        let (_, walker) = self.trajectory.parts();
        for &time in spent {
            walker.spend(time);
        }
    }

    /// The next visits of the leg that was asked for paid `rewards`, in order: the same as telling
    /// them one by one. Fewer than the leg has visits are accepted, and the leg goes on.
    ///
    /// # Errors
    /// When there are more rewards than visits or one is not finite.
    pub fn tell_leg(&mut self, rewards: &[f64]) -> Result<(), TellError> {
        self.told_leg(rewards)
    }

    /// As [`tell_leg`](Self::tell_leg), with the times of steps.
    ///
    /// # Errors
    /// As [`tell_leg`](Self::tell_leg), and when a time cannot be.
    pub fn tell_leg_timed(&mut self, paid: &[Paid]) -> Result<(), TellError> {
        self.told_leg(paid)
    }

    fn told_leg<P: Copy + Into<Paid>>(&mut self, rewards: &[P]) -> Result<(), TellError> {
        let order = self.ask()?;
        let visits = order.visits();
        if rewards.len() as u64 > visits {
            return Err(TellError::TooManyRewards { rewards: rewards.len(), visits });
        }
        let nodes: Vec<NodeId> = order.nodes().take(rewards.len()).collect();
        let field = self.trajectory.field();
        for (&node, &paid) in nodes.iter().zip(rewards) {
            field.check_rewards(node, &[paid.into().reward])?;
        }
        field.check_count(rewards.len() as u64)?;
        let paid = rewards.iter().map(|&paid| paid.into());
        let spent = self.spent_staying(nodes.iter().copied().zip(paid))?;
        self.trajectory.advance(rewards.len() as u64, &mut Told::of(rewards), &mut ())?;
        self.spend(&spent);
        Ok(())
    }

    /// The walker stands on `node` now, however it got there; nothing was collected.
    ///
    /// # Errors
    /// When the node does not exist.
    pub fn move_to(&mut self, node: NodeId) -> Result<(), FieldError> {
        self.trajectory.be_at(node)
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
        self.trajectory.close(edge)
    }

    /// There is a way along `edge` again.
    ///
    /// # Errors
    /// As [`Trajectory::open`].
    pub fn open(&mut self, edge: Edge) -> Result<(), ChangeError> {
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
