//! The search for trips from where the agent stands.

use super::distances::Distances;
use super::districts::Districts;
use super::improvements::Improvements;
use super::prices::Prices;
use super::visits::VisitsToGain;
use super::{Choice, ENDLESS, MARGIN};
use crate::agent::Situation;
use crate::exact::exact;
use crate::graph::{Graph, NodeId};
use crate::index::ExpectedImprovement;
use crate::plan::{CheapestPaths, Heading};
use crate::planner::foresight::Foresight;
use crate::schedule::Amortized;

/// The number of nodes expanded before the first look around; doubles every time while many nodes
/// may win.
const FIRST_LOOK: usize = 512;

/// While few nodes may win, the search looks around each time it has expanded this fraction (one in
/// `LOOKS`) of the nodes reached so far. A look goes over all nodes that wait, which are among the nodes
/// reached. So looks cost little, even at hubs.
const LOOKS: usize = 8;

/// If at most this many nodes may win, the search heads for them.
const FEW: usize = 32;

/// The search for trips from where the agent stands.
#[derive(Debug, Clone, Default)]
pub(super) struct Search {
    pub(super) out: CheapestPaths,
    /// The price that the search has come to.
    pub(super) price: f64,
    /// The cost of the first node reached that the path home leads over.
    met: f64,
    /// The hops of the trip to each node reached.
    hops: Vec<u32>,
    /// The time of its roads, if roads run one way or take time.
    extra: Vec<f64>,
    /// The last search that priced the node.
    priced: Vec<u32>,
    number: u32,
    /// Nodes reached at the current price: a tie may still change their trip.
    fresh: Vec<NodeId>,
    /// Nodes reached from the node just expanded.
    reached: Vec<NodeId>,
    /// Nodes that may win and are not priced yet.
    far: Vec<Far>,
    manner: Manner,
    /// The price of the first node passed over: trips that cost more may not be the cheapest.
    passed: f64,
    /// Nodes that may win.
    candidates: Vec<Candidate>,
    /// Nodes that may win, though it is not known how far they are from home.
    unsure: Vec<Unsure>,
    /// What a node must be worth to win, and the most that a node not priced yet may gain, when that
    /// was last looked at.
    floor: f64,
    highest: f64,
    progress: Progress,
}

/// How far a search has come.
#[derive(Debug, Clone, Copy, Default)]
struct Progress {
    /// The nodes to expand until the next look around.
    steps: usize,
    has_looked: bool,
    /// Whether no other node may win, apart from `unsure` ones.
    is_over: bool,
}

/// Which nodes a search expands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Manner {
    /// All.
    Near,
    /// Those that may lead to a bargain.
    #[default]
    Around,
    /// Those that may lead to one of `far` in time.
    Heading,
    /// Those that may be on a cheapest trip to one of `far`; only these are priced.
    Checking,
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// No other node may win.
    Found,
    /// To go on, more must be known about the path home.
    Asks,
    /// It has reached as many nodes as it may.
    Tired,
}

/// A node that may win.
#[derive(Debug, Clone, Copy)]
struct Far {
    node: NodeId,
    /// The most time of a trip there.
    time: f64,
    /// The most that a trip there costs.
    out: f64,
}

/// A node that may be the best bargain.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    node: NodeId,
    score: f64,
    price: f64,
    /// The score per price.
    worth: f64,
}

/// A node that may be the best bargain, though it is not known how far it is from home.
#[derive(Debug, Clone, Copy)]
struct Unsure {
    node: NodeId,
    /// The most that its score may be.
    most: f64,
    /// The least that it may cost.
    price: f64,
    /// The part of the price that is for the stay; the rest is for the detour.
    stay: f64,
    /// The cost of the trip there.
    out: f64,
}

impl Unsure {
    /// Whether it may be worth this much.
    fn may_reach(&self, floor: f64) -> bool {
        self.most / self.price * (1.0 + MARGIN) >= floor
    }
}

