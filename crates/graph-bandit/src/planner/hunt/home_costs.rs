//! What the ways home cost, repaired when means change instead of searched again.
//!
//! `cost(home) = 0`, and `cost(v)` is the least `price(u)` of all neighbours `u`, where `price(home)
//! = 0` and `price(u) = cost(u) + entry(u)`. Sums are rounded, and rounding keeps order, so only one
//! table satisfies this: a repaired table has the bits of a new one (Ramalingam and Reps, 1996). On
//! roads, `u` is the end of a road from `v`, whose time adds to the price.
//!
//! A node near home is on the way of many others, so one visit may change the costs of a large part
//! of the table. Most of these are not needed soon. So a repair goes only up to a limit, and notes
//! what it leaves: nodes that may have lost their cost, and nodes that may get a lower one. The
//! next repair that goes farther takes these up. A label changes only when all changes below it are
//! known, so every node above the limit whose label is wrong is in one of the two lists, or gets its
//! cost from a node that is.
//!
//! A visit changes the entry cost of one node, unless it is a visit at home: the other entry costs
//! are measured from the mean at home. Then the table is searched again.

use crate::agent::Situation;
use crate::estimates::Estimates;
use crate::graph::{Graph, NodeId};
use crate::index::Leader;
use crate::plan::{CheapestPaths, Heading, PriceQueue, RoadCosts, Row};

/// How far rounding may move a cost, as a share of it.
const ROUNDING: f64 = 1e-9;

/// A visited node changes the ways home from about this many nodes below the limit of a repair; a
/// search visits each node.
const NODES_PER_REPAIR: usize = 300;

/// A repair that loses more nodes than this is rare.
const LARGE_REPAIR: usize = 4_096;

/// The costs of the ways to one leader, from all nodes within a radius.
#[derive(Debug, Clone)]
pub(super) struct HomeCosts {
    home: Leader,
    step: f64,
    /// All nodes from which the way costs at most this have a label.
    widest: f64,
    /// Labels up to this are correct, and all other costs are higher.
    limit: f64,
    labels: Vec<Label>,
    /// All nodes that were within the radius since the last search.
    members: Vec<NodeId>,
    /// How much of the log of visits the table accounts for.
    seen: usize,
    /// How much of it the doubt accounts for, and the visits to nodes of the table in it.
    heard: usize,
    pending: usize,
    /// How much cheaper a way home may have become through visits that are not accounted for.
    doubt: f64,
    /// The same for labels above the limit: through all visits since they were all correct.
    stale: f64,
    repair: Repair,
}

/// What is known about a node.
#[derive(Debug, Clone, Copy)]
struct Label {
    /// The cost of its way home; infinite beyond the radius.
    cost: f64,
    /// The cost of entering it, as far as the table accounts for visits; of no meaning beyond the
    /// radius.
    entry: f64,
}

/// A node that was never within the radius.
const BEYOND: Label = Label { cost: f64::INFINITY, entry: -1.0 };

/// Memory of repairs.
#[derive(Debug, Clone, Default)]
struct Repair {
    /// Nodes by cost.
    queue: PriceQueue,
    /// Whether a node lost the neighbour that its cost came from.
    is_lost: Vec<bool>,
    lost: Vec<NodeId>,
    /// Nodes whose entry cost has changed, and what it was.
    changed: Vec<(NodeId, f64)>,
    /// Nodes above the limit that may have lost their cost, with that cost.
    doubted: Vec<(f64, NodeId)>,
    /// Nodes above the limit that may get a lower cost, with that cost.
    offered: Vec<(f64, NodeId)>,
}

impl HomeCosts {
    /// No costs yet.
    pub(super) fn new(step: f64) -> Self {
        Self {
            home: Leader::default(),
            step,
            widest: f64::NEG_INFINITY,
            limit: f64::NEG_INFINITY,
            labels: Vec::new(),
            members: Vec::new(),
            seen: 0,
            heard: 0,
            pending: 0,
            doubt: 0.0,
            stale: 0.0,
            repair: Repair::default(),
        }
    }

    /// Whether these are the costs of the ways to `home`, measured from its mean.
    pub(super) fn is_for(&self, home: &Leader) -> bool {
        self.home == *home && !self.labels.is_empty()
    }

