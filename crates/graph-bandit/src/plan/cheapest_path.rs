//! The cheapest path from one node to the nearest target (Algorithm 1), searched from both ends.
//!
//! The search from the targets is that of [`CheapestPaths`]. The search from the start gives every
//! node it reaches the cost `f(v)` of getting there, `v` included. All paths into `v` end with the
//! same `c(v)`, so here too the first offer is the best. Both stop when no cheaper path between
//! them is possible. Then the first search continues alone, only over nodes on paths about as cheap
//! as the best one: few more than those of the path itself.
//!
//! The path is the one that [`CheapestPaths::search`] finds, including ties and rounding. Let `I`
//! contain the start and, for every node `w` of `I` that is not a target, all neighbours `v` with
//! `price(v) = cost(w)`; one of them is the next node. The path lies in `I`.
//! - Nodes of `I` are never skipped. Along a chain of them the entry costs add up, rounded, to the
//!   cost from the start, so `f(v) + cost(v)` equals the best path's cost up to the rounding of
//!   sums of at most |S| terms, which the limit allows for. A node not reached from the start costs
//!   at least that search's radius plus its own cost. A node not expanded from the start because no
//!   path through it is within the limit does not lead to any node of `I` still to be expanded.
//! - Skipped nodes change nothing in `I`: a neighbour of `w` outside `I` costs more than `cost(w)`,
//!   and even more if it lost offers. So nodes of `I` get their first offer from nodes of `I`, wait
//!   from the same moment on, and come out in the same order.

use super::CheapestPaths;
use super::cheapest_paths::pop;
use super::node_set::NodeSet;
use super::price_queue::PriceQueue;
use crate::graph::{Graph, NodeId};

/// Below this many nodes two searches cost more than they save.
pub(super) const SMALL: usize = 200;

/// The cheapest path from a node to a set of target nodes, with reused memory.
#[derive(Debug, Clone, Default)]
pub struct CheapestPath {
    pub(super) to_target: CheapestPaths,
    /// The search from the start, along roads.
    pub(super) by_road: CheapestPaths,
    from_start: FromStart,
    /// The remaining waiting nodes while they are filtered.
    kept: Vec<(f64, NodeId)>,
    pub(super) path: Vec<NodeId>,
}

/// The search from the start.
#[derive(Debug, Clone, Default)]
struct FromStart {
    reached: NodeSet,
    /// `f(v)` of the reached nodes.
    cost: Vec<f64>,
    queue: PriceQueue,
    /// All nodes of lower `f(v)` are expanded.
    radius: f64,
}

/// The cheapest path known, and how much more expensive a path may look because of rounding.
struct Limit {
    best: f64,
    slack: f64,
}

impl Limit {
    fn note(&mut self, cost: f64) {
        self.best = self.best.min(cost);
    }

    /// Whether a path that costs at least `cost` may be the cheapest.
    fn admits(&self, cost: f64) -> bool {
        cost <= self.best * self.slack
    }
}

impl CheapestPath {
    /// The nodes entered on the cheapest path from `from` to one of `targets`, without `from`: the
    /// nodes that [`CheapestPaths::next`] leads to, with the same costs and ties. Empty if `from`
    /// is a target or there is none. Entering a target costs nothing, whatever `entry_cost` says.
    ///
    /// # Complexity
    /// O(e + n log n) for the n nodes and e edges within half the distance of the targets or of
    /// `from`. `entry_cost` is called at most twice per node, except for equal prices.
    pub fn find(
        &mut self,
        graph: &Graph,
        entry_cost: impl Fn(NodeId) -> f64,
        targets: impl IntoIterator<Item = NodeId>,
        from: NodeId,
    ) -> &[NodeId] {
        if graph.len() < SMALL || graph.roads().is_some() {
            self.to_target.search(graph, entry_cost, targets, Some(from));
        } else {
            self.search_from_both_ends(graph, entry_cost, targets, from);
        }
        self.path.clear();
        self.to_target.follow(from, &mut self.path);
        &self.path
    }

    /// The node after `node` on the last path found; the target at its end is followed by itself.
    ///
    /// # Panics
    /// When `node` is neither on the path nor its start; it may then also return any neighbour.
    #[inline]
    pub fn next(&self, node: NodeId) -> NodeId {
        self.to_target.next(node)
    }