/// What is known about nodes that are not priced yet.
#[derive(Debug, Clone)]
pub(super) struct Bounds<'a> {
    pub(super) improvements: &'a Improvements,
    pub(super) distances: &'a Distances,
    pub(super) districts: &'a Districts,
    pub(super) scores: &'a ExpectedImprovement,
    pub(super) stays: Amortized,
    pub(super) foresight: Foresight,
    /// Nodes worth less than this do not win.
    pub(super) floor: f64,
    /// The highest upper bound on a score of a node that is not priced yet.
    pub(super) highest: f64,
}

impl Search {
    /// The number of nodes that the search has memory for.
    pub(super) fn nodes(&self) -> usize {
        self.hops.len()
    }

    /// Makes memory for this many nodes.
    pub(super) fn resize(&mut self, graph: &Graph) {
        let nodes = graph.len();
        self.hops.resize(nodes, 0);
        self.extra = vec![0.0; if graph.roads().is_some() { nodes } else { 0 }];
        self.priced = vec![0; nodes];
        self.number = 0;
    }

    /// Finds all nodes that may be the best bargain. A search that asked for more about the path home
    /// `goes_on`.
    pub(super) fn run(&mut self, prices: &Prices<'_>, bounds: &Bounds<'_>, goes_on: bool) -> End {
        // Where roads run one way or take time, all trips may have been too dear before.
        let end = if goes_on && !prices.are_by_road() {
            self.resume(prices, &mut bounds.clone())
        } else {
            self.find(prices, &mut bounds.clone(), Manner::Heading)
        };
        let may_err = self.manner == Manner::Heading;
        if end == End::Found && may_err && !self.are_certain(prices, &mut bounds.clone()) {
            return self.find(prices, &mut bounds.clone(), Manner::Around);
        }
        end
    }

    /// Whether the best candidates are what they seem to be. A trip around nodes that were passed
    /// over costs more than the cheapest, but may have fewer hops: it may look better than the
    /// cheapest trip is. Whatever is worth less than the best does not matter, if the best are what
    /// they seem to be.
    fn are_certain(&mut self, prices: &Prices<'_>, bounds: &mut Bounds<'_>) -> bool {
        self.keep_the_best();
        let cost = |candidate: &Candidate| self.out.cost(candidate.node);
        let dearest = self.candidates.iter().map(cost).fold(f64::NEG_INFINITY, f64::max);
        if dearest < self.passed {
            return true;
        }
        // Asking about many nodes at every step takes longer than searching everywhere.
        if self.candidates.len() > FEW {
            return false;
        }
        let trip = |candidate: &Candidate| Far {
            node: candidate.node,
            time: f64::INFINITY,
            out: cost(candidate) * (1.0 + MARGIN) + prices.step,
        };
        let trips: Vec<Far> = self.candidates.iter().map(trip).collect();
        let mut seeming = std::mem::take(&mut self.candidates);
        self.begin(prices.now, Manner::Checking);
        self.far = trips;
        // The last nodes reached are priced when a dearer one is expanded.
        while self.price <= dearest && self.expand(prices, bounds) {}
        self.price_fresh(prices, bounds);
        seeming.sort_unstable_by_key(|candidate| candidate.node);
        self.candidates.sort_unstable_by_key(|candidate| candidate.node);
        self.candidates == seeming
    }

    /// Whether the last search checked the trips to the best candidates.
    #[cfg(test)]
    pub(super) fn has_checked(&self) -> bool {
        self.manner == Manner::Checking
    }

    /// The best of the candidates, or home.
    pub(super) fn decide(
        &mut self,
        visits: &mut VisitsToGain<'_>,
        improvements: &mut Improvements,
    ) -> Choice {
        let best = self.keep_the_best();
        let is_bargain = match self.candidates[..] {
            [] => Some(false),
            [_] => visits.make_bargain(best, improvements),
            _ => None,
        };
        match is_bargain {
            Some(true) => Choice::Trip(self.candidates[0].node),
            Some(false) => Choice::Home,
            None => self.compare(visits.exactly()),
        }
    }

