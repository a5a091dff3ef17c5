//! What is known: the graph without its closed edges, and every reward so far.
//!
//! A field belongs to nobody who walks it. One field may have several walkers: all learn from what
//! any of them, or somebody else, reports. Closed edges may cut nodes off from where a walker stands:
//! they are set aside, and what is known of them is kept, until an edge opens.

mod learned_times;
mod times;

pub use learned_times::RoadTimes;
pub(crate) use times::Kind;

use crate::agent::{Footing, Situation};
use crate::clock::Clock;
use crate::estimates::{Estimates, MAX_VISITS};
use crate::graph::{Graph, MAX_TRAVEL, NodeId};
use crate::reward::MAX_MAGNITUDE;
use learned_times::LearnedTimes;
use std::collections::BTreeSet;
use std::sync::Arc;
use thiserror::Error;

/// Two nodes that an edge joins, the lower number first; where roads run one way or take time, a road, as it
/// runs.
pub type Edge = (NodeId, NodeId);

/// Why a report about a node was refused; nothing changed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FieldError {
    /// The graph has no such node.
    #[error("node {node} is outside the graph; the nodes are 0 to {last}")]
    UnknownNode {
        /// The node reported.
        node: NodeId,
        /// The highest node number.
        last: NodeId,
    },
    /// A reward that is not a number, or so large that its square is not one.
    #[error(
        "reward {reward} at node {node} is not a finite number of magnitude at most \
         {MAX_MAGNITUDE:e}"
    )]
    NonFiniteReward {
        /// The node reported.
        node: NodeId,
        /// The reward reported.
        reward: f64,
    },
    /// More visits than counts are exact for.
    #[error("{more} more visits are too many after {visits}; the limit is {MAX_VISITS}")]
    TooManyVisits {
        /// The visits so far.
        visits: u64,
        /// The visits reported.
        more: u64,
    },
    /// A step that took less than the visit at its end, or a time that cannot be.
    #[error(
        "the step to node {node} took {took}; give the whole time of the step in units of one visit, from 1 to \
         {}", 1.0 + MAX_TRAVEL
    )]
    ImpossibleTime {
        /// The node reported.
        node: NodeId,
        /// The time reported.
        took: f64,
    },
}

/// Why an edge cannot be closed or opened; nothing changed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum EdgeError {
    /// The graph has no such edge.
    #[error("there is no edge between node {} and node {}", edge.0, edge.1)]
    NoSuchEdge {
        /// The edge asked for.
        edge: Edge,
    },
    /// The edge is closed already.
    #[error("the edge between node {} and node {} is closed already", edge.0, edge.1)]
    AlreadyClosed {
        /// The edge.
        edge: Edge,
    },
    /// The edge is open already.
    #[error("the edge between node {} and node {} is open already", edge.0, edge.1)]
    AlreadyOpen {
        /// The edge.
        edge: Edge,
    },
    /// Without the edge some nodes cannot be reached, and the agent cannot do without them.
    #[error(
        "without the edge between node {} and node {} the graph falls apart: node {cut_off} is cut \
         off from node 0",
        edge.0, edge.1
    )]
    CutsOff {
        /// The edge.
        edge: Edge,
        /// A node that could not be reached any more.
        cut_off: NodeId,
    },
}

/// What all walkers on one graph know.
#[derive(Debug, Clone)]
pub struct Field {
    map: Arc<Graph>,
    /// The map without the closed edges; the map itself while none is closed.
    open: Arc<Graph>,
    closed: BTreeSet<Edge>,
    estimates: Estimates,
    times: LearnedTimes,
}

impl Field {
    /// A field of which nothing is known but its map.
    pub fn new(map: impl Into<Arc<Graph>>) -> Self {
        let map = map.into();
        let estimates = Estimates::new(map.len());
        Self::seen(map, estimates)
    }

    /// A field on which this has been seen.
    ///
    /// # Panics
    /// When there is not one sample for every node.
    pub fn seen(map: impl Into<Arc<Graph>>, estimates: Estimates) -> Self {
        let map = map.into();
        assert_eq!(map.len(), estimates.samples().len(), "one sample for every node");
        let (closed, times) = (BTreeSet::new(), LearnedTimes::default());
        Self { open: Arc::clone(&map), map, closed, estimates, times }
    }

    /// The graph that can be walked: the map without the closed edges. It may have fallen apart. Its roads take what
    /// they are expected to: see [`times_of`](Self::times_of).
    #[inline]
    pub fn graph(&self) -> &Graph {
        &self.open
    }

    /// The whole map, closed edges included.
    pub fn map(&self) -> &Arc<Graph> {
        &self.map
    }

    /// The closed edges, the lower number of each first.
    pub fn closed(&self) -> &BTreeSet<Edge> {
        &self.closed
    }