    /// The cost of the rest of the path from `node`, without its own cost.
    ///
    /// # Panics
    /// See [`next`](Self::next).
    #[inline]
    pub fn cost(&self, node: NodeId) -> f64 {
        self.to_target.cost(node)
    }

    fn search_from_both_ends(
        &mut self,
        graph: &Graph,
        entry_cost: impl Fn(NodeId) -> f64,
        targets: impl IntoIterator<Item = NodeId>,
        from: NodeId,
    ) {
        self.to_target.start(graph, targets);
        if self.to_target.is_reached(from) {
            return;
        }
        self.from_start.start(graph, from);
        // Each side of a comparison is off by less than |S| roundings, and there are two or three.
        let slack = 1.0 + 4.0 * f64::EPSILON * (graph.len() as f64 + 4.0);
        let mut limit = Limit { best: f64::INFINITY, slack };
        let mut radius = 0.0;
        while limit.admits(self.from_start.radius + radius) && !self.to_target.is_reached(from) {
            // The smaller search will probably stay smaller.
            if self.from_start.queue.len() < self.to_target.queue().len() {
                if !self.expand_from_start(graph, &entry_cost, radius, &mut limit) {
                    break;
                }
            } else {
                match self.expand_to_target(graph, &entry_cost, from, &mut limit) {
                    Some(price) => radius = price,
                    None => return,
                }
            }
        }
        self.drop_beyond_limit(&limit);
        while self.expand_to_target(graph, &entry_cost, from, &mut limit).is_some() {}
    }

    /// Expands a node of the search from the start, while the other search has reached `radius`;
    /// false if none is left.
    #[inline]
    fn expand_from_start(
        &mut self,
        graph: &Graph,
        entry_cost: impl Fn(NodeId) -> f64,
        radius: f64,
        limit: &mut Limit,
    ) -> bool {
        let start = &mut self.from_start;
        let Some((cost, node)) = pop(&mut start.queue, &start.reached, graph) else { return false };
        start.radius = cost;
        for &neighbor in start.reached.insert_all(graph.neighborhood(node)) {
            let is_target = self.to_target.is_target(neighbor);
            let there = if is_target { cost } else { cost + entry_cost(neighbor) };
            start.cost[neighbor as usize] = there;
            if self.to_target.is_reached(neighbor) {
                limit.note(there + self.to_target.cost(neighbor));
            }
            if limit.admits(there + radius) {
                start.queue.push(there, neighbor);
            }
        }
        true
    }

    /// Expands a node of the search from the targets and returns its price; `None` if everything is
    /// known.
    #[inline]
    fn expand_to_target(
        &mut self,
        graph: &Graph,
        entry_cost: impl Fn(NodeId) -> f64,
        from: NodeId,
        limit: &mut Limit,
    ) -> Option<f64> {
        let (price, node) = self.to_target.pop(graph)?;
        let start = &self.from_start;
        if !limit.admits(price) {
            return None;
        }
        let expanded = self.to_target.expand(graph, &entry_cost, node, price);
        if expanded.new.contains(&from) {
            limit.note(price);
        }
        for &neighbor in expanded.new {
            let beyond = price + entry_cost(neighbor);
            let total = if start.reached.contains(neighbor) {
                let total = start.cost[neighbor as usize] + price;
                limit.note(total);
                total
            } else {
                start.radius + beyond
            };
            if limit.admits(total) {
                expanded.queue.push(beyond, neighbor);
            }
        }
        Some(price)
    }

    /// Keeps only the waiting nodes of the search from the targets that are within the limit.
    fn drop_beyond_limit(&mut self, limit: &Limit) {
        let start = &self.from_start;
        let kept = &mut self.kept;
        let mut waiting = std::mem::take(self.to_target.queue());
        waiting.drain(|price, node| {
            let total = if start.reached.contains(node) {
                start.cost[node as usize] + self.to_target.cost(node)
            } else {
                start.radius + price
            };
            if limit.admits(total) {
                kept.push((price, node));
            }
        });
        for (price, node) in kept.drain(..) {
            waiting.push(price, node);
        }
        *self.to_target.queue() = waiting;
    }
}