    /// The cost of the way home from `node`; infinite if it is more than the radius.
    #[inline]
    pub(super) fn of(&self, node: NodeId) -> f64 {
        let cost = self.labels[node as usize].cost;
        if cost <= self.limit { cost } else { f64::INFINITY }
    }

    /// All nodes from which the way costs at most this are known.
    pub(super) fn radius(&self) -> f64 {
        self.limit
    }

    /// What the way home cost from `node` when that was last known, and how far a repair can make the
    /// radius reach.
    pub(super) fn about(&self, node: NodeId) -> (f64, f64) {
        (self.labels[node as usize].cost, self.widest)
    }

    /// The least that the way home costs from `node` after the visits that were heard of.
    ///
    /// The way from a node outside the table leads over its edge, and from there costs at least the
    /// radius; only visits to nodes of the table make that cheaper.
    pub(super) fn at_least(&self, node: NodeId) -> f64 {
        let least = self.of(node).min(self.limit);
        least - self.doubt - ROUNDING * least
    }

    /// The same for a node outside, from what was known before costs above the radius were left for
    /// later.
    pub(super) fn was_at_least(&self, node: NodeId) -> f64 {
        let label = self.labels[node as usize];
        let is_lost = label.cost == f64::INFINITY && label.entry != BEYOND.entry;
        if is_lost {
            return f64::NEG_INFINITY;
        }
        let least = label.cost.min(self.widest);
        least - self.stale - ROUNDING * least
    }

    /// Hears of the visits that this log, which ends now, has more than the last one.
    pub(super) fn doubt(&mut self, estimates: &Estimates, log: &[NodeId]) {
        for &node in &log[self.heard..] {
            let label = self.labels[node as usize];
            if label.entry == BEYOND.entry {
                continue;
            }
            let now = self.home.gap(estimates, node) + self.step;
            let cheaper = (label.entry - now).max(0.0);
            self.stale += cheaper;
            if label.cost <= self.limit {
                self.doubt += cheaper;
            }
            self.pending += usize::from(label.cost < f64::INFINITY);
        }
        self.heard = log.len();
    }

    /// Whether a repair takes less time than a new search.
    pub(super) fn is_quick_to_repair(&self) -> bool {
        let left = self.repair.doubted.len() + self.repair.offered.len();
        self.pending * NODES_PER_REPAIR + left <= self.members.len()
    }

    /// Searches the ways home that cost at most `radius`. If the way from `now.at` is one of them,
    /// goes on to the ways that cost at most `reach` of it.
    pub(super) fn search(
        &mut self,
        now: &Situation<'_>,
        home: &Leader,
        paths: &mut CheapestPaths,
        (radius, log): (f64, usize),
        reach: impl Fn(f64) -> f64,
    ) {
        let (step, estimates) = (self.step, now.estimates);
        let entry = |node| home.gap(estimates, node) + step;
        let is_by_road = now.graph.roads().is_some();
        let radius = if is_by_road {
            let costs = RoadCosts { entry, time: price_of_time(home) };
            search_by_road(now, &costs, home.node, paths, (radius, reach))
        } else {
            search_by_node(now, entry, home.node, paths, (radius, reach))
        };
        (self.home, self.widest, self.limit) = (*home, radius, radius);
        self.repair.doubted.clear();
        self.repair.offered.clear();
        self.stale = 0.0;
        for node in self.members.drain(..) {
            self.labels[node as usize] = BEYOND;
        }
        self.labels.resize(now.graph.len(), BEYOND);
        for &node in if is_by_road { paths.settled() } else { paths.reached() } {
            let cost = paths.cost(node);
            if cost <= self.widest {
                self.labels[node as usize] = Label { cost, entry: entry(node) };
                self.members.push(node);
            }
        }
        self.settle(log);
    }

    /// The table accounts for a log of this length.
    fn settle(&mut self, log: usize) {
        (self.seen, self.heard) = (log, log);
        (self.pending, self.doubt) = (0, 0.0);
    }

