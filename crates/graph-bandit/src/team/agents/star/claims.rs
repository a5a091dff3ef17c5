//! What the other walkers have taken: the nodes that they are going to, will look at, or have their home on.

use crate::graph::NodeId;

/// How many others are going to each node or have their home there.
#[derive(Debug, Clone, Default)]
pub(super) struct Claims {
    counts: Vec<u32>,
    nodes: Vec<NodeId>,
    /// Who else will look at each node.
    pub(super) looks: Vec<Looks>,
    pub(super) looked_at: Vec<NodeId>,
}

/// Who besides the walker will look at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Looks {
    #[default]
    Nobody,
    /// Somebody stands there without an order: it will look there first, if it ever asks.
    WhoeverStandsThere,
    /// Somebody has an order that leads there.
    WhoeverIsSent,
}

impl Claims {
    pub(super) fn clear(&mut self, nodes: usize) {
        self.counts.resize(nodes, 0);
        self.looks.resize(nodes, Looks::Nobody);
        for node in self.nodes.drain(..) {
            self.counts[node as usize] = 0;
        }
        for node in self.looked_at.drain(..) {
            self.looks[node as usize] = Looks::Nobody;
        }
    }

    pub(super) fn add(&mut self, node: NodeId) {
        self.counts[node as usize] += 1;
        self.nodes.push(node);
    }

    pub(super) fn look(&mut self, looks: Looks, nodes: &[NodeId]) {
        for &node in nodes {
            let known = &mut self.looks[node as usize];
            *known = looks.max(*known);
            self.looked_at.push(node);
        }
    }

    #[inline]
    pub(super) fn of(&self, node: NodeId) -> usize {
        self.counts[node as usize] as usize
    }
}