    /// Searches until `near` nodes are reached, and prices those that are cheaper to reach than the
    /// last of them.
    pub(super) fn find_near(
        &mut self,
        prices: &Prices<'_>,
        bounds: &mut Bounds<'_>,
        near: usize,
    ) -> End {
        self.begin(prices.now, Manner::Near);
        while self.expand(prices, bounds) {
            // Nodes of this price are not priced yet; all cheaper ones are.
            if self.out.reached().len() >= near {
                return if self.end(bounds) == End::Found { End::Tired } else { End::Asks };
            }
            if !prices.are_free(self.price, self.explored()) {
                return End::Asks;
            }
        }
        self.price_fresh(prices, bounds);
        self.end(bounds)
    }

    /// Searches until no other node may win.
    fn find(&mut self, prices: &Prices<'_>, bounds: &mut Bounds<'_>, manner: Manner) -> End {
        self.begin(prices.now, manner);
        self.progress = Progress { steps: FIRST_LOOK, ..Progress::default() };
        self.go_on(prices, bounds)
    }

    /// Goes on with a search that asked for more about the path home. What it found stays true: a trip
    /// was priced only if it needs no detour or the way home was known, and a node was passed over only
    /// if it leads to no bargain, however long the way home is.
    fn resume(&mut self, prices: &Prices<'_>, bounds: &mut Bounds<'_>) -> End {
        bounds.floor = bounds.floor.max(self.floor);
        bounds.highest = self.highest;
        let mut unsure = std::mem::take(&mut self.unsure);
        for unsure in unsure.drain(..) {
            self.price_node(prices, bounds, unsure.node);
        }
        if self.progress.is_over {
            return self.end(bounds);
        }
        if self.progress.has_looked {
            self.look_around(prices, bounds);
        }
        self.go_on(prices, bounds)
    }

    fn go_on(&mut self, prices: &Prices<'_>, bounds: &mut Bounds<'_>) -> End {
        loop {
            let mut is_free = true;
            for _ in 0..self.progress.steps {
                if !self.expand(prices, bounds) {
                    self.price_fresh(prices, bounds);
                    self.progress.is_over = true;
                    return self.end(bounds);
                }
                is_free = prices.are_free(self.price, self.explored());
                if !is_free {
                    break;
                }
            }
            if prices.are_by_road() && self.end(bounds) == End::Asks {
                return End::Asks;
            }
            self.look_around(prices, bounds);
            self.progress.is_over = self.far.is_empty();
            let end = self.end(bounds);
            if self.progress.is_over {
                return end;
            }
            if !is_free {
                return End::Asks;
            }
            self.progress.steps = if self.far.len() <= FEW {
                FIRST_LOOK.max(self.out.reached().len() / LOOKS)
            } else {
                2 * self.progress.steps
            };
        }
    }

    /// How a search ends that has nothing left to do: it asks if a node that may win is so far from
    /// home that it is not known how far.
    fn end(&mut self, bounds: &Bounds<'_>) -> End {
        (self.floor, self.highest) = (bounds.floor, bounds.highest);
        let is_unsure = self.unsure.iter().any(|unsure| unsure.may_reach(bounds.floor));
        if is_unsure { End::Asks } else { End::Found }
    }

    /// How far from home all costs must be known to decide about all nodes that are not sure now.
    pub(super) fn wanted(&self, prices: &Prices<'_>) -> f64 {
        let unsure = self.unsure.iter().filter(|unsure| unsure.may_reach(self.floor));
        let wanted = unsure.map(|unsure| {
            prices.radius_that_decides(unsure.out, unsure.most / self.floor - unsure.stay)
        });
        wanted.fold(0.0, f64::max)
    }

