//! The path home from where the agent stands, along a table of costs.

use super::MARGIN;
use super::home_costs::{HomeCosts, price_of_time};
use crate::agent::Situation;
use crate::graph::NodeId;
use crate::index::Leader;
use crate::plan::{CheapestPaths, Heading, RoadCosts};

/// A search goes this many times as far as the table reaches to meet it.
const MEETING: f64 = 0.75;

/// A search for the path home.
pub(super) struct Walk<'a> {
    pub(super) now: &'a Situation<'a>,
    pub(super) leader: &'a Leader,
    /// The entry cost of a node besides its gap.
    pub(super) step: f64,
    pub(super) home: &'a HomeCosts,
}

impl Walk<'_> {
    fn entry(&self, node: NodeId) -> f64 {
        self.leader.gap(self.now.estimates, node) + self.step
    }

    /// More than a path may cost if one costs this.
    fn limit_over(&self, cost: f64) -> f64 {
        cost * (1.0 + MARGIN) + self.step
    }

    /// Searches, within the table only along cheapest paths. If the table is so far away that it
    /// should rather be searched farther, the price that this search came to.
    ///
    /// Outside the table, a node is on no cheapest path if going there costs so much that another
    /// path is cheaper even if the table begins right behind the node.
    pub(super) fn on_foot(&self, paths: &mut CheapestPaths) -> Option<f64> {
        let (now, home) = (self.now, self.home);
        let least = |node: NodeId| home.of(node).min(home.radius());
        let mut limit = self.limit_over(home.of(now.at));
        let mut arrived = f64::INFINITY;
        paths.begin(now.graph, now.at);
        loop {
            let entry = |node| self.entry(node);
            let admits = |node: NodeId, beyond: f64| beyond + least(node) <= limit;
            let expanded = paths.step(now.graph, entry, admits, |_, _| true)?;
            // Other nodes of this price may still offer a lower number.
            if expanded.price > arrived {
                return None;
            }
            if limit == f64::INFINITY && expanded.price > MEETING * home.radius() {
                return Some(expanded.price);
            }
            for &node in expanded.new {
                let cost = expanded.price + self.entry(node) + home.of(node);
                limit = limit.min(self.limit_over(cost));
            }
            if expanded.new.contains(&self.leader.node) {
                arrived = expanded.price;
            }
        }
    }

    /// Searches on roads that run one way or take time, only along cheapest paths.
    pub(super) fn by_road(&self, paths: &mut CheapestPaths) {
        let (now, home) = (self.now, self.home);
        let entry = |node| self.entry(node);
        let costs = RoadCosts { entry, time: price_of_time(self.leader) };
        let limit = self.limit_over(home.of(now.at));
        paths.start_roads(now.graph, [now.at]);
        while let Some((cost, node)) = paths.settle() {
            if node == self.leader.node {
                break;
            }
            let admits = |to: NodeId, offer: f64| offer + entry(to) + home.of(to) <= limit;
            paths.offer((now.graph, Heading::FromHere), &costs, (cost, node), admits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::estimates::Estimates;
    use crate::graph::Graph;
    use crate::random::Seed;

    /// Rewards of few levels, so that paths tie, or of many.
    #[test]
    fn the_path_is_that_of_a_search_from_here_however_far_the_table_reaches() {
        let mut stream = Seed(5).stream();
        let (mut plain, mut paths) = (CheapestPaths::default(), CheapestPaths::default());
        let (mut outside, mut too_far) = (0, 0);
        for case in 0..600_usize {
            let graph = [Graph::grid(17, 13), Graph::geometric(150, 0.16, Seed(case as u64))];
            let graph = graph[case % 2].as_ref().unwrap();
            let mut estimates = Estimates::new(graph.len());
            for node in graph.nodes() {
                let levels = [3, 1 << 30][case / 2 % 2];
                estimates.push(node, stream.below(levels) as f64 / levels as f64);
            }
            let mut any = || stream.below(graph.len() as u64) as NodeId;
            let (at, home) = (any(), any());
            estimates.push(home, 5.0);
            let leader = Leader { node: home, mean: estimates.estimate(home).mean };
            let now = Situation { graph, at, estimates: &estimates, clock: &Clock::default() };
            let step = 1e-9;
            plain.search(graph, |node| leader.gap(&estimates, node) + step, [at], None);
            if at == home {
                continue;
            }
            let mut table = HomeCosts::new(step);
            let radius = 1.3 * stream.unit() * plain.cost(home);
            table.search(&now, &leader, &mut paths, (radius, 0), |straight| straight);
            let walk = Walk { now: &now, leader: &leader, step, home: &table };
            if let Some(price) = walk.on_foot(&mut paths) {
                assert!(price > MEETING * table.radius() && radius < plain.cost(home));
                too_far += 1;
                continue;
            }
            outside += usize::from(table.of(at) == f64::INFINITY);
            assert_eq!(paths.cost(home).to_bits(), plain.cost(home).to_bits(), "{case}");
            let (mut found, mut expected) = (Vec::new(), Vec::new());
            paths.follow(home, &mut found);
            plain.follow(home, &mut expected);
            assert_eq!(found, expected, "{case}");
        }
        assert!(outside > 50 && too_far > 50, "{outside} {too_far}");
    }
}
