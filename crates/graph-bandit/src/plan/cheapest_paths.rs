//! Shortest paths to the best nodes with node costs (Algorithm 1), by Dijkstra's method.
//!
//! The cost of a step is that of the node entered, `a(s, s') = c(s')`. So every neighbour of a node
//! `v` gets the same offer, `price(v) = cost(v) + c(v)`, and a node's first offer, in order of
//! price, is its best: each node enters the queue once, and no price ever improves.

use super::node_set::NodeSet;
use super::price_buckets::PriceBuckets;
use super::price_queue::PriceQueue;
use super::road_search::{Heading, RoadCosts};
use super::{Policy, assert_one_per_node, costs, highest};
use crate::graph::{Graph, NodeId};

/// The cheapest next step from a reached node.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Label {
    pub(super) cost: f64,
    pub(super) next: NodeId,
}

/// Cheapest paths to a set of target nodes, with memory reused between searches.
#[derive(Debug, Clone, Default)]
pub struct CheapestPaths {
    pub(super) reached: NodeSet,
    /// Valid for reached nodes only; others are left over from earlier searches.
    pub(super) labels: Vec<Label>,
    pub(super) queue: PriceQueue,
    /// On roads that take time, the nodes that cannot get a better offer.
    pub(super) settled: NodeSet,
    /// The waiting nodes of a search by buckets.
    pub(super) buckets: PriceBuckets,
    /// The price of the last expanded node.
    price: f64,
}

impl CheapestPaths {
    /// Searches outward from `targets` until `until` is reached, or everywhere. Entering node `s`
    /// costs `entry_cost(s) >= 0`; entering a target costs nothing.
    ///
    /// Ties: a node with a positive entry cost goes to the next node of lowest number. A node that
    /// is free to enter (or whose cost is lost in rounding) goes to the one that the search reached
    /// first; the search always takes the cheapest and then lowest-numbered waiting node. Among
    /// free nodes, taking the lowest number could lead in a circle. A target leads to itself.
    ///
    /// On roads, time costs nothing here; see [`search_roads`](Self::search_roads).
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
        if graph.roads().is_some() {
            let costs = RoadCosts { entry: entry_cost, time: 0.0 };
            let there = (graph, Heading::There);
            self.search_roads(there, &costs, targets, |node| Some(node) == until);
            return;
        }
        let mut unreached = graph.len() - self.start(graph, targets);
        if until.is_some_and(|node| self.reached.contains(node)) {
            return;
        }
        let mut dearest = f64::INFINITY;
        while let Some((price, node)) = self.pop(graph) {
            // Nodes that cost more than the path from `until` are not part of it.
            if price > dearest {
                return;
            }
            let reached = self.expand(graph, &entry_cost, node, price);
            unreached -= reached.new.len();
            // Once all are reached, only other nodes of this price can offer anything: a lower
            // number.
            if unreached == 0 || until.is_some_and(|until| reached.new.contains(&until)) {
                dearest = dearest.min(price);
            }
            for &neighbor in reached.new {
                let beyond = price + entry_cost(neighbor);
                if beyond <= dearest {
                    reached.queue.push(beyond, neighbor);
                }
            }
        }
    }

    /// Resets the search; the targets are reached and wait. Returns the number of targets.
    pub(super) fn start(
        &mut self,
        graph: &Graph,
        targets: impl IntoIterator<Item = NodeId>,
    ) -> usize {
        let mut count = 0;
        self.reached.start(graph.len());
        self.queue.drain(|_, _| ());
        self.labels.resize(graph.len(), Label::default());
        self.price = f64::NEG_INFINITY;
        for target in targets {
            if self.reached.insert(target) {
                self.labels[target as usize] = Label { cost: 0.0, next: target };
                self.queue.push(0.0, target);
                count += 1;
            }
        }
        count
    }

    /// The next node to expand and its price.
    #[inline]
    pub(super) fn pop(&mut self, graph: &Graph) -> Option<(f64, NodeId)> {
        pop(&mut self.queue, &self.reached, graph)
    }

    /// Offers `price` to the neighbours of `node`; returns those that got their first offer and
    /// must be queued.
    #[inline]
    pub(super) fn expand(
        &mut self,
        graph: &Graph,
        entry_cost: impl Fn(NodeId) -> f64,
        node: NodeId,
        price: f64,
    ) -> Expanded<'_> {
        let row = graph.neighborhood(node);
        // A node reached at this price was reached just before, by a node of this price.
        if price == self.price {
            for &neighbor in row {
                let label = &mut self.labels[neighbor as usize];
                if self.reached.contains(neighbor)
                    && node < label.next
                    && label.next != neighbor
                    && price == label.cost
                    && price + entry_cost(neighbor) > price
                {
                    // A node that is free to enter passes on the price it was offered, and later
                    // than the node that offered it. Entering the neighbour is not free, so no path
                    // from `node` leads over it, and the new next node closes no cycle.
                    label.next = node;
                }
            }
        }
        self.price = price;
        let new = self.reached.insert_all(row);
        for &neighbor in new {
            self.labels[neighbor as usize] = Label { cost: price, next: node };
        }
        Expanded { new, queue: &mut self.queue }
    }

    /// The next node on the cheapest path from `node`; itself on a target.
    ///
    /// # Panics
    /// When the search did not reach `node`.
    #[inline]
    pub fn next(&self, node: NodeId) -> NodeId {
        assert!(self.reached.contains(node), "the search reached the node");
        self.labels[node as usize].next
    }

    /// The cost of the cheapest path from `node`, without its own cost; infinite if the search did
    /// not reach it.
    #[inline]
    pub fn cost(&self, node: NodeId) -> f64 {
        if self.reached.contains(node) { self.labels[node as usize].cost } else { f64::INFINITY }
    }

    /// Appends the nodes after `node` on its path.
    pub(crate) fn follow(&self, node: NodeId, path: &mut Vec<NodeId>) {
        let mut node = node;
        while self.is_reached(node) && self.next(node) != node {
            node = self.next(node);
            path.push(node);
        }
    }

    /// Whether the search started at `node`: such a node is free to enter.
    #[inline]
    pub(super) fn is_target(&self, node: NodeId) -> bool {
        self.reached.contains(node) && self.labels[node as usize].next == node
    }

    #[inline]
    pub(super) fn is_reached(&self, node: NodeId) -> bool {
        self.reached.contains(node)
    }

    pub(super) fn queue(&mut self) -> &mut PriceQueue {
        &mut self.queue
    }
}