    fn begin(&mut self, now: &Situation<'_>, manner: Manner) {
        self.manner = manner;
        self.number += 1;
        self.passed = f64::INFINITY;
        self.met = f64::INFINITY;
        self.candidates.clear();
        self.unsure.clear();
        self.far.clear();
        self.fresh.clear();
        if now.graph.roads().is_some() {
            self.out.start_roads(now.graph, [now.at]);
        } else {
            self.out.begin(now.graph, now.at);
            self.hops[now.at as usize] = 0;
            self.fresh.push(now.at);
        }
        self.price = f64::NEG_INFINITY;
    }

    /// The time of the trip to a node.
    #[inline]
    fn time(&self, node: NodeId) -> f64 {
        f64::from(self.hops[node as usize]) + self.extra.get(node as usize).unwrap_or(&0.0)
    }

    /// Whether only nodes that lead to one of `far` are expanded.
    #[inline]
    fn is_heading(&self) -> bool {
        match self.manner {
            Manner::Near | Manner::Around => false,
            Manner::Heading => (1..=FEW).contains(&self.far.len()),
            Manner::Checking => true,
        }
    }

    /// No node that the path home leads over costs less to reach than this.
    fn explored(&self) -> f64 {
        self.price.min(self.passed).min(self.met)
    }

    /// Expands a node, and prices those reached at a lower price; false if none waits.
    #[inline]
    fn expand(&mut self, prices: &Prices<'_>, bounds: &mut Bounds<'_>) -> bool {
        if prices.are_by_road() {
            return self.expand_by_road(prices, bounds);
        }
        let graph = prices.now.graph;
        let dearest = bounds.highest / bounds.floor + prices.step;
        let is_near = self.manner == Manner::Near;
        let admits = |node, beyond| is_near || prices.leads_to_bargain(node, beyond, dearest);
        let is_heading = self.is_heading();
        let (hops, far, passed) = (&self.hops, &self.far, &mut self.passed);
        let is_on_the_way = |price: f64, node: NodeId| {
            let so_far = f64::from(hops[node as usize]);
            let is_on_the_way = !is_heading || leads_on(far, prices, bounds, (price, so_far), node);
            if !is_on_the_way {
                *passed = passed.min(price);
            }
            is_on_the_way
        };
        let entry = |node| prices.entry(node);
        let Some(expanded) = self.out.step(graph, entry, admits, is_on_the_way) else {
            return false;
        };
        let node = expanded.node;
        self.reached.clear();
        self.reached.extend_from_slice(expanded.new);
        let hops = self.hops[node as usize] + 1;
        let price = expanded.price;
        if let Some(table) = prices.table_ahead()
            && self.met == f64::INFINITY
            && self.reached.iter().any(|&node| table.of(node) < f64::INFINITY)
        {
            self.met = price;
        }
        if price > self.price {
            self.price = price;
            self.price_fresh(prices, bounds);
        } else {
            // Of two nodes of the same price, the trip leads over the lower number.
            for &neighbor in graph.neighborhood(node) {
                if self.out.cost(neighbor) == price && self.out.next(neighbor) == node {
                    self.hops[neighbor as usize] = hops;
                }
            }
        }
        let mut read = 0;
        for &node in &self.reached {
            self.hops[node as usize] = hops;
            read ^= bounds.improvements.at_most(node).to_bits();
        }
        // Read now, the bounds are at hand when the nodes are priced.
        std::hint::black_box(read);
        self.fresh.append(&mut self.reached);
        true
    }

