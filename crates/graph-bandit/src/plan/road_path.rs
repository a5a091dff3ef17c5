//! The cheapest path by road from one node to the nearest target, searched from both ends.
//!
//! Both searches stop when no cheaper path between them is possible. Then the search from the
//! targets continues alone, only over nodes on paths about as cheap as the best one. Skipped nodes
//! cost more than any path that matters, ties included, so the result equals that of
//! [`CheapestPaths::search_roads`].

use super::bucket_search::{OrderMatters, typical_price};
use super::cheapest_path::SMALL;
use super::road_search::{Heading, RoadCosts};
use super::{CheapestPath, CheapestPaths};
use crate::graph::{Graph, NodeId};

/// The path to find.
struct Wanted<'a, C> {
    graph: &'a Graph,
    costs: &'a RoadCosts<C>,
    from: NodeId,
}

/// The cheapest path known, and how much more expensive a path may look because of rounding.
struct Limit {
    best: f64,
    slack: f64,
}

impl Limit {
    #[inline]
    fn admits(&self, cost: f64) -> bool {
        cost <= self.best * self.slack
    }
}

/// A lower bound on the cost between a node and a search's origin, given how far that search has
/// come.
#[inline]
fn least(search: &CheapestPaths, node: NodeId) -> f64 {
    if search.is_final(node) { search.cost(node) } else { search.buckets.floor() }
}

impl CheapestPath {
    /// The nodes entered on the cheapest path by road from `from` to one of `targets`, without
    /// `from`: the nodes that [`CheapestPaths::search_roads`] leads to, with the same costs and
    /// ties.
    ///
    /// # Complexity
    /// As [`CheapestPaths::search_all_roads`], for the n nodes and e roads within half the distance
    /// of the targets or of `from`. If the search in order of price takes over, for those nearer to
    /// the targets than `from` is.
    pub fn find_by_road(
        &mut self,
        graph: &Graph,
        costs: &RoadCosts<impl Fn(NodeId) -> f64>,
        targets: impl IntoIterator<Item = NodeId> + Clone,
        from: NodeId,
    ) -> &[NodeId] {
        if self.search_by_road(&Wanted { graph, costs, from }, targets.clone()).is_err() {
            let there = (graph, Heading::There);
            self.to_target.search_roads(there, costs, targets, |node| node == from);
        }
        self.path.clear();
        self.to_target.follow(from, &mut self.path);
        &self.path
    }

    fn search_by_road(
        &mut self,
        wanted: &Wanted<'_, impl Fn(NodeId) -> f64>,
        targets: impl IntoIterator<Item = NodeId>,
    ) -> Result<(), OrderMatters> {
        let Wanted { graph, costs, from } = *wanted;
        if graph.len() < SMALL {
            return Err(OrderMatters);
        }
        let typical = typical_price((graph, Heading::There), costs).ok_or(OrderMatters)?;
        self.to_target.start_buckets(graph, typical, targets);
        if self.to_target.is_reached(from) {
            return Ok(());
        }
        self.by_road.start_buckets(graph, typical, [from]);
        let mut limit = self.meet_by_road(wanted)?;
        self.arrive_by_road(wanted, &mut limit)
    }

    /// Searches from both ends until no cheaper path between them is possible.
    fn meet_by_road(
        &mut self,
        wanted: &Wanted<'_, impl Fn(NodeId) -> f64>,
    ) -> Result<Limit, OrderMatters> {
        let Wanted { graph, costs, from } = *wanted;
        let (there, here) = (&mut self.to_target, &mut self.by_road);
        // Each side of a comparison is off by less than 2 |S| roundings, and there are two or three.
        let slack = 1.0 + 8.0 * f64::EPSILON * (graph.len() as f64 + 4.0);
        let mut limit = Limit { best: f64::INFINITY, slack };
        while limit.admits(there.buckets.floor() + here.buckets.floor()) {
            // The smaller search will probably stay smaller.
            if here.buckets.len() < there.buckets.len() {
                let Some(taken) = here.take() else { break };
                let from_here = (graph, Heading::FromHere);
                here.offer_around(from_here, costs, taken, |neighbor, cost| {
                    if there.is_reached(neighbor) {
                        let is_free = neighbor == from || there.is_target(neighbor);
                        let entry = if is_free { 0.0 } else { (costs.entry)(neighbor) };
                        limit.best = limit.best.min(cost + entry + there.cost(neighbor));
                    }
                    limit.admits(cost + least(there, neighbor))
                })?;
            } else {
                let Some(taken) = there.take() else { break };
                if there.is_final(from) {
                    break;
                }
                there.offer_around((graph, Heading::There), costs, taken, |neighbor, cost| {
                    if here.is_reached(neighbor) {
                        let entry = if neighbor == from { 0.0 } else { (costs.entry)(neighbor) };
                        limit.best = limit.best.min(here.cost(neighbor) + entry + cost);
                    }
                    limit.admits(cost + least(here, neighbor))
                })?;
            }
        }
        Ok(limit)
    }

