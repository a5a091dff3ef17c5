//! The best allocation so far: how many walkers it has on each node, and whose seats these are.

use super::Planned;
use crate::graph::NodeId;

/// The best allocation under the means so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Settled {
    /// How many walkers it has on each node.
    counts: Vec<u32>,
    /// The seat of each walker, if some are confined to some nodes; otherwise, walkers are all alike.
    pub(super) seats: Vec<NodeId>,
}

impl Settled {
    pub(super) fn count(&mut self, places: &[NodeId], nodes: usize) {
        self.seats.clear();
        self.counts.clear();
        self.counts.resize(nodes, 0);
        for &place in places {
            self.counts[place as usize] += 1;
        }
    }

    pub(super) fn on(&self, node: NodeId) -> usize {
        self.counts[node as usize] as usize
    }

    /// How many of those whose home is `home` may be on `node`, the walker itself included.
    pub(super) fn may_move(&self, of: Planned<'_>, home: NodeId, node: NodeId) -> usize {
        let Planned { now, walker, .. } = of;
        if self.seats.is_empty() {
            return self.on(home).max(1);
        }
        let is_mate = |(other, &seat): (usize, &NodeId)| {
            other != walker && seat == home && now.allows(other, node)
        };
        1 + self.seats.iter().enumerate().filter(|&seat| is_mate(seat)).count()
    }
}
