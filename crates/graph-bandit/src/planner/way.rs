//! A plan that is one path: where to go from each of its nodes.

use crate::graph::NodeId;

/// A path, and the next node of each on it.
#[derive(Debug, Clone, Default)]
pub(super) struct Way {
    /// The nodes to enter in turn.
    pub(super) path: Vec<NodeId>,
    /// Of the nodes on the path; of others it is what earlier paths left behind.
    next: Vec<NodeId>,
}

impl Way {
    /// Makes `path`, walked from `at`, the plan.
    pub(super) fn lay(&mut self, at: NodeId, nodes: usize) {
        self.next.resize(nodes, 0);
        let mut from = at;
        for &to in &self.path {
            self.next[from as usize] = to;
            from = to;
        }
        self.next[from as usize] = from;
    }

    /// The next node on the way from `node`, which is on it; itself at the end.
    #[inline]
    pub(super) fn next(&self, node: NodeId) -> NodeId {
        self.next[node as usize]
    }
}