    /// The same on roads that run one way or take time: there a trip is final when its end is
    /// expanded.
    #[inline]
    fn expand_by_road(&mut self, prices: &Prices<'_>, bounds: &mut Bounds<'_>) -> bool {
        let Some((cost, node)) = self.out.settle() else { return false };
        let graph = prices.now.graph;
        self.price = cost;
        let before = self.out.next(node);
        let is_start = before == node;
        let (hops, extra) = if is_start {
            (0, 0.0)
        } else {
            let road = graph.travel(before, node).unwrap_or(0.0);
            (self.hops[before as usize] + 1, self.extra[before as usize] + road)
        };
        (self.hops[node as usize], self.extra[node as usize]) = (hops, extra);
        self.fresh.push(node);
        self.price_fresh(prices, bounds);

        let price = if is_start { cost } else { cost + prices.entry(node) };
        if self.is_heading() && !leads_on(&self.far, prices, bounds, (price, self.time(node)), node)
        {
            self.passed = self.passed.min(price);
            return true;
        }
        let dearest = bounds.highest / bounds.floor + prices.step;
        let admits = |to, offer| prices.leads_to_bargain(to, offer + prices.entry(to), dearest);
        let from_here = (graph, Heading::FromHere);
        self.out.offer(from_here, &prices.on_roads(), (cost, node), admits);
        true
    }

    /// Prices the nodes whose trips are final.
    fn price_fresh(&mut self, prices: &Prices<'_>, bounds: &mut Bounds<'_>) {
        let is_checking = self.manner == Manner::Checking;
        let mut fresh = std::mem::take(&mut self.fresh);
        for node in fresh.drain(..) {
            self.priced[node as usize] = self.number;
            if is_checking && !self.far.iter().any(|far| far.node == node) {
                continue;
            }
            if bounds.foresight.counts() && node == prices.now.at && node != prices.leader.node {
                self.price_here(prices, bounds);
            } else {
                self.price_node(prices, bounds, node);
            }
        }
        self.fresh = fresh;
    }

    /// Prices more visits to the rival on which the agent stands, with foresight. To stay is not a
    /// detour.
    fn price_here(&mut self, prices: &Prices<'_>, bounds: &mut Bounds<'_>) {
        let (estimates, node) = (prices.now.estimates, prices.now.at);
        let stay = bounds.stays.visits(estimates.count(node), 0.0);
        let price = prices.leader.gap(estimates, node) * exact(stay) + prices.step;
        let straight = prices.home.straight().expect("foresight has asked for the path home");
        let score = bounds.scores.of(estimates, node) * bounds.foresight.factor(straight, price);
        let worth = score / price;
        if worth >= bounds.floor {
            self.admit(Candidate { node, score, price, worth }, bounds);
        }
    }

    /// Remembers a node that may win.
    fn admit(&mut self, candidate: Candidate, bounds: &mut Bounds<'_>) {
        bounds.floor = bounds.floor.max(candidate.worth * (1.0 - MARGIN));
        self.candidates.push(candidate);
    }

    /// Prices a node whose trip is final.
    #[inline]
    fn price_node(&mut self, prices: &Prices<'_>, bounds: &mut Bounds<'_>, node: NodeId) {
        let estimates = prices.now.estimates;
        let most = bounds.improvements.at_most(node);
        let gap = prices.leader.gap(estimates, node);
        if most < bounds.floor * (gap + prices.step) {
            return;
        }
        let out = self.out.cost(node);
        let detour = prices.detour(node, out);
        let stay = bounds.stays.visits(estimates.count(node), self.time(node));
        let price = detour + gap * exact(stay) + prices.step;
        if most < bounds.floor * price {
            return;
        }
        let score = bounds.scores.of(estimates, node);
        let worth = score / price;
        if worth < bounds.floor {
            return;
        }
        if prices.is_detour_known(node, out) {
            self.admit(Candidate { node, score, price, worth }, bounds);
        } else {
            self.unsure.push(Unsure { node, most: score, price, stay: price - detour, out });
        }
    }

