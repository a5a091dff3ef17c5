//! Cheapest paths along roads with buckets of similar price: the results of
//! [`CheapestPaths::search_roads`], but faster.
//!
//! A node may be expanded before its best offer arrives; it is then expanded again. The order does
//! not change the final labels: every node has its lowest offer, and ties go to the lowest number.
//! A search in order of price has the same labels if no road is free: the node that makes the
//! lowest offer is cheaper than the node that gets it, and was expanded first. Roads at an origin
//! may be free, because nothing is cheaper than an origin. If any other road is free, or prices
//! differ too much in scale, the search in order of price takes over.

use super::CheapestPaths;
use super::cheapest_paths::Label;
use super::road_search::{Heading, RoadCosts, Row};
use crate::graph::{Graph, NodeId};

/// The number of nodes sampled for the price of roads.
const SAMPLE: usize = 16;

/// The search must go in order of price.
#[derive(Debug)]
pub(super) struct OrderMatters;

impl CheapestPaths {
    /// Searches from `origins` along all roads. The results equal those of
    /// [`search_roads`](Self::search_roads) run to the end.
    ///
    /// # Complexity
    /// O(e + n) if road prices are of one scale, else O(e + n log n), for n nodes and e roads.
    pub fn search_all_roads(
        &mut self,
        view: (&Graph, Heading),
        costs: &RoadCosts<impl Fn(NodeId) -> f64>,
        origins: impl IntoIterator<Item = NodeId> + Clone,
    ) {
        if self.search_by_buckets(view, costs, origins.clone()).is_err() {
            self.search_roads(view, costs, origins, |_| false);
        }
    }

    fn search_by_buckets(
        &mut self,
        view: (&Graph, Heading),
        costs: &RoadCosts<impl Fn(NodeId) -> f64>,
        origins: impl IntoIterator<Item = NodeId>,
    ) -> Result<(), OrderMatters> {
        let typical = typical_price(view, costs).ok_or(OrderMatters)?;
        self.start_buckets(view.0, typical, origins);
        while let Some(taken) = self.take() {
            self.offer_around(view, costs, taken, |_, _| true)?;
        }
        Ok(())
    }

    /// Resets the search; the origins wait.
    pub(super) fn start_buckets(
        &mut self,
        graph: &Graph,
        typical: f64,
        origins: impl IntoIterator<Item = NodeId>,
    ) {
        self.start(graph, []);
        self.buckets.start(typical, graph.len());
        for origin in origins {
            if self.reached.insert(origin) {
                self.labels[origin as usize] = Label { cost: 0.0, next: origin };
                self.buckets.push(0.0, origin);
            }
        }
    }

    /// One of the cheapest waiting nodes, and its cost so far.
    #[inline]
    pub(super) fn take(&mut self) -> Option<(f64, NodeId)> {
        loop {
            let (cost, node) = self.buckets.pop()?;
            // A node that later got a better offer waits twice.
            if cost <= self.labels[node as usize].cost {
                return Some((cost, node));
            }
        }
    }

    /// Whether the label of a node is final.
    #[inline]
    pub(super) fn is_final(&self, node: NodeId) -> bool {
        self.reached.contains(node) && self.labels[node as usize].cost < self.buckets.floor()
    }

    /// Offers the path over a node to the other ends of its roads, if `admits` accepts the price.
    #[inline]
    pub(super) fn offer_around(
        &mut self,
        (graph, heading): (&Graph, Heading),
        costs: &RoadCosts<impl Fn(NodeId) -> f64>,
        (cost, node): (f64, NodeId),
        mut admits: impl FnMut(NodeId, f64) -> bool,
    ) -> Result<(), OrderMatters> {
        let is_origin = self.labels[node as usize].next == node;
        let price = if is_origin { cost } else { cost + (costs.entry)(node) };
        let row = Row::of(graph, heading, node);
        // A free road: the search must go in order.
        let free = if is_origin { -1.0 } else { cost };
        for (place, &neighbor) in row.nodes.iter().enumerate() {
            let offer = price + costs.time * row.times.map_or(0.0, |times| times[place]);
            let is_known = self.reached.contains(neighbor);
            let label = &mut self.labels[neighbor as usize];
            if !is_known || offer < label.cost {
                if offer == free || offer == f64::INFINITY {
                    return Err(OrderMatters);
                }
                if admits(neighbor, offer) {
                    self.reached.insert(neighbor);
                    *label = Label { cost: offer, next: node };
                    self.buckets.push(offer, neighbor);
                }
            } else if offer == label.cost && node < label.next && label.next != neighbor {
                if offer == free {
                    return Err(OrderMatters);
                }
                label.next = node;
            }
        }
        if self.buckets.is_too_costly() { Err(OrderMatters) } else { Ok(()) }
    }
}

