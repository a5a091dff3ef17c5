//! The order in which sweeps visit nodes: that of a closed walk through all of them.

use crate::cover::closed_walk;
use crate::graph::{Graph, NodeId, Roads};

/// The nodes in the order of a closed walk. Whoever visits nodes in this order, from anywhere, and
/// takes the fastest path to each, is back before the walk would be.
#[derive(Debug, Clone)]
pub(super) struct Round {
    order: Vec<NodeId>,
    place: Vec<u32>,
    /// The roads it was made for: their expected times may change between legs.
    roads: Option<Roads>,
}

impl Round {
    pub(super) fn of(graph: &Graph) -> Self {
        let mut place = vec![u32::MAX; graph.len()];
        let mut order = Vec::with_capacity(graph.len());
        // The walk starts where it ends.
        for node in std::iter::once(0).chain(closed_walk(graph)) {
            let place = &mut place[node as usize];
            if *place == u32::MAX {
                *place = order.len() as u32;
                order.push(node);
            }
        }
        Self { order, place, roads: graph.roads().cloned() }
    }

    /// Whether the roads of `graph` take as long as when the round was made.
    pub(super) fn fits(&self, graph: &Graph) -> bool {
        self.roads.as_ref() == graph.roads()
    }

    /// The first of the `wanted` nodes from `at` on, `at` included.
    pub(super) fn next(&self, at: NodeId, wanted: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let (before, from_here) = self.order.split_at(self.place[at as usize] as usize);
        from_here.iter().chain(before).copied().find(|&node| wanted(node))
    }
}