/// The result of expanding a node.
pub(super) struct Expanded<'a> {
    /// The neighbours not reached before.
    pub(super) new: &'a [NodeId],
    /// Where to queue them.
    pub(super) queue: &'a mut PriceQueue,
}

/// The next node of a search that has reached `reached`, and its price.
///
/// Skips a waiting node if cheaper nodes have already reached all of its neighbours: it has nothing
/// to offer.
#[inline]
pub(super) fn pop(
    queue: &mut PriceQueue,
    reached: &NodeSet,
    graph: &Graph,
) -> Option<(f64, NodeId)> {
    // Rows read in sequence, with nothing in between that depends on them, are fetched from memory
    // in parallel.
    let mut read = 0;
    let fetch = |node| {
        let row = graph.neighborhood(node);
        read ^= row[0] ^ row[row.len() - 1];
    };
    let is_of_use = |node| !reached.contains_all(graph.neighborhood(node));
    let popped = queue.pop(fetch, is_of_use);
    std::hint::black_box(read);
    popped
}

/// `pi_SP` of Algorithm 1: the policy of least `R_infinity`, and that cost from every node.
///
/// On roads a unit of travel time costs `max(mu*, 0)`; for ties, see
/// [`CheapestPaths::search_roads`].
///
/// All nodes of the highest mean are targets, so every other node costs something to enter, and
/// ties go to the lowest-numbered next node. For costs lost in rounding, see
/// [`CheapestPaths::search`].
///
/// # Panics
/// When there is not one mean per node.
pub fn shortest_path(graph: &Graph, means: &[f64]) -> (Policy, Vec<f64>) {
    assert_one_per_node(graph, means);
    let costs = costs(means);
    let targets = graph.nodes().filter(|&s| costs[s as usize] == 0.0);
    let mut paths = CheapestPaths::default();
    if graph.roads().is_some() {
        let toll =
            RoadCosts { entry: |s: NodeId| costs[s as usize], time: highest(means).max(0.0) };
        paths.search_all_roads((graph, Heading::There), &toll, targets);
    } else {
        paths.search(graph, |s| costs[s as usize], targets, None);
    }
    let next = graph.nodes().map(|s| paths.next(s)).collect();
    (Policy::trusted(next), graph.nodes().map(|s| paths.cost(s)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_round_a_costly_node() {
        // 0-1-2 is short but expensive, 0-3-4-2 long and cheap.
        let graph = Graph::from_edges(5, [(0, 1), (1, 2), (0, 3), (3, 4), (4, 2)]).unwrap();
        let (policy, cost) = shortest_path(&graph, &[0.5, 0.0, 1.0, 0.75, 0.75]);
        assert_eq!(policy.path(0), [3, 4, 2]);
        assert_eq!(cost, [0.5, 0.0, 0.0, 0.25, 0.0]);
    }

    #[test]
    fn ties_go_to_the_lowest_number_even_through_free_nodes() {
        // From 1, both 5 and 3 cost the same: 5 leads to the target, and 3, free to enter, to 5.
        let edges = [(0, 2), (2, 4), (0, 5), (5, 1), (5, 3), (3, 1)];
        let graph = Graph::from_edges(6, edges).unwrap();
        let costs = [0.0, 1.0, 9.0, 0.0, 9.0, 0.5];
        for until in [None, Some(1)] {
            let mut paths = CheapestPaths::default();
            paths.search(&graph, |s| costs[s as usize], [0], until);
            assert_eq!((paths.next(1), paths.next(3), paths.next(5)), (3, 5, 0));
            assert_eq!(paths.cost(1), 0.5);
        }
        // A ring of free nodes still leads out.
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
