//! What the ways home cost, repaired when means change instead of searched again.
//!
//! `cost(home) = 0`, and `cost(v)` is the least `price(u)` of all neighbours `u`, where `price(home)
//! = 0` and `price(u) = cost(u) + entry(u)`. Sums are rounded, and rounding keeps order, so only one
//! table satisfies this: a repaired table has the bits of a new one (Ramalingam and Reps, 1996).
//!
//! A visit changes the entry cost of one node, unless it is a visit at home: the other entry costs
//! are measured from the mean at home. Then the table is searched again.

use crate::agent::Situation;
use crate::estimates::Estimates;
use crate::graph::{Graph, NodeId};
use crate::index::Leader;
use crate::plan::CheapestPaths;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A search goes this many times as far as asked, so that the next leg rarely asks for more.
const MARGIN: f64 = 1.25;

/// The costs of the ways to one leader, from all nodes within a radius.
#[derive(Debug, Clone)]
pub(super) struct HomeCosts {
    home: Leader,
    step: f64,
    /// All nodes from which the way costs at most this are known.
    radius: f64,
    /// Infinite beyond the radius.
    cost: Vec<f64>,
    /// The mean of each node, as far as the table accounts for it.
    means: Vec<f64>,
    /// How much of the log of visits the table accounts for.
    pub(super) seen: usize,
    repair: Repair,
}

/// Memory of repairs.
#[derive(Debug, Clone, Default)]
struct Repair {
    /// Nodes by cost; costs are never negative, so their bits sort as they do.
    queue: BinaryHeap<Reverse<(u64, NodeId)>>,
    /// Whether a node lost the neighbour that its cost came from.
    is_lost: Vec<bool>,
    lost: Vec<NodeId>,
    changed: Vec<(NodeId, f64)>,
}

impl HomeCosts {
    /// No costs yet.
    pub(super) fn new(step: f64) -> Self {
        Self {
            home: Leader::default(),
            step,
            radius: f64::NEG_INFINITY,
            cost: Vec::new(),
            means: Vec::new(),
            seen: 0,
            repair: Repair::default(),
        }
    }

    /// Whether these are the costs of the ways to `home`, measured from its mean.
    pub(super) fn is_for(&self, home: &Leader) -> bool {
        self.home == *home && !self.cost.is_empty()
    }

    /// The cost of the way home from `node`; infinite if it is more than the radius.
    #[inline]
    pub(super) fn of(&self, node: NodeId) -> f64 {
        self.cost[node as usize]
    }

    /// All nodes from which the way costs at most this are known.
    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    /// Searches the ways home from `now.at` and from all nodes from which the way costs at most
    /// `reach` of the cost from `now.at`.
    pub(super) fn search(
        &mut self,
        now: &Situation<'_>,
        home: &Leader,
        paths: &mut CheapestPaths,
        reach: impl Fn(f64) -> f64,
    ) {
        let (step, estimates) = (self.step, now.estimates);
        let entry = |node| home.gap(estimates, node) + step;
        paths.begin(now.graph, home.node);
        let mut radius = f64::INFINITY;
        if now.at == home.node {
            radius = MARGIN * reach(0.0);
        }
        let mut is_whole = false;
        loop {
            let Some(expanded) = paths.step(now.graph, entry, |_, _| true, |_, _| true) else {
                is_whole = true;
                break;
            };
            if expanded.price > radius {
                break;
            }
            if expanded.new.contains(&now.at) {
                radius = MARGIN * reach(expanded.price);
            }
        }
        self.home = *home;
        self.radius = if is_whole { f64::INFINITY } else { radius };
        self.cost.clear();
        self.cost.resize(now.graph.len(), f64::INFINITY);
        for &node in paths.reached() {
            let cost = paths.cost(node);
            if cost <= self.radius {
                self.cost[node as usize] = cost;
            }
        }
        self.means.clear();
        self.means.extend(estimates.all().iter().map(|seen| seen.mean));
    }

    /// Accounts for visits to these nodes, none of them home.
    pub(super) fn repair(&mut self, graph: &Graph, estimates: &Estimates, visited: &[NodeId]) {
        let mut repair = std::mem::take(&mut self.repair);
        repair.is_lost.resize(graph.len(), false);
        repair.changed.clear();
        for &node in visited {
            let (before, mean) = (self.means[node as usize], estimates.estimate(node).mean);
            if mean.to_bits() == before.to_bits() {
                continue;
            }
            self.means[node as usize] = mean;
            repair.changed.push((node, before));
            // The neighbours whose cost came from this node are in doubt.
            if node != self.home.node && self.cost[node as usize] < f64::INFINITY {
                let price = self.cost[node as usize] + self.entry_at(before);
                self.doubt_around(graph, node, price, &mut repair);
            }
        }
        repair.changed.sort_unstable_by_key(|&(node, _)| node);
        self.find_lost(graph, &mut repair);
        self.find_anew(graph, &mut repair);
        self.repair = repair;
    }

    #[inline]
    fn entry_at(&self, mean: f64) -> f64 {
        (self.home.mean - mean).max(0.0) + self.step
    }

    /// What a node offers its neighbours.
    #[inline]
    fn price(&self, node: NodeId) -> f64 {
        if node == self.home.node {
            return 0.0;
        }
        self.cost[node as usize] + self.entry_at(self.means[node as usize])
    }

