//! A stored session: everything that graph and agent cannot reproduce.

use super::AskTell;
use super::awaited::{Awaited, AwaitedRoads};
use crate::agent::{Agent, Phase, RemembersEdges};
use crate::clock::Clock;
use crate::confined::Confined;
use crate::cover::{Cover, Init};
use crate::estimates::Estimates;
use crate::field::{Edge, EdgeError, Field, RoadTimes};
use crate::graph::{Graph, NodeId};
use crate::leg::Leg;
use crate::memory::{Memory, MemoryError};
use crate::random::Stream;
use crate::trajectory::{Setting, Trajectory, Walker};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;
use thiserror::Error;

/// A stored session. With the same graph and a fresh agent of the same spec, it continues as if it
/// had never stopped.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionState {
    at: NodeId,
    phase: Phase,
    leg: Leg,
    entered: usize,
    stream: Stream,
    cover: Cover,
    estimates: Estimates,
    memory: Memory,
    /// The walker's clock, if it differs from the number of all visits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<Clock>,
    /// The times told for each road, by its start and end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    times: Vec<(NodeId, NodeId, RoadTimes)>,
    /// Roads that are closed for now and expected to reopen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    awaited: Vec<(NodeId, NodeId, Awaited)>,
}

/// Why a state does not fit this graph.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum StateError {
    /// The graph has another size.
    #[error("the session was on a graph of {stored} nodes; this graph has {nodes}")]
    OtherGraph {
        /// The number of nodes of the session's graph.
        stored: usize,
        /// The number of nodes of this graph.
        nodes: usize,
    },
    /// The graph does not have this node.
    #[error("the session names node {node}; the nodes are 0 to {last}")]
    UnknownNode {
        /// The node.
        node: NodeId,
        /// The highest node number there is.
        last: NodeId,
    },
    /// The state claims more visited nodes than there are.
    #[error("the session claims that all nodes below {lowest} are visited, but some are not")]
    NotCovered {
        /// The node below which all are said to be visited.
        lowest: NodeId,
    },
    /// The graph does not allow the leg, or the leg is shorter than claimed.
    #[error(
        "the session's leg {path:?}, {entered} entered, is not a walk from node {at} on this graph"
    )]
    IllegalLeg {
        /// Where the walker stands.
        at: NodeId,
        /// The path.
        path: Vec<NodeId>,
        /// The number of its nodes already entered.
        entered: usize,
    },
    /// The walker has more visits than there are.
    #[error("the walker's clock has {shown} visits, but the session has only {visits}")]
    ClockAhead {
        /// The visits on the clock.
        shown: u64,
        /// All visits.
        visits: u64,
    },
    /// The road does not exist, or no drives take these times.
    #[error(
        "the session has impossible times for the road from node {from} to node {to}: \
         {count} drives that took {sum} in total; does it belong to this map?"
    )]
    ImpossibleTimes {
        /// Where the road begins.
        from: NodeId,
        /// Where it leads.
        to: NodeId,
        /// The number of drives.
        count: u64,
        /// Their total time.
        sum: f64,
    },
    /// The reopening rate is invalid.
    #[error(
        "the session expects the road from node {} to node {} to reopen at rate {rate}, which is \
         not a valid rate; does it belong to this map?", edge.0, edge.1
    )]
    ImpossibleWait {
        /// The road.
        edge: Edge,
        /// The rate.
        rate: f64,
    },
    /// Edges that cannot be closed.
    #[error("closed edges: {0}")]
    Edge(#[from] EdgeError),
    /// Edges are closed, but the agent cannot continue after edges change.
    #[error(transparent)]
    RemembersEdges(#[from] RemembersEdges),
    /// The memory does not fit the agent.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

impl AskTell {
    /// The current state, without the graph and its closed edges.
    pub fn state(&self) -> SessionState {
        let walker = self.trajectory.walker();
        let (visits, clock) = (self.estimates().visits(), *walker.clock());
        SessionState {
            at: walker.at,
            phase: walker.phase,
            leg: walker.leg.clone(),
            entered: walker.entered,
            stream: walker.stream.clone(),
            cover: walker.cover.after(self.estimates()),
            estimates: self.estimates().clone(),
            memory: walker.agent().memory(),
            clock: (clock != Clock::after(visits)).then_some(clock),
            times: self.field().told_times().iter().map(|(&(a, b), &t)| (a, b, t)).collect(),
            awaited: self.awaited.stored(),
        }
    }

    /// Resumes a stored session; `agent` is a fresh agent of the same spec.
    ///
    /// # Errors
    /// When the state does not belong to this graph and agent.
    pub fn resume(
        graph: impl Into<Arc<Graph>>,
        agent: Box<dyn Agent + Send>,
        state: SessionState,
    ) -> Result<Self, StateError> {
        Self::resume_with(graph, &BTreeSet::new(), agent, state)
    }

    /// Like [`resume`](Self::resume), on a graph with closed edges. Edges that the state lists as
    /// closed for now stay closed for now.
    ///
    /// # Errors
    /// When the state does not belong to this graph and agent, or these edges cannot be closed.
    pub fn resume_with(
        map: impl Into<Arc<Graph>>,
        closed: &BTreeSet<Edge>,
        agent: Box<dyn Agent + Send>,
        state: SessionState,
    ) -> Result<Self, StateError> {
        let (map, mut agent) = (map.into(), Confined::new(agent));
        let (stored, nodes) = (state.estimates.samples().len(), map.len());
        if stored != nodes {
            return Err(StateError::OtherGraph { stored, nodes });
        }
        let mut field = Field::seen(map, state.estimates.clone());
        let for_now: BTreeSet<Edge> = state.awaited.iter().map(|&(a, b, _)| (a, b)).collect();
        let closed: BTreeSet<Edge> = closed.difference(&for_now).copied().collect();
        if !closed.is_empty() {
            let roads = field.closing_all(&closed)?;
            roads.check(closed.last().copied().unwrap_or_default(), agent.footing())?;
            field.change_roads(roads);
            agent.change_graph(field.graph())?;
        }
        if !state.times.is_empty() {
            let told = state.times.iter().map(|&(from, to, times)| ((from, to), times)).collect();
            field.recall_times(told).map_err(|road| state.impossible_times(road))?;
            if field.map().roads().is_none() {
                agent.change_graph(field.graph())?;
            }
        }
        let awaited = AwaitedRoads::recalled(&mut field, &state.awaited)?;
        if !awaited.is_empty() {
            agent.change_graph(field.graph())?;
        }
        state.check(field.graph())?;
        agent.recall(&state.memory)?;
        let clock = state.clock.unwrap_or(Clock::after(state.estimates.visits()));
        let walker = Walker::resumed(agent, clock, state);
        Ok(Self { trajectory: Trajectory::of(field, walker), awaited })
    }
}

impl<A: Agent> Walker<A> {
    fn resumed(agent: A, clock: Clock, state: SessionState) -> Self {
        let SessionState { at, phase, leg, entered, stream, cover, .. } = state;
        let mut walker = Self::new(agent, Setting { start: at, init: Init::None, stream });
        (walker.clock, walker.cover) = (clock, cover);
        (walker.leg, walker.phase, walker.entered) = (leg, phase, entered);
        walker
    }
}

impl SessionState {
    #[cold]
    fn impossible_times(&self, (from, to): Edge) -> StateError {
        let mut all = self.times.iter();
        let found = all.find(|&&(a, b, _)| (a, b) == (from, to));
        let RoadTimes { count, sum } = found.map_or(RoadTimes::default(), |&(_, _, times)| times);
        StateError::ImpossibleTimes { from, to, count, sum }
    }

    fn check(&self, graph: &Graph) -> Result<(), StateError> {
        let nodes = graph.len();
        let mut named = self.leg.path.iter().chain(self.cover.trail()).chain([&self.at]);
        if let Some(&node) = named.find(|&&node| node as usize >= nodes) {
            return Err(StateError::UnknownNode { node, last: nodes as NodeId - 1 });
        }
        let visited = &self.estimates.samples()[..(self.cover.lowest() as usize).min(nodes)];
        if self.cover.lowest() as usize > nodes || visited.iter().any(|sample| sample.count == 0) {
            return Err(StateError::NotCovered { lowest: self.cover.lowest() });
        }
        let visits = self.estimates.visits();
        if let Some(clock) = self.clock.filter(|clock| clock.visits() > visits) {
            return Err(StateError::ClockAhead { shown: clock.visits(), visits });
        }
        let ahead = self.leg.path.get(self.entered..).unwrap_or(&[]);
        let mut from = self.at;
        let legal = ahead.iter().all(|&to| graph.allows(std::mem::replace(&mut from, to), to));
        if !legal || self.entered > self.leg.path.len() {
            return Err(StateError::IllegalLeg {
                at: self.at,
                path: self.leg.path.clone(),
                entered: self.entered,
            });
        }
        Ok(())
    }
}