/// The typical price of a road; `None` if all sampled roads are free or too expensive to compare.
pub(super) fn typical_price(
    (graph, heading): (&Graph, Heading),
    costs: &RoadCosts<impl Fn(NodeId) -> f64>,
) -> Option<f64> {
    let (mut sum, mut roads) = (0.0, 0.0);
    for node in graph.nodes().step_by(graph.len().div_ceil(SAMPLE)) {
        let row = Row::of(graph, heading, node);
        let times: f64 = row.times.map_or(0.0, |times| times.iter().sum());
        sum += (costs.entry)(node) * row.nodes.len() as f64 + costs.time * times;
        roads += row.nodes.len() as f64;
    }
    let typical = sum / roads;
    (typical.is_normal() && (1.0 / typical).is_normal()).then_some(typical)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Road;
    use crate::random::{Seed, Stream};

    fn random_roads(stream: &mut Stream, nodes: u32, times: impl Fn(&mut Stream) -> f64) -> Graph {
        let ring = (0..nodes).map(|node| (node, (node + 1) % nodes));
        let more: Vec<_> = (0..2 * nodes)
            .map(|_| (stream.below(nodes.into()) as u32, stream.below(nodes.into()) as u32))
            .filter(|(from, to)| from != to)
            .collect();
        let roads = ring.chain(more).map(|(from, to)| Road { from, to, time: times(stream) });
        Graph::from_roads(nodes as usize, roads.collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn buckets_do_not_change_the_results() {
        let mut stream = Seed(77).stream();
        let (mut ordered, mut bucketed) = (CheapestPaths::default(), CheapestPaths::default());
        let mut by_buckets = [0; 6];
        for case in 0..600 {
            let kind = case % 6;
            let value = |stream: &mut Stream| match kind {
                // All of one scale; few levels, so that paths tie; some free; all free; no common
                // scale; all equal.
                0 => 0.5 + stream.unit(),
                1 => 1.0 + stream.below(2) as f64,
                2 => stream.below(3) as f64,
                3 => 0.0,
                4 => libm::exp2(stream.unit() * 160.0 - 140.0),
                _ => 1.0,
            };
            let nodes = 3 + stream.below(120) as u32;
            let graph = random_roads(&mut stream, nodes, value);
            let entry: Vec<f64> = graph.nodes().map(|_| value(&mut stream)).collect();
            let costs = RoadCosts {
                entry: |s: NodeId| entry[s as usize],
                time: [0.0, 1.0, 0.3][case / 6 % 3],
            };
            let mut origins = vec![stream.below(nodes.into()) as NodeId];
            origins.extend((0..stream.below(3)).map(|_| stream.below(nodes.into()) as NodeId));
            for heading in [Heading::There, Heading::FromHere] {
                let view = (&graph, heading);
                ordered.search_roads(view, &costs, origins.clone(), |_| false);
                by_buckets[kind] +=
                    usize::from(bucketed.search_by_buckets(view, &costs, origins.clone()).is_ok());
                bucketed.search_all_roads(view, &costs, origins.clone());
                for node in graph.nodes() {
                    let label = |paths: &CheapestPaths| (paths.cost(node), paths.next(node));
                    assert_eq!(label(&bucketed), label(&ordered), "case {case}, node {node}");
                }
            }
        }
        assert_eq!((by_buckets[0], by_buckets[1], by_buckets[5]), (200, 200, 200));
        assert!(by_buckets[2] < 100 && by_buckets[3] == 0, "{by_buckets:?}");
    }

    #[test]
    fn prices_of_all_scales_are_left_to_the_search_in_order() {
        // The sampled roads are by far the shortest: every other road leads beyond all buckets.
        let roads = (0..20_000).map(|node| {
            let time = f64::from(1 << (node % 20)) * if node % 2 == 0 { 1e-9 } else { 100.0 };
            Road { from: node, to: (node + 1) % 20_000, time }
        });
        let graph = Graph::from_roads(20_000, roads.collect::<Vec<_>>()).unwrap();
        let costs = RoadCosts { entry: |_| 1e-12, time: 1.0 };
        let (mut ordered, mut bucketed) = (CheapestPaths::default(), CheapestPaths::default());
        let view = (&graph, Heading::FromHere);
        ordered.search_roads(view, &costs, [0], |_| false);
        assert!(bucketed.search_by_buckets(view, &costs, [0]).is_err());
        bucketed.search_all_roads(view, &costs, [0]);
        assert!(graph.nodes().all(|node| ordered.cost(node) == bucketed.cost(node)));
    }
}
