//! An agent at work: its state is a pure function of its definition and the events of its log.
//!
//! After every single visit the next leg is planned at once, not when somebody asks. Planning may
//! draw random numbers, and an ask leaves no record; so only then does the state not depend on who
//! looked at it when, and replaying the log leads to the same next leg, bit for bit.

mod curve;
mod definition;
mod event;
mod graph_source;
mod place;
mod roads;
mod snapshot;
pub(crate) mod whole;
mod why;

pub use curve::{Curve, MOST_POINTS, NoCurve};
pub use definition::{AgentWish, Definition, DefinitionError, Wish};
pub use event::{Event, Receipt, Record, Visits};
pub use graph_source::{GraphLimits, GraphSource, GraphSourceError, ListedGraph};
pub use place::{Directory, NoSuchNode, NodeName, Place};
pub use snapshot::Snapshot;
pub use why::{NodeEstimate, RunnerUp, Why};

use graph_bandit::agents::ParameterError;
use graph_bandit::reward::MAX_MAGNITUDE;
use graph_bandit::{
    AskTell, Estimates, Graph, GraphError, MAX_VISITS, NodeId, Phase, SessionPlan, StateError,
    TellError,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use thiserror::Error;

/// Why an event cannot have happened, or cannot be planned for; nothing changed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum EventError {
    /// No visit at all.
    #[error("nothing was told; tell at least one reward")]
    NoVisit,
    /// More rewards than the leg has visits.
    #[error(
        "{rewards} rewards were told of a leg that has {visits} visits left; \
         say with `visits` where the others were paid"
    )]
    TooManyRewards {
        /// How many were told.
        rewards: usize,
        /// How many visits the leg had left.
        visits: u64,
    },
    /// More visits than one report may tell of.
    #[error(
        "{visits} visits are too many for one report; tell {most} at most, and the others next"
    )]
    ReportTooLong {
        /// How many were told.
        visits: usize,
        /// How many may be.
        most: usize,
    },
    /// A reward so large that its square is no number.
    #[error("reward {reward} at node {node} is not of magnitude at most {MAX_MAGNITUDE:e}")]
    RewardOutOfRange {
        /// The node.
        node: NodeId,
        /// The reward.
        reward: f64,
    },
    /// More visits than can be counted exactly.
    #[error("an agent makes at most {MAX_VISITS} visits")]
    TooManyVisits,
    /// A node that there is not.
    #[error(transparent)]
    Node(#[from] NoSuchNode),
    /// An edge that there is not.
    #[error("there is no edge between node {} and node {}", edge.0, edge.1)]
    NoSuchEdge {
        /// The edge.
        edge: (NodeId, NodeId),
    },
    /// The edge is blocked already, or open.
    #[error("the edge between node {} and node {} is {state} already", edge.0, edge.1)]
    EdgeIsSo {
        /// The edge.
        edge: (NodeId, NodeId),
        /// Blocked or open.
        state: &'static str,
    },
    /// The graph would fall apart.
    #[error(
        "without the edge between node {} and node {} the graph falls apart: node {cut_off} is cut \
         off from node 0, and there is no way to plan around it",
        edge.0, edge.1
    )]
    Bridge {
        /// The edge.
        edge: (NodeId, NodeId),
        /// A node that could not be reached any more.
        cut_off: NodeId,
    },
    /// An agent that remembers by edge.
    #[error(
        "agent {agent} remembers what it learned edge by edge and cannot go on with other edges; \
         report the leg as failed, or take an agent that plans, such as g-star"
    )]
    RemembersEdges {
        /// The agent.
        agent: &'static str,
    },
    /// The session refused; a defect of the service.
    #[error("the agent cannot go on: {reason}")]
    Refused {
        /// What it says.
        reason: String,
    },
}

