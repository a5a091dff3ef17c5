//! Shortest paths to the best nodes with node costs (Algorithm 1), by Dijkstra's method.
//!
//! The cost of a step is that of the node entered, `a(s, s') = c(s')`. So every neighbour of a node
//! `v` is offered the same price, `price(v) = cost(v) + c(v)`, and the first offer a node gets, in
//! order of price, is its best: each node enters the queue once, and no price is ever improved.

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
    /// Of equally cheap next nodes, a node that costs something to enter goes to the one of lowest
    /// number. A node free to enter (or so cheap that its cost is lost in rounding) goes to the one
    /// that the search came to first, each time the cheapest and then the lowest number of those
    /// waiting: among free nodes the lowest number of all could lead round in a circle. A target
    /// goes nowhere.
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
        // What is dearer than the way from `until` is no part of it.
        let dearest = |cost: &[f64]| until.map_or(UNKNOWN, |node| cost[node as usize]);
        while let Some(Reverse((price, node))) = self.queue.pop() {
            let price = f64::from_bits(price);
            if price > dearest(&self.cost) {
                return;
            }
            for &neighbor in graph.neighborhood(node) {
                if self.offer(neighbor, node, price) {
                    let beyond = price + entry_cost(neighbor);
                    if beyond <= dearest(&self.cost) {
                        self.queue.push(Reverse((beyond.to_bits(), neighbor)));
                    }
                } else if node < self.next[neighbor as usize]
                    && price == self.cost[neighbor as usize]
                    && price + entry_cost(neighbor) > price
                {
                    // A node that is free to enter passes on the price it was offered, and later
                    // than the one that offered it. Entering the neighbour is not free, so no way
                    // from `node` leads over it, and the new next node closes no circle.
                    self.next[neighbor as usize] = node;
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
/// All nodes of the highest mean are targets, so every other node costs something to enter, and of
/// equally cheap next nodes the lowest number is taken; see [`CheapestPaths::search`] for costs so
/// small that they are lost in rounding.
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
    fn ties_go_to_the_lowest_number_even_through_free_nodes() {
        // From 1 both 5 and 3 cost as much: 5 leads to the target, and 3, free to enter, to 5.
        let edges = [(0, 2), (2, 4), (0, 5), (5, 1), (5, 3), (3, 1)];
        let graph = Graph::from_edges(6, edges).unwrap();
        let costs = [0.0, 1.0, 9.0, 0.0, 9.0, 0.5];
        for until in [None, Some(1)] {
            let mut paths = CheapestPaths::default();
            paths.search(&graph, |s| costs[s as usize], [0], until);
            assert_eq!((paths.next(1), paths.next(3), paths.next(5)), (3, 5, 0));
            assert_eq!(paths.cost(1), 0.5);
        }
        // A circle of free nodes leads out of itself all the same.
        let edges = [(0, 5), (5, 1), (1, 2), (2, 3), (3, 1), (3, 5)];
        let graph = Graph::from_edges(6, edges.into_iter().chain([(4, 0)])).unwrap();
        let mut paths = CheapestPaths::default();
        paths.search(&graph, |s| if s == 5 { 1.0 } else { 0.0 }, [0], None);
        let steps = [paths.next(1), paths.next(2), paths.next(3), paths.next(5)];
        assert_eq!(steps, [5, 1, 5, 0]);
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