impl FromStart {
    fn start(&mut self, graph: &Graph, from: NodeId) {
        self.reached.start(graph.len());
        self.queue.drain(|_, _| ());
        self.cost.resize(graph.len(), 0.0);
        self.radius = 0.0;
        self.reached.insert(from);
        self.cost[from as usize] = 0.0;
        self.queue.push(0.0, from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::kinetic_sweeps::tests::graphs;
    use crate::random::{Seed, Stream};

    /// The same graph with its nodes renumbered at random.
    fn renumbered(graph: &Graph, stream: &mut Stream) -> Graph {
        let mut number: Vec<NodeId> = graph.nodes().collect();
        for place in (1..number.len()).rev() {
            number.swap(place, stream.below(place as u64 + 1) as usize);
        }
        let edges = graph.edges().map(|(a, b)| (number[a as usize], number[b as usize]));
        Graph::from_edges(graph.len(), edges).unwrap()
    }

    /// Costs of all kinds: few levels, free nodes, real numbers, far apart in scale, lost in
    /// rounding, too large to add up.
    fn costs(kind: u64, nodes: usize, stream: &mut Stream) -> Vec<f64> {
        let mut cost = || match kind {
            0 => stream.below(2) as f64,
            1 => stream.below(4) as f64 / 4.0,
            2 => stream.unit(),
            3 => [0.0, 0.1, 0.2, 0.3][stream.below(4) as usize],
            4 => [0.0, 1e-17, 1e-16, 0.5, 1.0][stream.below(5) as usize],
            5 => stream.unit() * [1e-300, 1e-20, 1.0, 1e20][stream.below(4) as usize],
            6 => stream.below(5) as f64 * 5e-324,
            7 => [0.0, 1e-9, 1e307, 9e307][stream.below(4) as usize],
            8 => 0.0,
            _ => 0.1,
        };
        (0..nodes).map(|_| cost()).collect()
    }

    #[test]
    fn from_both_ends_the_path_is_the_same() {
        let mut stream = Seed(41).stream();
        let (mut one, mut two) = (CheapestPaths::default(), CheapestPath::default());
        let (mut steps, mut left_out) = (0, 0);
        for graph in graphs(&mut stream, 150) {
            for graph in [renumbered(&graph, &mut stream), graph] {
                for kind in 0..10 {
                    let mut cost = costs(kind, graph.len(), &mut stream);
                    let nodes = graph.len() as u64;
                    let targets: Vec<_> =
                        (0..=stream.below(3)).map(|_| stream.below(nodes) as NodeId).collect();
                    // Targets cost nothing, whatever their costs say.
                    for &target in targets.iter().filter(|_| kind % 2 == 0) {
                        cost[target as usize] = 0.0;
                    }
                    let entry_cost = |s: NodeId| cost[s as usize];
                    one.search(&graph, entry_cost, targets.clone(), None);
                    for _ in 0..3 {
                        let from = stream.below(nodes) as NodeId;
                        two.search_from_both_ends(&graph, entry_cost, targets.clone(), from);
                        let mut node = from;
                        while one.next(node) != node {
                            assert_eq!(two.next(node), one.next(node), "{cost:?} {targets:?}");
                            assert_eq!(two.to_target.cost(node), one.cost(node));
                            node = one.next(node);
                            steps += 1;
                        }
                        assert_eq!(two.next(node), node);
                        let reached = graph.nodes().filter(|&s| two.to_target.is_reached(s));
                        left_out += usize::from(reached.count() < graph.len());
                    }
                }
            }
        }
        assert!(steps > 100_000 && left_out > 10_000, "{steps} {left_out}");
    }

    #[test]
    fn there_may_be_no_target_and_no_way_to_go() {
        for graph in [Graph::line(3).unwrap(), Graph::line(2000).unwrap()] {
            let mut path = CheapestPath::default();
            assert!(path.find(&graph, |_| 1.0, [], 2).is_empty());
            assert!(path.find(&graph, |_| 1.0, [2], 2).is_empty());
            assert_eq!(path.find(&graph, |_| 1.0, [2], 0), [1, 2]);
            assert_eq!((path.next(0), path.next(2)), (1, 2));
        }
    }
}