/// Why an agent cannot be had from what is stored of it.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The graph cannot be built any more.
    #[error(transparent)]
    Graph(#[from] GraphSourceError),
    /// A graph without its blocked edges cannot be built.
    #[error("blocked edges: {0}")]
    Blocked(#[from] GraphError),
    /// The agent cannot be built any more.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The session is none on this graph.
    #[error(transparent)]
    State(#[from] StateError),
    /// The start is none.
    #[error(transparent)]
    Start(#[from] TellError),
    /// A blocked edge that there is not.
    #[error("nodes {} and {} are said to be a blocked edge, and are none", edge.0, edge.1)]
    NoSuchEdge {
        /// The edge.
        edge: (NodeId, NodeId),
    },
    /// A curve that the rewards of the session cannot have.
    #[error(transparent)]
    Curve(#[from] NoCurve),
    /// A cover walk beyond the last node.
    #[error("the session has covered more nodes than the {nodes} there are")]
    NoSuchCover {
        /// How many nodes there are.
        nodes: usize,
    },
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orders {
    /// The nodes to enter in turn; none when the walker stays.
    pub path: Vec<NodeId>,
    /// Further visits where the path ends.
    pub stay: u64,
    /// Whether the leg covers the graph or is the agent's own.
    pub phase: Phase,
}

/// An agent at work.
pub struct Live {
    definition: Definition,
    /// As it was created; the session walks it without the blocked edges.
    whole: Arc<Graph>,
    blocked: BTreeSet<(NodeId, NodeId)>,
    directory: Directory,
    session: AskTell,
    curve: Curve,
    sequence: u64,
}

impl Live {
    /// The agent before its first event.
    ///
    /// # Errors
    /// When the definition is none that this version can carry out.
    pub fn new(definition: Definition, limits: GraphLimits) -> Result<Self, ResumeError> {
        let graph = definition.graph.build(definition.seed, limits)?;
        Self::on(definition, graph)
    }

    /// As [`new`](Self::new), where the graph is at hand.
    ///
    /// # Errors
    /// When the definition is none that this version can carry out.
    pub fn on(mut definition: Definition, graph: Graph) -> Result<Self, ResumeError> {
        if let Some(origin) = definition.origin.take() {
            origin.check(&graph)?;
            let origin_again = origin.clone();
            // What an imported agent did elsewhere is no part of its log here.
            let mut live = Self::at(definition, graph, Snapshot { sequence: 0, ..*origin })?;
            live.definition.origin = Some(origin_again);
            return Ok(live);
        }
        let agent = definition.agent.build(&graph)?;
        let whole = Arc::new(graph);
        let plan =
            SessionPlan { start: definition.start, init: definition.init, seed: definition.seed };
        let session = AskTell::new(Arc::clone(&whole), agent, plan)?;
        let directory = directory_of(&whole);
        let (blocked, curve, sequence) = (BTreeSet::new(), Curve::default(), 0);
        Ok(Self { definition, whole, blocked, directory, session, curve, sequence }.planned())
    }

    /// The agent as a snapshot keeps it.
    ///
    /// # Errors
    /// When the snapshot is none of this agent.
    pub fn resume(
        definition: Definition,
        snapshot: Snapshot,
        limits: GraphLimits,
    ) -> Result<Self, ResumeError> {
        let graph = definition.graph.build(definition.seed, limits)?;
        Self::at(definition, graph, snapshot)
    }

    fn at(definition: Definition, graph: Graph, snapshot: Snapshot) -> Result<Self, ResumeError> {
        let whole = Arc::new(graph);
        let walked = roads::without(&whole, &snapshot.blocked)?;
        let agent = definition.agent.build(&walked)?;
        let session = AskTell::resume(walked, agent, snapshot.state)?;
        let directory = directory_of(&whole);
        let Snapshot { sequence, blocked, curve, .. } = snapshot;
        curve.check(session.estimates())?;
        Ok(Self { definition, whole, blocked, directory, session, curve, sequence }.planned())
    }

    fn planned(mut self) -> Self {
        self.session.ask();
        self
    }

    /// What it was created as.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Its graph, blocked edges included; whoever keeps it need not keep the agent waiting.
    pub fn graph(&self) -> &Arc<Graph> {
        &self.whole
    }

    /// The edges that are blocked, the lower number first.
    pub fn blocked(&self) -> &BTreeSet<(NodeId, NodeId)> {
        &self.blocked
    }

    /// How many events it has seen: the number the next one must bear.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Where the walker stands.
    pub fn place(&self) -> NodeId {
        self.session.at()
    }

    /// The sum of all rewards over time.
    pub fn rewards(&self) -> &Curve {
        &self.curve
    }

    /// Everything it was told.
    pub fn estimates(&self) -> &Estimates {
        self.session.estimates()
    }

    /// What to do next: the same until something happens.
    pub fn orders(&mut self) -> Orders {
        let order = self.session.ask();
        // A stay without end is as long as any agent lives.
        let stay = order.stay.min(MAX_VISITS);
        Orders { path: order.path.to_vec(), stay, phase: order.phase }
    }

    /// All that must be kept to go on from here.
    pub fn snapshot(&self) -> Snapshot {
        let (blocked, curve) = (self.blocked.clone(), self.curve.clone());
        Snapshot { sequence: self.sequence, blocked, curve, state: self.session.state() }
    }

    /// The number of a node.
    ///
    /// # Errors
    /// When there is no such node.
    pub fn find(&self, node: &NodeName) -> Result<NodeId, NoSuchNode> {
        self.directory.find(node)
    }

    /// The next visits of the leg, paid these rewards in order.
    ///
    /// # Errors
    /// When there are more rewards than visits.
    pub fn as_ordered(&mut self, rewards: Vec<f64>) -> Result<Vec<Visits>, EventError> {
        let (at, order) = (self.place(), self.orders());
        let visits = order.stay.saturating_add(order.path.len() as u64);
        if rewards.len() as u64 > visits {
            return Err(EventError::TooManyRewards { rewards: rewards.len(), visits });
        }
        let end = order.path.last().copied().unwrap_or(at);
        let nodes = order.path.into_iter().chain(std::iter::repeat(end));
        Ok(in_runs(nodes.zip(rewards)))
    }

    /// Lets an event happen and answers its receipt.
    ///
    /// # Errors
    /// When it cannot have happened. Nothing changes then.
    pub fn apply(&mut self, event: &Event) -> Result<Receipt, EventError> {
        let replanned = match event {
            Event::Told { visits } => self.told(visits)?,
            Event::LegFailed { at, .. } => {
                self.find(&NodeName::Number(*at))?;
                self.replan_from(*at)?;
                true
            }
            Event::EdgeBlocked { edge, at } => {
                self.find(&NodeName::Number(*at))?;
                self.block(*edge, *at)?;
                true
            }
            Event::EdgeOpened { edge } => {
                self.open(*edge)?;
                true
            }
        };
        let sequence = self.sequence;
        self.sequence += 1;
        Ok(Receipt {
            sequence,
            next_sequence: self.sequence,
            at: self.place(),
            visits: self.estimates().visits(),
            replanned,
        })
    }

    /// Whether a visit was not the one that was ordered.
    fn told(&mut self, visits: &[Visits]) -> Result<bool, EventError> {
        let mut count = 0_u64;
        for Visits { node, rewards } in visits {
            self.find(&NodeName::Number(*node))?;
            if let Some(&reward) = rewards.iter().find(|reward| !in_range(**reward)) {
                return Err(EventError::RewardOutOfRange { node: *node, reward });
            }
            count = count.saturating_add(rewards.len() as u64);
        }
        if count == 0 {
            return Err(EventError::NoVisit);
        }
        if count > MAX_VISITS - self.estimates().visits() {
            return Err(EventError::TooManyVisits);
        }
        let mut replanned = false;
        for Visits { node, rewards } in visits {
            for &reward in rewards {
                replanned |= self.session.ask().node != *node;
                if !self.session.graph().allows(self.session.at(), *node) {
                    // It was carried, or went where the map shows no way.
                    self.session.move_to(*node).map_err(refused)?;
                    self.session.ask();
                }
                self.session.tell(*node, reward).map_err(refused)?;
                self.curve.push(reward);
                self.session.ask();
            }
        }
        Ok(replanned)
    }

    /// Drops the order and plans anew.
    fn replan_from(&mut self, at: NodeId) -> Result<(), EventError> {
        self.drop_orders(at)?;
        self.session.ask();
        Ok(())
    }

    /// A session drops its leg when the walker is moved; there and back is nowhere at all.
    fn drop_orders(&mut self, at: NodeId) -> Result<(), EventError> {
        let elsewhere = if at == 0 { self.whole.len() as NodeId - 1 } else { 0 };
        self.session.move_to(elsewhere).map_err(refused)?;
        self.session.move_to(at).map_err(refused)
    }
}

fn directory_of(graph: &Graph) -> Directory {
    Directory::new(graph.names().unwrap_or_default(), graph.len())
}

fn in_range(reward: f64) -> bool {
    // False for what is not a number, too.
    reward.abs() <= MAX_MAGNITUDE
}

fn refused(error: impl std::fmt::Display) -> EventError {
    EventError::Refused { reason: error.to_string() }
}

/// Visits one by one, as runs of visits to the same node.
pub fn in_runs(visits: impl IntoIterator<Item = (NodeId, f64)>) -> Vec<Visits> {
    let mut runs: Vec<Visits> = Vec::new();
    for (node, reward) in visits {
        match runs.last_mut() {
            Some(run) if run.node == node => run.rewards.push(reward),
            _ => runs.push(Visits { node, rewards: vec![reward] }),
        }
    }
    runs
}