    /// Accounts for the visits in this log, none of them at home. Costs above `limit` may be left
    /// for later; the radius is then the limit.
    pub(super) fn repair(
        &mut self,
        graph: &Graph,
        estimates: &Estimates,
        log: &[NodeId],
        limit: f64,
    ) {
        let mut repair = std::mem::take(&mut self.repair);
        repair.is_lost.resize(graph.len(), false);
        repair.changed.clear();
        repair.queue.drain(|_, _| ());
        self.limit = limit.min(self.widest);
        for &node in &log[self.seen..] {
            let entry = self.home.gap(estimates, node) + self.step;
            let before = self.labels[node as usize];
            if before.cost == f64::INFINITY || entry.to_bits() == before.entry.to_bits() {
                continue;
            }
            self.labels[node as usize].entry = entry;
            repair.changed.push((node, before.entry));
            // The neighbours whose cost came from this node are in doubt.
            if node != self.home.node {
                self.doubt_around(graph, node, before.cost + before.entry, &mut repair);
            }
        }
        repair.changed.sort_unstable_by_key(|&(node, _)| node);
        take_up(&mut repair.doubted, self.limit, &mut repair.queue);
        self.find_lost(graph, &mut repair);
        let is_large = repair.lost.len() > LARGE_REPAIR;
        self.find_anew(graph, estimates, &mut repair);
        if is_large {
            // Each of its many buckets would keep the memory of the largest one.
            repair.queue = PriceQueue::default();
        }
        self.repair = repair;
        self.settle(log.len());
        if self.limit == self.widest {
            self.stale = 0.0;
        }
    }

    /// What a node offers its neighbours.
    #[inline]
    fn price(&self, node: NodeId) -> f64 {
        if node == self.home.node {
            return 0.0;
        }
        let label = self.labels[node as usize];
        label.cost + label.entry
    }

    /// The nodes from which a road leads to `node`, and what it costs them to go over `node` if it
    /// offers `price`.
    #[inline]
    fn offers<'a>(
        &self,
        graph: &'a Graph,
        node: NodeId,
        price: f64,
    ) -> impl Iterator<Item = (NodeId, f64)> + use<'a> {
        let per_time = price_of_time(&self.home);
        let roads = Row::of(graph, Heading::There, node).timed();
        roads.map(move |(from, time)| (from, price + per_time * time))
    }

    /// The nodes to which a road leads from `node`, and what it costs to go over each of them.
    #[inline]
    fn choices<'a>(
        &'a self,
        graph: &'a Graph,
        node: NodeId,
    ) -> impl Iterator<Item = (NodeId, f64)> + 'a {
        let per_time = price_of_time(&self.home);
        let roads = Row::of(graph, Heading::FromHere, node).timed();
        roads.map(move |(to, time)| (to, self.price(to) + per_time * time))
    }

    /// Queues the nodes that go over `node` if it offers `price`.
    fn doubt_around(&self, graph: &Graph, node: NodeId, price: f64, repair: &mut Repair) {
        for (from, offer) in self.offers(graph, node, price) {
            if self.labels[from as usize].cost == offer && from != self.home.node {
                if offer <= self.limit {
                    repair.queue.push(offer, from);
                } else {
                    repair.doubted.push((offer, from));
                }
            }
        }
    }

    /// Finds the nodes that no longer get their cost from any neighbour, in order of cost: then it
    /// is known of all cheaper nodes whether they are lost.
    fn find_lost(&self, graph: &Graph, repair: &mut Repair) {
        let cost_of = |node: NodeId| self.labels[node as usize].cost;
        while let Some((cost, node)) = repair.queue.pop(|_| (), |_| true) {
            // The cost of a node that was doubted in an earlier repair may have fallen since.
            if repair.is_lost[node as usize] || cost != cost_of(node) {
                continue;
            }
            // Only a strictly cheaper neighbour counts: two nodes must not hold each other.
            let holds = |(u, offer): (NodeId, f64)| {
                (u == self.home.node || cost_of(u) < cost)
                    && offer <= cost
                    && !repair.is_lost[u as usize]
            };
            if self.choices(graph, node).any(holds) {
                continue;
            }
            repair.is_lost[node as usize] = true;
            repair.lost.push(node);
            // What it used to offer: its own entry cost may have changed, too.
            let changed = repair.changed.binary_search_by_key(&node, |&(changed, _)| changed);
            let now = self.labels[node as usize].entry;
            let entry = changed.map_or(now, |place| repair.changed[place].1);
            self.doubt_around(graph, node, cost + entry, repair);
        }
    }

    /// Finds the costs of lost nodes, and what became cheaper.
    fn find_anew(&mut self, graph: &Graph, estimates: &Estimates, repair: &mut Repair) {
        repair.queue.drain(|_, _| ());
        for &node in &repair.lost {
            self.labels[node as usize].cost = f64::INFINITY;
        }
        let mut lost = std::mem::take(&mut repair.lost);
        for node in lost.drain(..) {
            repair.is_lost[node as usize] = false;
            let best = self.best_offer(graph, node);
            self.offer(node, best, repair);
        }
        repair.lost = lost;
        for place in 0..repair.changed.len() {
            self.offer_around(graph, repair.changed[place].0, repair);
        }
        take_up(&mut repair.offered, self.limit, &mut repair.queue);
        while let Some((offer, node)) = repair.queue.pop(|_| (), |_| true) {
            let known = self.labels[node as usize];
            if offer >= known.cost {
                continue;
            }
            // An offer from an earlier repair may be void.
            let best = self.best_offer(graph, node);
            if best > offer {
                self.offer(node, best, repair);
                continue;
            }
            if known.cost == f64::INFINITY {
                if known.entry == BEYOND.entry {
                    self.members.push(node);
                }
                let entry = self.home.gap(estimates, node) + self.step;
                self.labels[node as usize].entry = entry;
            }
            self.labels[node as usize].cost = best;
            self.offer_around(graph, node, repair);
        }
    }

    /// The least that it costs to go over any neighbour.
    #[inline]
    fn best_offer(&self, graph: &Graph, node: NodeId) -> f64 {
        let others = self.choices(graph, node).filter(|&(u, _)| u != node);
        others.map(|(_, offer)| offer).fold(f64::INFINITY, f64::min)
    }

    /// Offers what a node costs beyond to its neighbours.
    #[inline]
    fn offer_around(&self, graph: &Graph, node: NodeId, repair: &mut Repair) {
        let price = self.price(node);
        if price <= self.widest {
            for (from, offer) in self.offers(graph, node, price) {
                self.offer(from, offer, repair);
            }
        }
    }

    /// Queues a node if this cost is lower than its own.
    #[inline]
    fn offer(&self, node: NodeId, price: f64, repair: &mut Repair) {
        let known = self.labels[node as usize].cost;
        if price >= known || price > self.widest || price == f64::INFINITY {
            return;
        }
        if price <= self.limit {
            repair.queue.push(price, node);
            return;
        }
        repair.offered.push((price, node));
        // Its cost may come from the node that makes this offer, at an earlier price. If that node is
        // lost later, its last price does not lead to this one.
        if known < f64::INFINITY {
            repair.doubted.push((known, node));
        }
    }
}

