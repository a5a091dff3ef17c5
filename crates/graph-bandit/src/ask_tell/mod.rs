//! Ask/tell: the same agents, one visit at a time, for rewards that come from outside.
//!
//! Nothing jumps here: covering the graph is ordinary legs, and the agent goes on from where the
//! cover walk ends. The one adapter over legs for Rust, Python and HTTP. A session can be stored
//! and resumed ([`SessionState`]); it goes on bit for bit.

mod state;

pub use state::{SessionState, StateError};

use crate::agent::{Agent, Leg, Phase, Situation, Visit};
use crate::cover::{Cover, Init};
use crate::estimates::{Estimates, Sample};
use crate::graph::{Graph, NodeId};
use crate::random::{Seed, Stream, label};
use crate::reward::MAX_MAGNITUDE;
use std::sync::Arc;
use thiserror::Error;

/// Why a tell was refused; nothing changed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TellError {
    /// No such node.
    #[error("node {node} is outside the graph; the nodes are 0 to {last}")]
    UnknownNode {
        /// The node told of.
        node: NodeId,
        /// The highest node number there is.
        last: NodeId,
    },
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
    /// A reward that is not a number, or so large that its square is none.
    #[error(
        "reward {reward} at node {node} is not a finite number of magnitude at most \
         {MAX_MAGNITUDE:e}"
    )]
    NonFiniteReward {
        /// The node told of.
        node: NodeId,
        /// The reward told.
        reward: f64,
    },
    /// More rewards than the leg has visits.
    #[error("{rewards} rewards were told, the leg has only {visits} visits left")]
    TooManyRewards {
        /// How many were told.
        rewards: usize,
        /// How many visits the leg had left.
        visits: u64,
    },
}

/// What to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order<'a> {
    /// The next node to enter; the current one when staying.
    pub node: NodeId,
    /// The nodes still to enter, `node` first unless the walker stays.
    pub path: &'a [NodeId],
    /// Visits still to make where the path ends, its arrival not counted.
    pub stay: u64,
    /// Whether the leg covers the graph or is the agent's own.
    pub phase: Phase,
}

/// How a session begins: on node 0, covering the graph by the paper's order, unless said otherwise.
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
    graph: Arc<Graph>,
    agent: Box<dyn Agent + Send>,
    estimates: Estimates,
    stream: Stream,
    cover: Cover,
    at: NodeId,
    leg: Leg,
    phase: Phase,
    /// How many nodes of the leg's path have been entered.
    entered: usize,
}

impl AskTell {
    /// A session that has seen nothing yet.
    ///
    /// # Errors
    /// When the plan's start is no node of the graph.
    pub fn new(
        graph: impl Into<Arc<Graph>>,
        agent: Box<dyn Agent + Send>,
        plan: SessionPlan,
    ) -> Result<Self, TellError> {
        let graph = graph.into();
        let session = Self {
            estimates: Estimates::new(graph.len()),
            graph,
            agent,
            stream: plan.seed.child(label::AGENT).stream(),
            cover: Cover::new(plan.init),
            at: plan.start,
            leg: Leg::default(),
            phase: Phase::Cover,
            entered: 0,
        };
        session.check_node(plan.start)?;
        Ok(session)
    }

