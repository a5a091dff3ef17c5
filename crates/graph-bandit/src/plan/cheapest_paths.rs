//! Shortest paths to the best nodes with node costs (Algorithm 1), by Dijkstra's method.
//!
//! The cost of a step is that of the node entered, `a(s, s') = c(s')`. So every neighbour of a node
//! `v` is offered the same price, `price(v) = cost(v) + c(v)`, and the first offer a node gets, in
//! order of price, is its best: each node enters the queue once, and no entry is ever improved.

use super::{Policy, assert_one_per_node, costs};
use crate::graph::{Graph, NodeId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const UNKNOWN: f64 = f64::INFINITY;

/// Cheapest paths to a set of target nodes, with memory that is reused from search to search.
#[derive(Debug, Clone, Default)]
pub struct CheapestPaths {
    cost: Vec<f64>,
    next: Vec<NodeId>,
    reached: Vec<NodeId>,
    /// Prices are never negative, so their bits are ordered as they are.
    queue: BinaryHeap<Reverse<(u64, NodeId)>>,
}

impl CheapestPaths {
    /// Searches outward from `targets` until `until` is reached, or everywhere; entering node `s`
    /// costs `entry_cost(s)`, not negative, and nothing for the targets.
    ///
    /// Of equally cheap next nodes the lowest number is taken; of those that cost nothing to enter,
    /// the one found first, so that no path goes round in a circle.
    ///
    /// # Complexity
    /// O(e + n log n) for the n nodes and e edges nearer to the targets than `until`.
    pub fn search(
        &mut self,
        graph: &Graph,
        entry_cost: impl Fn(NodeId) -> f64,
        targets: impl IntoIterator<Item = NodeId>,
        until: Option<NodeId>,
    ) {
        self.forget(graph.len());
        for target in targets {
            if self.offer(target, target, 0.0) {
                self.queue.push(Reverse((0, target)));
            }
        }
        if until.is_some_and(|node| self.next[node as usize] != NodeId::MAX) {
            return;
        }
        while let Some(Reverse((price, node))) = self.queue.pop() {
            let price = f64::from_bits(price);
            for &neighbor in graph.neighborhood(node) {
                if self.offer(neighbor, node, price) {
                    if Some(neighbor) == until {
                        return;
                    }
                    let beyond = price + entry_cost(neighbor);
                    self.queue.push(Reverse((beyond.to_bits(), neighbor)));
                }
            }
        }
    }

    /// Takes the first offer for `node`.
    #[inline]
    fn offer(&mut self, node: NodeId, next: NodeId, cost: f64) -> bool {
        let first = self.next[node as usize] == NodeId::MAX;
        if first {
            self.next[node as usize] = next;
            self.cost[node as usize] = cost;
            self.reached.push(node);
        }
        first
    }

    fn forget(&mut self, nodes: usize) {
        self.queue.clear();
        if self.next.len() == nodes {
            for node in self.reached.drain(..) {
                self.next[node as usize] = NodeId::MAX;
                self.cost[node as usize] = UNKNOWN;
            }
        } else {
            self.next = vec![NodeId::MAX; nodes];
            self.cost = vec![UNKNOWN; nodes];
            self.reached.clear();
        }
    }

    /// The next node on the cheapest path from `node`; itself on a target.
    ///
    /// # Panics
    /// When the search did not reach `node`.
    #[inline]
    pub fn next(&self, node: NodeId) -> NodeId {
        let next = self.next[node as usize];
        assert_ne!(next, NodeId::MAX, "the search reached the node");
        next
    }

    /// The cost of the cheapest path from `node`, its own cost not counted; infinite when the
    /// search did not reach it.
    pub fn cost(&self, node: NodeId) -> f64 {
        self.cost[node as usize]
    }
}

/// `pi_SP` of Algorithm 1: the policy of least `R_infinity`, and that cost from every node.
///
/// All nodes of the highest mean are targets. Of equally cheap next nodes the lowest number is
/// taken.
///
/// # Panics
/// When there is not one mean per node.
pub fn shortest_path(graph: &Graph, means: &[f64]) -> (Policy, Vec<f64>) {
    assert_one_per_node(graph, means);
    let costs = costs(means);
    let targets = graph.nodes().filter(|&s| costs[s as usize] == 0.0);
    let mut paths = CheapestPaths::default();
    paths.search(graph, |s| costs[s as usize], targets, None);
    (Policy::trusted(paths.next), paths.cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_round_a_costly_node() {
        // 0-1-2 is short but dear, 0-3-4-2 long and cheap.
        let graph = Graph::from_edges(5, [(0, 1), (1, 2), (0, 3), (3, 4), (4, 2)]).unwrap();
        let (policy, cost) = shortest_path(&graph, &[0.5, 0.0, 1.0, 0.75, 0.75]);
        assert_eq!(policy.path(0), [3, 4, 2]);
        assert_eq!(cost, [0.5, 0.0, 0.0, 0.25, 0.0]);
    }

    #[test]
    fn stops_early_with_the_same_path() {
        let line = Graph::from_edges(5, (0..4).map(|i| (i, i + 1))).unwrap();
        let mut paths = CheapestPaths::default();
        paths.search(&line, |_| 1.0, [0], Some(2));
        assert_eq!((paths.next(2), paths.next(1), paths.next(0)), (1, 0, 0));
        assert_eq!(paths.cost(4), f64::INFINITY);
        paths.search(&line, |_| 1.0, [4], Some(4));
        assert_eq!(paths.next(4), 4);
    }
}
