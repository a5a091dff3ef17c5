//! The nearest wanted node of one walker, in steps.

use crate::graph::{Graph, NodeId};
use crate::team::Post;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

const NONE: NodeId = NodeId::MAX;

/// A search for the nearest node, with memory reused between searches.
#[derive(Debug, Clone, Default)]
pub(super) struct Nearest {
    /// The node before each node on the way to it.
    before: Vec<NodeId>,
    steps: Vec<u64>,
    layer: VecDeque<NodeId>,
    queue: BinaryHeap<Reverse<(u64, NodeId)>>,
}

impl Nearest {
    /// Fills in the path from the walker to the nearest node that `is_wanted`, over nodes where it
    /// may be; ties go to the lowest number. `false` if there is none.
    pub(super) fn path(
        &mut self,
        graph: &Graph,
        post: &Post,
        is_wanted: impl Fn(NodeId) -> bool,
        path: &mut Vec<NodeId>,
    ) -> bool {
        path.clear();
        let from = post.at();
        if is_wanted(from) {
            return true;
        }
        let found = if graph.roads().is_none() {
            self.by_hops(graph, post, is_wanted)
        } else {
            self.by_steps(graph, post, is_wanted)
        };
        let Some(mut node) = found else { return false };
        while node != from {
            path.push(node);
            node = self.before[node as usize];
        }
        path.reverse();
        true
    }

    fn by_hops(
        &mut self,
        graph: &Graph,
        post: &Post,
        is_wanted: impl Fn(NodeId) -> bool,
    ) -> Option<NodeId> {
        self.before.clear();
        self.before.resize(graph.len(), NONE);
        self.layer.clear();
        self.before[post.at() as usize] = post.at();
        self.layer.push_back(post.at());
        while !self.layer.is_empty() {
            let mut found = None;
            for _ in 0..self.layer.len() {
                let Some(node) = self.layer.pop_front() else { break };
                for &next in graph.neighborhood(node) {
                    if self.before[next as usize] == NONE && post.may_enter(next) {
                        self.before[next as usize] = node;
                        self.layer.push_back(next);
                        if is_wanted(next) && found.is_none_or(|found| next < found) {
                            found = Some(next);
                        }
                    }
                }
            }
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn by_steps(
        &mut self,
        graph: &Graph,
        post: &Post,
        is_wanted: impl Fn(NodeId) -> bool,
    ) -> Option<NodeId> {
        self.before.clear();
        self.before.resize(graph.len(), NONE);
        self.steps.clear();
        self.steps.resize(graph.len(), u64::MAX);
        self.queue.clear();
        self.steps[post.at() as usize] = 0;
        self.queue.push(Reverse((0, post.at())));
        while let Some(Reverse((steps, node))) = self.queue.pop() {
            if steps > self.steps[node as usize] {
                continue;
            }
            if is_wanted(node) {
                return Some(node);
            }
            for &next in graph.neighborhood(node) {
                if !post.may_enter(next) {
                    continue;
                }
                let there = steps + 1 + post.steps_on_road(graph, node, next);
                if there < self.steps[next as usize] {
                    self.steps[next as usize] = there;
                    self.before[next as usize] = node;
                    self.queue.push(Reverse((there, next)));
                }
            }
        }
        None
    }
}