    /// What to do next: the same answer until something is told.
    pub fn ask(&mut self) -> Order<'_> {
        if self.finished() {
            self.plan();
        }
        let path = &self.leg.path[self.entered..];
        let node = path.first().copied().unwrap_or(self.at);
        Order { node, path, stay: self.leg.stay, phase: self.phase }
    }

    /// One visit to `node` paid `reward`. A visit other than the one asked for is accepted, and the
    /// agent plans anew from there.
    ///
    /// # Errors
    /// When the node does not exist, is not a neighbour, or the reward is not finite. Nothing
    /// changes then.
    pub fn tell(&mut self, node: NodeId, reward: f64) -> Result<(), TellError> {
        self.check_node(node)?;
        if !self.graph.allows(self.at, node) {
            return Err(TellError::IllegalMove { from: self.at, to: node });
        }
        check_reward(node, reward)?;
        let order = self.ask();
        let (as_ordered, phase) = (order.node == node, order.phase);
        if !as_ordered {
            self.drop_leg();
        } else if self.entered < self.leg.path.len() {
            self.entered += 1;
        } else {
            self.leg.stay -= 1;
        }
        self.visit(node, &[reward], phase);
        Ok(())
    }

    /// The next visits of the leg that was asked for paid `rewards`, in order: the same as telling
    /// them one by one. Fewer than the leg has visits are accepted, and the leg goes on.
    ///
    /// # Errors
    /// When there are more rewards than visits or one is not finite. Nothing changes then.
    pub fn tell_leg(&mut self, rewards: &[f64]) -> Result<(), TellError> {
        let at = self.at;
        let order = self.ask();
        let visits = order.stay.saturating_add(order.path.len() as u64);
        if rewards.len() as u64 > visits {
            return Err(TellError::TooManyRewards { rewards: rewards.len(), visits });
        }
        let (phase, end) = (order.phase, order.path.last().copied().unwrap_or(at));
        for (k, &reward) in rewards.iter().enumerate() {
            check_reward(order.path.get(k).copied().unwrap_or(end), reward)?;
        }
        let (on_the_way, staying) = rewards.split_at(rewards.len().min(order.path.len()));
        for reward in on_the_way {
            let node = self.leg.path[self.entered];
            self.entered += 1;
            self.visit(node, std::slice::from_ref(reward), phase);
        }
        if !staying.is_empty() {
            self.leg.stay -= staying.len() as u64;
            self.visit(end, staying, phase);
        }
        Ok(())
    }

    /// The walker goes to `node`, or stays, and is paid these rewards there.
    fn visit(&mut self, node: NodeId, rewards: &[f64], phase: Phase) {
        let mut sample = Sample::default();
        for &reward in rewards {
            self.estimates.push(node, reward);
            sample.push(reward);
        }
        let from = std::mem::replace(&mut self.at, node);
        let now = Situation { graph: &self.graph, at: node, estimates: &self.estimates };
        self.agent.observe(&now, &Visit { from, node, sample, phase });
    }

    /// The walker stands on `node` now, however it got there; nothing was collected.
    ///
    /// # Errors
    /// When the node does not exist.
    pub fn move_to(&mut self, node: NodeId) -> Result<(), TellError> {
        self.check_node(node)?;
        if node != self.at {
            self.at = node;
            self.drop_leg();
        }
        Ok(())
    }

    /// Where the walker stands.
    pub fn at(&self) -> NodeId {
        self.at
    }

    /// The graph it walks.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Everything seen so far.
    pub fn estimates(&self) -> &Estimates {
        &self.estimates
    }

    /// How promising every node looks now; see [`Agent::scores`]. Looking changes nothing.
    pub fn scores(&mut self) -> Option<Vec<f64>> {
        let now = Situation { graph: &self.graph, at: self.at, estimates: &self.estimates };
        self.agent.scores(&now, &mut self.stream.clone())
    }

    fn finished(&self) -> bool {
        self.entered == self.leg.path.len() && self.leg.stay == 0
    }

    fn drop_leg(&mut self) {
        self.leg = Leg::default();
        self.entered = 0;
    }

    fn plan(&mut self) {
        self.drop_leg();
        let now = Situation { graph: &self.graph, at: self.at, estimates: &self.estimates };
        if self.cover.next_leg(&now, &mut self.leg) {
            self.phase = Phase::Cover;
        } else {
            self.phase = Phase::Learn;
            self.agent.next_leg(&now, &mut self.stream, &mut self.leg);
            self.keep_legal_part();
        }
    }

    /// A run refuses a leg that is empty or leaves the graph. Here there is only the walker to
    /// send, so the leg ends before its first illegal step, and one without a visit stays once.
    fn keep_legal_part(&mut self) {
        let mut from = self.at;
        let legal = self.leg.path.iter().take_while(|&&to| {
            let allowed = (to as usize) < self.graph.len() && self.graph.allows(from, to);
            from = to;
            allowed
        });
        let legal = legal.count();
        if legal < self.leg.path.len() {
            self.leg.path.truncate(legal);
            self.leg.stay = 0;
        }
        if self.finished() {
            self.leg.stay = 1;
        }
    }

    fn check_node(&self, node: NodeId) -> Result<(), TellError> {
        let last = self.graph.len() as NodeId - 1;
        if node > last { Err(TellError::UnknownNode { node, last }) } else { Ok(()) }
    }
}

fn check_reward(node: NodeId, reward: f64) -> Result<(), TellError> {
    // False for what is not a number, too.
    if reward.abs() <= MAX_MAGNITUDE {
        Ok(())
    } else {
        Err(TellError::NonFiniteReward { node, reward })
    }
}
