//! The cheapest path from one node to the nearest target (Algorithm 1), searched from both ends.
//!
//! The search from the targets is that of [`CheapestPaths`]. The search from the start gives every
//! node it reaches the cost `f(v)` of getting there, `v` included; as all ways into `v` end with the
//! same `c(v)`, here too the first offer is the best. Both end when no cheaper path can be left
//! between them. Then the first search goes on, alone and only over nodes through which a path
//! about as cheap as the best one leads: few beyond those of the path itself.
//!
//! The path is the one that [`CheapestPaths::search`] finds, ties and roundings included. Let `I` be
//! the start and, of every node `w` of `I` that is no target, all neighbours `v` with
//! `price(v) = cost(w)`, of which one is the next node. The path lies in `I`.
//! - Nodes of `I` are never left out: along a chain of them the costs of entering add up, rounded, to
//!   the cost from the start, so `f(v) + cost(v)` is that of the best path but for the rounding of
//!   sums of at most |S| terms, which the limit allows for. A node not reached from the start costs
//!   at least the radius of that search and its own cost; a node not expanded from the start since
//!   no path through it is within the limit is on the way to no node of `I` still to be expanded.
//! - Nodes left out change nothing in `I`: a neighbour of `w` outside `I` is dearer than `cost(w)`,
//!   and dearer still if it lost offers. So nodes of `I` get their first offer from nodes of `I`,
//!   wait from the same moment on, and are taken out in the same order.

use super::CheapestPaths;
use super::cheapest_paths::pop;
use super::node_set::NodeSet;
use super::price_queue::PriceQueue;
use crate::graph::{Graph, NodeId};

/// Below this many nodes two searches cost more than they save.
pub(super) const SMALL: usize = 200;

/// The cheapest path from a node to a set of target nodes, with memory that is reused.
#[derive(Debug, Clone, Default)]
pub struct CheapestPath {
    pub(super) to_target: CheapestPaths,
    /// The search from the start, by road.
    pub(super) by_road: CheapestPaths,
    from_start: FromStart,
    /// What is left of the nodes that wait, while they are looked through.
    kept: Vec<(f64, NodeId)>,
    pub(super) path: Vec<NodeId>,
}

/// The search from the start.
#[derive(Debug, Clone, Default)]
struct FromStart {
    reached: NodeSet,
    /// `f(v)` of the nodes reached.
    cost: Vec<f64>,
    queue: PriceQueue,
    /// All nodes of lower `f(v)` were expanded.
    radius: f64,
}

/// The cheapest path known and how much dearer one may look by rounding alone.
struct Limit {
    best: f64,
    slack: f64,
}

impl Limit {
    fn note(&mut self, cost: f64) {
        self.best = self.best.min(cost);
    }

    /// Whether a path that costs at least `cost` may be the one.
    fn admits(&self, cost: f64) -> bool {
        cost <= self.best * self.slack
    }
}

impl CheapestPath {
    /// The nodes entered on the cheapest path from `from` to one of `targets`, `from` left out:
    /// those to which [`CheapestPaths::next`] leads, with the same costs and ties. Empty when `from`
    /// is a target, or there is none. Entering a target costs nothing, whatever `entry_cost` says.
    ///
    /// # Complexity
    /// O(e + n log n) for the n nodes and e edges nearer to the targets, or to `from`, than half the
    /// way. `entry_cost` is asked at most twice for a node, but where prices are equal.
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

    /// The node after `node` on the path found last; the target at its end is followed by itself.
    ///
    /// # Panics
    /// When `node` is not on the path nor its start; it may then also answer any neighbour.
    #[inline]
    pub fn next(&self, node: NodeId) -> NodeId {
        self.to_target.next(node)
    }

    /// The cost of the rest of the path from `node`, its own cost not counted.
    ///
    /// # Panics
    /// As [`next`](Self::next).
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
            // The smaller search is likely to stay so.
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
        self.leave_out(&limit);
        while self.expand_to_target(graph, &entry_cost, from, &mut limit).is_some() {}
    }

    /// Expands a node of the search from the start, the other search having come to `radius`;
    /// false when none is left.
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

    /// Expands a node of the search from the targets and answers its price; none when all is known.
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
            let whole = if start.reached.contains(neighbor) {
                let whole = start.cost[neighbor as usize] + price;
                limit.note(whole);
                whole
            } else {
                start.radius + beyond
            };
            if limit.admits(whole) {
                expanded.queue.push(beyond, neighbor);
            }
        }
        Some(price)
    }

    /// Of the nodes that wait on the way from the targets, keeps those within the limit.
    fn leave_out(&mut self, limit: &Limit) {
        let start = &self.from_start;
        let kept = &mut self.kept;
        let mut waiting = std::mem::take(self.to_target.queue());
        waiting.drain(|price, node| {
            let whole = if start.reached.contains(node) {
                start.cost[node as usize] + self.to_target.cost(node)
            } else {
                start.radius + price
            };
            if limit.admits(whole) {
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

    /// The same graph with its nodes numbered anew, at random.
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
                    // Targets cost nothing, whether or not their costs say so.
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
