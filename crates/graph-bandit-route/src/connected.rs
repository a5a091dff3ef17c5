//! Whether a path leads from start to goal.

use crate::trip::Trip;
use graph_bandit::NodeId;

/// A search for the goal that reuses its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reach {
    /// The last search that saw each node.
    seen: Vec<u32>,
    search: u32,
    stack: Vec<NodeId>,
}

impl Reach {
    /// Whether open roads lead from start to goal.
    pub(crate) fn connects(&mut self, trip: &Trip, is_open: impl Fn(usize) -> bool) -> bool {
        let network = trip.network();
        if self.seen.len() != network.nodes() || self.search == u32::MAX {
            self.seen = vec![0; network.nodes()];
            self.search = 0;
        }
        self.search += 1;
        self.stack.clear();
        self.stack.push(trip.start());
        self.seen[trip.start() as usize] = self.search;
        while let Some(node) = self.stack.pop() {
            if node == trip.goal() {
                return true;
            }
            for step in network.leaving(node) {
                let seen = &mut self.seen[step.node as usize];
                if *seen != self.search && is_open(step.road as usize) {
                    *seen = self.search;
                    self.stack.push(step.node);
                }
            }
        }
        false
    }
}