    /// Finds the nodes that may win though the search has not priced them.
    fn look_around(&mut self, prices: &Prices<'_>, bounds: &mut Bounds<'_>) {
        // The trip to a node not reached leads over a node that waits.
        let waiting = self.out.waiting().map(|node| self.hops[node as usize] + 1);
        let fresh = self.fresh.iter().map(|&node| self.hops[node as usize]);
        let time = if prices.are_by_road() {
            0.0
        } else {
            f64::from(waiting.chain(fresh).min().unwrap_or(0))
        };
        let (estimates, at) = (prices.now.estimates, prices.now.at);
        let (floor, distances, stays) = (bounds.floor, bounds.distances, bounds.stays);
        let (priced, number, price) = (&self.priced, self.number, self.price);
        let (improvements, scores) = (bounds.improvements, bounds.scores);
        let mut highest = 0.0_f64;
        let mut may_win = |node: NodeId| {
            let most = improvements.at_most(node);
            let gap = prices.leader.gap(estimates, node);
            if priced[node as usize] == number || most < floor * (gap + prices.step) {
                return None;
            }
            let count = estimates.count(node);
            let visits = stays.visits(count, time.max(distances.bound(at, node)));
            let stay = gap * exact(visits) + prices.step;
            // The home costs are looked up last: most nodes are too far away by time alone.
            if most < floor * stay || most < floor * (prices.least_detour(node, price) + stay) {
                return None;
            }
            let most = most.min(scores.between(estimates, node).1 * (1.0 + MARGIN));
            if most < floor * (prices.least_detour(node, price) + stay) {
                return None;
            }
            highest = highest.max(most);
            let out = prices.dearest_trip(node, most / floor - stay);
            // The time at which the visits alone cost too much, rounded up.
            let affordable = (most / floor - prices.step) / gap + 2.0;
            let affordable = if affordable < ENDLESS { affordable } else { f64::INFINITY };
            let time = (affordable - stays.growth * exact(count)) / stays.per_hop * (1.0 + MARGIN);
            Some(Far { node, time: if time.is_nan() { f64::INFINITY } else { time }, out })
        };
        if self.progress.has_looked {
            let mut kept = 0;
            for place in 0..self.far.len() {
                if let Some(far) = may_win(self.far[place].node) {
                    self.far[kept] = far;
                    kept += 1;
                }
            }
            self.far.truncate(kept);
        } else {
            let far = &mut self.far;
            let here = distances.coordinates(at);
            let least_time = |district| time.max(bounds.districts.time(&here, district));
            improvements.contenders(bounds.districts, (floor, stays), least_time, |node| {
                far.extend(may_win(node));
            });
        }
        bounds.highest = highest;
        self.progress.has_looked = true;
    }

    /// Keeps only the candidates that are worth about as much as the best; returns its worth.
    fn keep_the_best(&mut self) -> f64 {
        let worth = self.candidates.iter().map(|candidate| candidate.worth);
        let best = worth.fold(0.0, f64::max);
        self.candidates.retain(|candidate| candidate.worth >= best * (1.0 - MARGIN));
        best
    }

    /// The best of the candidates, or home, compared as [`Bargain`](super::Bargain) compares all
    /// nodes.
    fn compare(&mut self, visits: f64) -> Choice {
        self.candidates.sort_unstable_by_key(|candidate| candidate.node);
        let (mut best, mut ratio) = (Choice::Home, 1.0);
        for candidate in &self.candidates {
            let gain = visits * candidate.score;
            if gain > ratio * candidate.price {
                (best, ratio) = (Choice::Trip(candidate.node), gain / candidate.price);
            }
        }
        best
    }
}

/// Whether a trip to one of `far` may lead over a node that it leaves at this price, after this time.
#[inline]
fn leads_on(
    far: &[Far],
    prices: &Prices<'_>,
    bounds: &Bounds<'_>,
    (price, time): (f64, f64),
    node: NodeId,
) -> bool {
    far.iter().any(|far| {
        price + prices.least_between(node, far.node) <= far.out
            && time + bounds.distances.bound(node, far.node) <= far.time
    })
}
