//! Changes during a race. Rewards that change will be another kind beside roads.

use graph_bandit::{Edge, Graph, NodeId};
use serde::{Deserialize, Serialize};

/// A change, and when it happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// When it happens, in steps; in units of time if roads take time.
    pub t: u64,
    /// What changes.
    #[serde(flatten)]
    pub what: RoadChange,
}

/// A road closes or opens, in every direction it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RoadChange {
    /// The road between two nodes closes.
    Close([NodeId; 2]),
    /// It opens again.
    Open([NodeId; 2]),
}

impl RoadChange {
    /// The nodes that the road joins, the lower number first.
    pub fn ends(self) -> Edge {
        let (Self::Close([a, b]) | Self::Open([a, b])) = self;
        (a.min(b), a.max(b))
    }
}

/// The road between two nodes as a walker's field knows it: an edge, or the roads of both directions.
pub(crate) fn edges_between(graph: &Graph, (a, b): Edge) -> Vec<Edge> {
    let there = |&(from, to): &Edge| from != to && graph.allows(from, to);
    if graph.roads().is_none() {
        return [(a, b)].into_iter().filter(there).collect();
    }
    [(a, b), (b, a)].into_iter().filter(there).collect()
}
