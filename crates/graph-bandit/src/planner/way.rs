//! A plan that is one path: the next node of each node on it.

use crate::agent::Situation;
use crate::graph::NodeId;
use crate::plan::CheapestPaths;

/// A path, and the next node of each node on it.
#[derive(Debug, Clone, Default)]
pub(super) struct Way {
    /// The nodes to enter in order.
    pub(super) path: Vec<NodeId>,
    /// Valid for nodes on the path; others are left over from earlier paths.
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

    /// Makes the path to `node` the plan that a search from `now.at` found.
    pub(super) fn lay_back(&mut self, now: &Situation<'_>, out: &CheapestPaths, node: NodeId) {
        self.path.clear();
        let mut on_way = node;
        while on_way != now.at {
            self.path.push(on_way);
            on_way = out.next(on_way);
        }
        self.path.reverse();
        self.lay(now.at, now.graph.len());
    }

    /// The node after `node` on the path; the last node is followed by itself.
    #[inline]
    pub(super) fn next(&self, node: NodeId) -> NodeId {
        self.next[node as usize]
    }
}