    /// Queues the neighbours of `node` whose cost is `price`.
    fn doubt_around(&self, graph: &Graph, node: NodeId, price: f64, repair: &mut Repair) {
        for &neighbor in graph.neighborhood(node) {
            if self.cost[neighbor as usize] == price && neighbor != self.home.node {
                repair.queue.push(Reverse((price.to_bits(), neighbor)));
            }
        }
    }

    /// Finds the nodes that no longer get their cost from any neighbour, in order of cost: then it
    /// is known of all cheaper nodes whether they are lost.
    fn find_lost(&self, graph: &Graph, repair: &mut Repair) {
        while let Some(Reverse((_, node))) = repair.queue.pop() {
            if repair.is_lost[node as usize] {
                continue;
            }
            let cost = self.cost[node as usize];
            // Only a strictly cheaper neighbour counts: two nodes must not hold each other.
            let holds = |&u: &NodeId| {
                !repair.is_lost[u as usize]
                    && (u == self.home.node || self.cost[u as usize] < cost)
                    && self.price(u) <= cost
            };
            if graph.neighborhood(node).iter().any(holds) {
                continue;
            }
            repair.is_lost[node as usize] = true;
            repair.lost.push(node);
            // What it used to offer: its own entry cost may have changed, too.
            let changed = repair.changed.binary_search_by_key(&node, |&(changed, _)| changed);
            let mean = changed.map_or(self.means[node as usize], |place| repair.changed[place].1);
            let price = cost + self.entry_at(mean);
            self.doubt_around(graph, node, price, repair);
        }
    }

    /// Finds the costs of lost nodes, and what became cheaper.
    fn find_anew(&mut self, graph: &Graph, repair: &mut Repair) {
        for &node in &repair.lost {
            self.cost[node as usize] = f64::INFINITY;
        }
        for node in repair.lost.drain(..) {
            repair.is_lost[node as usize] = false;
            let offers = graph.neighborhood(node).iter().filter(|&&u| u != node);
            let best = offers.map(|&u| self.price(u)).fold(f64::INFINITY, f64::min);
            if best <= self.radius && best < f64::INFINITY {
                self.cost[node as usize] = best;
                repair.queue.push(Reverse((best.to_bits(), node)));
            }
        }
        for &(node, _) in &repair.changed {
            let cost = self.cost[node as usize];
            if cost < f64::INFINITY {
                repair.queue.push(Reverse((cost.to_bits(), node)));
            }
        }
        while let Some(Reverse((bits, node))) = repair.queue.pop() {
            if bits != self.cost[node as usize].to_bits() {
                continue;
            }
            let price = self.price(node);
            if price > self.radius {
                continue;
            }
            for &neighbor in graph.neighborhood(node) {
                if price < self.cost[neighbor as usize] {
                    self.cost[neighbor as usize] = price;
                    repair.queue.push(Reverse((price.to_bits(), neighbor)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::random::{Seed, Stream};

    /// Rewards of few levels, so that many ways cost the same; of many; and so large that the cost
    /// of a step is lost in rounding.
    fn reward(kind: usize, stream: &mut Stream) -> f64 {
        match kind {
            0 => stream.below(3) as f64,
            1 => stream.unit(),
            _ => 1e9 * stream.below(4) as f64,
        }
    }

    #[test]
    fn repaired_costs_are_those_of_a_new_search() {
        let mut stream = Seed(14).stream();
        let (mut paths, mut repaired, mut known) = (CheapestPaths::default(), 0, 0);
        for case in 0..120 {
            let graph = match case % 4 {
                0 => Graph::grid(12, 9),
                1 => Graph::geometric(90, 0.2, Seed(case)),
                2 => Graph::tree(80, 3),
                _ => Graph::circle(70),
            };
            let (graph, kind) = (graph.unwrap(), case as usize / 4 % 3);
            let mut estimates = Estimates::new(graph.len());
            for node in graph.nodes() {
                estimates.push(node, reward(kind, &mut stream));
            }
            let home = stream.below(graph.len() as u64) as NodeId;
            estimates.push(home, 1e10);
            let leader = Leader { node: home, mean: estimates.estimate(home).mean };
            let mut costs = HomeCosts::new(1e-9);
            for round in 0..30 {
                let at = stream.below(graph.len() as u64) as NodeId;
                let clock = Clock::default();
                let now = Situation { graph: &graph, at, estimates: &estimates, clock: &clock };
                let reach = |straight: f64| [0.9, 1.1, 5.0][case as usize % 3] * straight;
                if round % 10 == 0 {
                    costs.search(&now, &leader, &mut paths, reach);
                    assert!(costs.of(at) < f64::INFINITY && costs.is_for(&leader));
                }
                let entry = |node| leader.gap(&estimates, node) + 1e-9;
                paths.search(&graph, entry, [home], None);
                for node in graph.nodes() {
                    let cost = paths.cost(node);
                    let expected = if cost <= costs.radius() { cost } else { f64::INFINITY };
                    assert_eq!(costs.of(node).to_bits(), expected.to_bits(), "{case} {round}");
                    known += usize::from(expected < f64::INFINITY);
                }
                let mut visited: Vec<NodeId> = Vec::new();
                for _ in 0..=stream.below(8) {
                    visited.push(stream.below(graph.len() as u64) as NodeId);
                }
                visited.retain(|&node| node != home);
                for &node in &visited {
                    estimates.push(node, reward(kind, &mut stream));
                }
                repaired += visited.len();
                costs.repair(&graph, &estimates, &visited);
            }
        }
        assert!(repaired > 10_000 && known > 100_000, "{repaired} {known}");
    }
}
