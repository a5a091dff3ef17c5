//! What is known: the graph without its closed edges, and the totals of every reward so far.
//!
//! A field does not belong to a walker. Several walkers may share one: each learns from every
//! report, whether by a walker or by somebody else. Closed edges may cut nodes off from a walker.
//! Such nodes are set aside and their estimates kept until an edge opens.

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

/// Two nodes joined by an edge, the lower number first; if roads run one way or take time, a
/// directed road.
pub type Edge = (NodeId, NodeId);

/// Why a report about a node was refused; nothing changed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FieldError {
    /// The graph does not have this node.
    #[error("node {node} is outside the graph; the nodes are 0 to {last}")]
    UnknownNode {
        /// The node reported.
        node: NodeId,
        /// The highest node number.
        last: NodeId,
    },
    /// The reward is not a number, or its square is too large.
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
    /// There are more visits than can be counted exactly.
    #[error("{more} more visits after {visits} are too many; the limit is {MAX_VISITS}")]
    TooManyVisits {
        /// The visits so far.
        visits: u64,
        /// The visits reported.
        more: u64,
    },
    /// The step took less time than the visit at its end, or the time is too long or not a number.
    #[error(
        "the step to node {node} took {took}; give the whole time of the step in units of one \
         visit, from 1 to {}", 1.0 + MAX_TRAVEL
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
    /// The graph does not have this edge.
    #[error("there is no edge between node {} and node {}", edge.0, edge.1)]
    NoSuchEdge {
        /// The edge.
        edge: Edge,
    },
    /// The edge is already closed.
    #[error("the edge between node {} and node {} is closed already", edge.0, edge.1)]
    AlreadyClosed {
        /// The edge.
        edge: Edge,
    },
    /// The edge is already open.
    #[error("the edge between node {} and node {} is open already", edge.0, edge.1)]
    AlreadyOpen {
        /// The edge.
        edge: Edge,
    },
    /// Without the edge some nodes are unreachable, and the agent needs them.
    #[error(
        "without the edge between node {} and node {} the graph falls apart: node {cut_off} is cut \
         off from node 0",
        edge.0, edge.1
    )]
    CutsOff {
        /// The edge.
        edge: Edge,
        /// A node that would be unreachable.
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
    /// A field with a map and no rewards yet.
    pub fn new(map: impl Into<Arc<Graph>>) -> Self {
        let map = map.into();
        let estimates = Estimates::new(map.len());
        Self::seen(map, estimates)
    }

    /// A field with these estimates.
    ///
    /// # Panics
    /// When there is not one sample for every node.
    pub fn seen(map: impl Into<Arc<Graph>>, estimates: Estimates) -> Self {
        let map = map.into();
        assert_eq!(map.len(), estimates.samples().len(), "one sample for every node");
        let (closed, times) = (BTreeSet::new(), LearnedTimes::default());
        Self { open: Arc::clone(&map), map, closed, estimates, times }
    }

    /// The graph to walk: the map without the closed edges. It may be disconnected. Its roads take
    /// their expected times; see [`times_of`](Self::times_of).
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

    /// The nodes unreachable from `at` while edges are closed, ascending.
    ///
    /// # Panics
    /// When the graph does not have this node.
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

    /// The field as seen from `at`.
    #[inline]
    pub(crate) fn seen_from<'a>(&'a self, at: NodeId, clock: &'a Clock) -> Situation<'a> {
        Situation { graph: &self.open, at, estimates: &self.estimates, clock }
    }

    /// Records a `reward` on `node` collected by somebody or something else, such as a fixed
    /// sensor. No walker moves, and no time passes.
    ///
    /// # Errors
    /// When the node does not exist or the reward is invalid.
    pub fn observe(&mut self, node: NodeId, reward: f64) -> Result<(), FieldError> {
        self.check_node(node)?;
        self.check_rewards(node, &[reward])?;
        self.estimates.push(node, reward);
        Ok(())
    }

    /// Checks that the graph has this node.
    pub(crate) fn check_node(&self, node: NodeId) -> Result<(), FieldError> {
        let last = self.map.len() as NodeId - 1;
        if node > last { Err(FieldError::UnknownNode { node, last }) } else { Ok(()) }
    }

    /// Checks that these rewards can be added up and counted.
    pub(crate) fn check_rewards(&self, node: NodeId, rewards: &[f64]) -> Result<(), FieldError> {
        // False for NaN, too.
        let is_number = |reward: &&f64| reward.abs() <= MAX_MAGNITUDE;
        if let Some(&reward) = rewards.iter().find(|reward| !is_number(reward)) {
            return Err(FieldError::NonFiniteReward { node, reward });
        }
        self.check_count(rewards.len() as u64)
    }

    /// Checks that these visits can be counted.
    pub(crate) fn check_count(&self, more: u64) -> Result<(), FieldError> {
        let visits = self.estimates.visits();
        if more > MAX_VISITS - visits {
            return Err(FieldError::TooManyVisits { visits, more });
        }
        Ok(())
    }

    /// The roads of the field with this edge closed.
    pub(crate) fn closing(&self, edge: Edge) -> Result<OpenRoads, EdgeError> {
        let edge = self.existing(edge)?;
        let mut closed = self.closed.clone();
        if !closed.insert(edge) {
            return Err(EdgeError::AlreadyClosed { edge });
        }
        self.roads(closed)
    }

    /// The roads of the field with this edge open again.
    pub(crate) fn opening(&self, edge: Edge) -> Result<OpenRoads, EdgeError> {
        let edge = self.existing(edge)?;
        let mut closed = self.closed.clone();
        if !closed.remove(&edge) {
            return Err(EdgeError::AlreadyOpen { edge });
        }
        self.roads(closed)
    }

    /// The roads of the field with exactly these edges closed.
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
            self.ensure_roads();
        }
        self.believe_all();
    }

    /// The listed form of an edge: the lower number first, or the direction of the road.
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
            // The remaining edges of a map always form a graph; only a bug could break this.
            Arc::new(open.map_err(|_| EdgeError::NoSuchEdge { edge })?)
        };
        Ok(OpenRoads { open, closed })
    }
}

/// Open edges, before the agent has agreed to them.
#[derive(Debug)]
pub(crate) struct OpenRoads {
    pub(crate) open: Arc<Graph>,
    closed: BTreeSet<Edge>,
}

impl OpenRoads {
    /// Refuses to cut nodes off if the agent needs them all.
    pub(crate) fn check(&self, (a, b): Edge, footing: Footing) -> Result<(), EdgeError> {
        let edge = if self.open.roads().is_some() { (a, b) } else { (a.min(b), a.max(b)) };
        match self.open.cut_off() {
            Some(cut_off) if footing != Footing::Parts => Err(EdgeError::CutsOff { edge, cut_off }),
            _ => Ok(()),
        }
    }
}