/// Moves what costs at most `limit` to the queue.
fn take_up(waiting: &mut Vec<(f64, NodeId)>, limit: f64, queue: &mut PriceQueue) {
    waiting.retain(|&(cost, node)| {
        if cost <= limit {
            queue.push(cost, node);
        }
        cost > limit
    });
}

/// The cost of a unit of time on the road.
pub(super) fn price_of_time(home: &Leader) -> f64 {
    home.mean.max(0.0)
}

/// Searches from home as far as `radius`; once it has reached here, as far as `reach` says. Returns
/// how far it came.
fn search_by_node(
    now: &Situation<'_>,
    entry: impl Fn(NodeId) -> f64,
    home: NodeId,
    paths: &mut CheapestPaths,
    (radius, reach): (f64, impl Fn(f64) -> f64),
) -> f64 {
    paths.begin(now.graph, home);
    let mut radius = if now.at == home { reach(0.0) } else { radius };
    while let Some(expanded) = paths.step(now.graph, &entry, |_, _| true, |_, _| true) {
        if expanded.price > radius {
            return radius;
        }
        if expanded.new.contains(&now.at) {
            radius = reach(expanded.price);
        }
    }
    f64::INFINITY
}

/// The same on roads that run one way or take time.
fn search_by_road(
    now: &Situation<'_>,
    costs: &RoadCosts<impl Fn(NodeId) -> f64>,
    home: NodeId,
    paths: &mut CheapestPaths,
    (radius, reach): (f64, impl Fn(f64) -> f64),
) -> f64 {
    paths.start_roads(now.graph, [home]);
    let mut radius = radius;
    while let Some((cost, node)) = paths.settle() {
        if cost > radius {
            return radius;
        }
        if node == now.at {
            radius = reach(cost);
        }
        paths.offer((now.graph, Heading::There), costs, (cost, node), |_, _| true);
    }
    f64::INFINITY
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::graph::Road;
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

    /// The same edges as roads with times of few values, some of them one way.
    fn by_road(graph: &Graph, stream: &mut Stream) -> Graph {
        let nodes = graph.len() as NodeId;
        let ring = (0..nodes).map(|from| Road { from, to: (from + 1) % nodes, time: 1.0 });
        let mut roads: Vec<Road> = ring.collect();
        for road in graph.all_roads().filter(|road| road.to != (road.from + 1) % nodes) {
            if stream.below(4) > 0 {
                roads.push(Road { time: [0.0, 0.5, 2.0][stream.below(3) as usize], ..road });
            }
        }
        Graph::from_roads(graph.len(), roads).unwrap()
    }

    /// The costs of all ways home.
    fn search_all(paths: &mut CheapestPaths, graph: &Graph, home: &Leader, estimates: &Estimates) {
        let entry = |node| home.gap(estimates, node) + 1e-9;
        if graph.roads().is_some() {
            let costs = RoadCosts { entry, time: home.mean };
            paths.search_all_roads((graph, Heading::There), &costs, [home.node]);
        } else {
            paths.search(graph, entry, [home.node], None);
        }
    }

    #[test]
    fn repaired_costs_are_those_of_a_new_search() {
        let mut stream = Seed(14).stream();
        let (mut paths, mut repaired, mut known) = (CheapestPaths::default(), 0, 0);
        let (mut near, mut old) = (0, [0, 0]);
        for case in 0..240 {
            let graph = match case % 4 {
                0 => Graph::grid(12, 9),
                1 => Graph::geometric(90, 0.2, Seed(case)),
                2 => Graph::tree(80, 3),
                _ => Graph::circle(70),
            };
            let (mut graph, kind) = (graph.unwrap(), case as usize / 4 % 3);
            let is_by_road = case >= 120;
            if is_by_road {
                graph = by_road(&graph, &mut stream);
            }
            let mut estimates = Estimates::new(graph.len());
            for node in graph.nodes() {
                estimates.push(node, reward(kind, &mut stream));
            }
            let home = stream.below(graph.len() as u64) as NodeId;
            estimates.push(home, 1e10);
            let leader = Leader { node: home, mean: estimates.estimate(home).mean };
            let mut costs = HomeCosts::new(1e-9);
            let (mut log, mut is_current) = (Vec::new(), true);
            for round in 0..30 {
                let at = stream.below(graph.len() as u64) as NodeId;
                let clock = Clock::default();
                let now = Situation { graph: &graph, at, estimates: &estimates, clock: &clock };
                let reach = |straight: f64| [1.0, 1.4, 6.0][case as usize % 3] * straight;
                if round % 10 == 0 {
                    let radius = [f64::INFINITY, 2.0][round / 10 % 2];
                    costs.search(&now, &leader, &mut paths, (radius, log.len()), reach);
                    assert!(radius < f64::INFINITY || costs.of(at) < f64::INFINITY);
                    assert!(costs.is_for(&leader));
                    is_current = true;
                }
                search_all(&mut paths, &graph, &leader, &estimates);
                for node in graph.nodes().filter(|_| is_current) {
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
                log.extend(visited);
                costs.doubt(&estimates, &log);
                search_all(&mut paths, &graph, &leader, &estimates);
                for node in graph.nodes() {
                    let (least, cost) = (costs.at_least(node), paths.cost(node));
                    assert!(least <= cost, "{case} {round}: {least} {cost}");
                    near += usize::from(least > 0.9 * cost && cost > 0.0);
                    let was = costs.was_at_least(node);
                    assert!(was <= cost, "{case} {round}: {was} {cost}");
                    old[usize::from(is_by_road)] +=
                        usize::from(costs.of(node) == f64::INFINITY && was > least);
                }
                if stream.below(3) > 0 {
                    let share = [0.2, 0.7, f64::INFINITY][stream.below(3) as usize];
                    let limit = share * (paths.cost(at) + 1e-9);
                    costs.repair(&graph, &estimates, &log, limit);
                }
                is_current = costs.seen == log.len();
            }
        }
        assert!(repaired > 10_000 && known > 100_000, "{repaired} {known}");
        assert!(near > 10_000 && old.iter().all(|&old| old > 1_000), "{near} {old:?}");
    }
}