    /// The nodes that cannot be reached from `at` while edges are closed, ascending.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn set_aside(&self, at: NodeId) -> Vec<NodeId> {
        if self.open.is_connected() {
            return Vec::new();
        }
        let mut reachable = self.open.within_reach(at).into_iter().peekable();
        self.map.nodes().filter(|node| reachable.next_if_eq(node).is_none()).collect()
    }

    /// Every reward so far.
    #[inline]
    pub fn estimates(&self) -> &Estimates {
        &self.estimates
    }

    #[inline]
    pub(crate) fn estimates_mut(&mut self) -> &mut Estimates {
        &mut self.estimates
    }

    /// The field as somebody on `at` sees it.
    #[inline]
    pub(crate) fn seen_from<'a>(&'a self, at: NodeId, clock: &'a Clock) -> Situation<'a> {
        Situation { graph: &self.open, at, estimates: &self.estimates, clock }
    }

    /// Somebody or something else was paid `reward` on `node`: a fixed sensor, say. Nobody moves,
    /// and no walker's time passes.
    ///
    /// # Errors
    /// When the node or the reward cannot be.
    pub fn observe(&mut self, node: NodeId, reward: f64) -> Result<(), FieldError> {
        self.check_node(node)?;
        self.check_rewards(node, &[reward])?;
        self.estimates.push(node, reward);
        Ok(())
    }

    /// Refuses a node that the graph does not have.
    pub(crate) fn check_node(&self, node: NodeId) -> Result<(), FieldError> {
        let last = self.map.len() as NodeId - 1;
        if node > last { Err(FieldError::UnknownNode { node, last }) } else { Ok(()) }
    }

    /// Refuses rewards that cannot be added up, and more of them than can be counted.
    pub(crate) fn check_rewards(&self, node: NodeId, rewards: &[f64]) -> Result<(), FieldError> {
        // False for what is not a number, too.
        let is_number = |reward: &&f64| reward.abs() <= MAX_MAGNITUDE;
        if let Some(&reward) = rewards.iter().find(|reward| !is_number(reward)) {
            return Err(FieldError::NonFiniteReward { node, reward });
        }
        self.check_count(rewards.len() as u64)
    }

    /// Refuses more visits than can be counted.
    pub(crate) fn check_count(&self, more: u64) -> Result<(), FieldError> {
        let visits = self.estimates.visits();
        if more > MAX_VISITS - visits {
            return Err(FieldError::TooManyVisits { visits, more });
        }
        Ok(())
    }

    /// What the field would be with this edge closed.
    pub(crate) fn closing(&self, edge: Edge) -> Result<OpenRoads, EdgeError> {
        let edge = self.existing(edge)?;
        let mut closed = self.closed.clone();
        if !closed.insert(edge) {
            return Err(EdgeError::AlreadyClosed { edge });
        }
        self.roads(closed)
    }

    /// What the field would be with this edge open again.
    pub(crate) fn opening(&self, edge: Edge) -> Result<OpenRoads, EdgeError> {
        let edge = self.existing(edge)?;
        let mut closed = self.closed.clone();
        if !closed.remove(&edge) {
            return Err(EdgeError::AlreadyOpen { edge });
        }
        self.roads(closed)
    }

    /// What the field would be with all of these edges closed and no others.
    pub(crate) fn closing_all(&self, edges: &BTreeSet<Edge>) -> Result<OpenRoads, EdgeError> {
        let mut closed = BTreeSet::new();
        for &edge in edges {
            closed.insert(self.existing(edge)?);
        }
        self.roads(closed)
    }

    pub(crate) fn change_roads(&mut self, roads: OpenRoads) {
        let has_roads = self.open.is_believed();
        (self.open, self.closed) = (roads.open, roads.closed);
        if has_roads {
            self.have_roads();
        }
        self.believe_all();
    }

    /// An edge as it is listed: the lower number first, or as the road runs.
    pub(crate) fn as_listed(&self, (a, b): Edge) -> Edge {
        if self.map.roads().is_some() { (a, b) } else { (a.min(b), a.max(b)) }
    }

    pub(crate) fn existing(&self, (a, b): Edge) -> Result<Edge, EdgeError> {
        let edge = self.as_listed((a, b));
        let is_edge = a != b && (a.max(b) as usize) < self.map.len() && self.map.allows(a, b);
        if is_edge { Ok(edge) } else { Err(EdgeError::NoSuchEdge { edge }) }
    }

    fn roads(&self, closed: BTreeSet<Edge>) -> Result<OpenRoads, EdgeError> {
        let open = if closed.is_empty() {
            Arc::clone(&self.map)
        } else {
            let edge = closed.last().copied().unwrap_or_default();
            let open = self.map.without(&closed);
            // The edges of a map that are left make a graph; only a defect could say otherwise.
            Arc::new(open.map_err(|_| EdgeError::NoSuchEdge { edge })?)
        };
        Ok(OpenRoads { open, closed })
    }
}

/// Which edges are open, before everybody has agreed to it.
#[derive(Debug)]
pub(crate) struct OpenRoads {
    pub(crate) open: Arc<Graph>,
    closed: BTreeSet<Edge>,
}

impl OpenRoads {
    /// Refuses to cut nodes off under an agent that must be able to reach them all.
    pub(crate) fn check(&self, (a, b): Edge, footing: Footing) -> Result<(), EdgeError> {
        let edge = if self.open.roads().is_some() { (a, b) } else { (a.min(b), a.max(b)) };
        match self.open.cut_off() {
            Some(cut_off) if footing != Footing::Parts => Err(EdgeError::CutsOff { edge, cut_off }),
            _ => Ok(()),
        }
    }
}
