//! What changes during a race. Rewards that change will be another kind beside roads.

use graph_bandit::{Edge, Graph, NodeId};
use serde::{Deserialize, Serialize};

/// A change, and when it happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// After so many steps; units of time, where roads take any.
    pub t: u64,
    /// What happens.
    #[serde(flatten)]
    pub what: RoadChange,
}

/// A road closes or opens, in both directions where it has both.
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

/// What the field of a walker calls the road between two nodes: an edge, or the roads of both directions.
pub(crate) fn edges_between(graph: &Graph, (a, b): Edge) -> Vec<Edge> {
    let there = |&(from, to): &Edge| from != to && graph.allows(from, to);
    if graph.roads().is_none() {
        return [(a, b)].into_iter().filter(there).collect();
    }
    [(a, b), (b, a)].into_iter().filter(there).collect()
}