    /// Continues from the targets alone, only over nodes on paths within the limit.
    fn arrive_by_road(
        &mut self,
        wanted: &Wanted<'_, impl Fn(NodeId) -> f64>,
        limit: &mut Limit,
    ) -> Result<(), OrderMatters> {
        let Wanted { graph, costs, from } = *wanted;
        let (there, here) = (&mut self.to_target, &self.by_road);
        while !there.is_final(from)
            && let Some((cost, node)) = there.take()
        {
            if limit.admits(cost + least(here, node)) {
                let admits = |neighbor, cost| limit.admits(cost + least(here, neighbor));
                there.offer_around((graph, Heading::There), costs, (cost, node), admits)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Road;
    use crate::random::{Seed, Stream};

    /// A town: blocks of streets, some one way, with times that often tie.
    fn town(stream: &mut Stream, side: u32) -> Graph {
        let at = |x: u32, y: u32| (y % side) * side + x % side;
        let mut roads = Vec::new();
        for (x, y) in (0..side).flat_map(|x| (0..side).map(move |y| (x, y))) {
            for (a, b) in [(at(x, y), at(x + 1, y)), (at(x, y), at(x, y + 1))] {
                let mut time = || [0.0, 0.5, 1.0, 2.0, 0.1][stream.below(5) as usize];
                roads.push(Road { from: a, to: b, time: time() });
                if y % 2 == 0 {
                    roads.push(Road { from: b, to: a, time: time() });
                }
            }
        }
        Graph::from_roads((side * side) as usize, roads).unwrap()
    }

    #[test]
    fn searching_from_both_ends_finds_the_same_path() {
        let mut stream = Seed(51).stream();
        let (mut one, mut two) = (CheapestPaths::default(), CheapestPath::default());
        let (mut steps, mut left_out) = (0, 0);
        for case in 0..60 {
            let graph = town(&mut stream, 15);
            let level = |stream: &mut Stream| match case % 4 {
                0 => stream.below(2) as f64,
                1 => stream.unit(),
                2 => stream.below(5) as f64 / 4.0,
                _ => 0.0,
            };
            let cost: Vec<f64> = graph.nodes().map(|_| level(&mut stream)).collect();
            let time = [0.0, 1.0, 0.3, 7.0][case / 4 % 4];
            let costs = RoadCosts { entry: |s: NodeId| cost[s as usize], time };
            let nodes = graph.len() as u64;
            let targets: Vec<_> =
                (0..=stream.below(3)).map(|_| stream.below(nodes) as NodeId).collect();
            one.search_roads((&graph, Heading::There), &costs, targets.clone(), |_| false);
            for _ in 0..20 {
                let from = stream.below(nodes) as NodeId;
                let mut expected = Vec::new();
                one.follow(from, &mut expected);
                assert_eq!(two.find_by_road(&graph, &costs, targets.clone(), from), expected);
                assert_eq!(two.cost(from), one.cost(from));
                steps += expected.len();
                let reached = graph.nodes().filter(|&s| two.to_target.is_reached(s));
                left_out += usize::from(reached.count() < graph.len() / 2);
            }
        }
        assert!(steps > 8_000 && left_out > 300, "{steps} {left_out}");
    }
}
