//! The best bargain on a large graph, without pricing every node.
//!
//! [`Bargain`](super::Bargain) goes to the node of highest `gain / price`, if that is above 1. The
//! gain is `visits x score`, where `visits` is the same for all nodes. So the node is the one of
//! highest `score / price`, and `visits` decides only whether it is worth going at all. Here
//! - `visits` is known within bounds, because scores are ([`Improvements`]);
//! - the cost of the way home is kept from leg to leg ([`HomeCosts`]);
//! - the search for trips ends where no bargain can be. A node that the search has not reached
//!   costs at least as much as the last one it did, is at least as many hops away as the hops of
//!   static landmarks differ, and gains at most its upper bound;
//! - the search skips a node if the way over it makes every trip too dear. With `c` for entry
//!   costs, `detour(v) + c(v) / 2 >= out(u) + c(u) + home(u) / 2 - straight` for every node `u` on
//!   the trip to `v`, by the triangle inequality.
//!
//! **The same answer as pricing every node, to the bit.** Trips, detours, prices and scores of
//! nodes that may win are computed as there. Nodes are excluded only by a margin far above rounding.
//! If two nodes are closer than that margin, or if the bounds on `visits` do not decide, all scores
//! are added up as there, and the nodes in question are compared as there.

mod home_costs;
mod improvements;

use super::trips::Trips;
use crate::agent::Situation;
use crate::exact::exact;
use crate::graph::{Landmarks, NodeId};
use crate::index::{ExpectedImprovement, Horizon, Leader};
use crate::plan::CheapestPaths;
use crate::schedule::Amortized;
use home_costs::HomeCosts;
use improvements::Improvements;

/// Below this many nodes, pricing every node is faster.
pub(super) const LARGE: usize = 1_000;

/// Closer than this share, nothing is decided by bounds.
const MARGIN: f64 = 1e-9;

/// The leaders for which costs of ways home are kept. A lucky node often leads only for a while.
const HOMES: usize = 3;

/// Landmarks for lower bounds on hops.
const LANDMARKS: usize = 4;

/// The number of nodes expanded before the first look around; doubles every time.
const FIRST_LOOK: usize = 128;

/// Up to this many nodes the search heads for.
const FEW: usize = 16;

/// Stays as long as this may be shorter than their formula says.
const ENDLESS: f64 = 9e18;

/// What a leg does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Trip(NodeId),
    Home,
}

/// A search for the best bargain that keeps what it can between legs.
#[derive(Debug, Clone)]
pub(super) struct Hunt {
    stays: Amortized,
    horizon: Horizon,
    step: f64,
    /// The nodes visited since the first plan, and the visits that are accounted for.
    log: Vec<NodeId>,
    visits: u64,
    is_known: bool,
    improvements: Improvements,
    homes: Vec<HomeCosts>,
    landmarks: Option<Landmarks>,
    /// The way home.
    straight: CheapestPaths,
    search: Search,
}

/// The search for trips from where the agent stands.
#[derive(Debug, Clone, Default)]
struct Search {
    out: CheapestPaths,
    /// The hops of the trip to each node reached.
    hops: Vec<u32>,
    /// The last search that priced the node.
    priced: Vec<u32>,
    number: u32,
    /// Nodes reached at the current price: a tie may still change their trip.
    fresh: Vec<NodeId>,
    /// Nodes reached from the node just expanded.
    reached: Vec<NodeId>,
    /// Nodes that may win and are not priced yet.
    far: Vec<Far>,
    /// Whether the search may pass over nodes that lead to none of `far` in time.
    heads: bool,
    /// The price of the first node passed over: trips that cost more may not be the cheapest.
    passed: f64,
    /// Nodes that may win.
    candidates: Vec<Candidate>,
}

/// A node that may win, and the most hops of a trip there.
#[derive(Debug, Clone, Copy)]
struct Far {
    node: NodeId,
    hops: f64,
}

/// A node that may be the best bargain.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    node: NodeId,
    score: f64,
    price: f64,
    /// The score per price.
    worth: f64,
}

/// What the pricing of a node needs to know.
struct Prices<'a> {
    now: &'a Situation<'a>,
    leader: Leader,
    step: f64,
    /// The cost of going home at once.
    straight: f64,
    /// `None` if the agent is at home: the way there is the way back.
    home: Option<&'a HomeCosts>,
}

impl Prices<'_> {
    #[inline]
    fn entry(&self, node: NodeId) -> f64 {
        self.leader.gap(self.now.estimates, node) + self.step
    }

    /// The cost of going to a node before going home, as [`Detours`](super::detours::Detours)
    /// computes it.
    #[inline]
    fn detour(&self, node: NodeId, out: f64) -> f64 {
        let back = self.home.map_or(out, |home| home.of(node));
        (out + super::detours::WAY_HOME * back - self.straight).max(0.0)
    }

    /// Less than the detour to a node if the trip there costs at least `out`.
    fn least_detour(&self, node: NodeId, out: f64) -> f64 {
        let Some(home) = self.home else { return self.detour(node, out) * (1.0 - MARGIN) };
        let back = home.of(node);
        if back == f64::INFINITY {
            // Trips that may win end within reach of home.
            return f64::INFINITY;
        }
        // The triangle of here, there and home; entry costs count once.
        let apart = (back - self.straight - self.entry(self.now.at))
            .max(self.straight - back - self.entry(node));
        let out = out.max(apart);
        (self.detour(node, out) - MARGIN * (out + back + self.straight)).max(0.0)
    }

    /// Whether a trip over a node may cost a detour of at most `most`, if it enters the node at a
    /// total cost of `beyond`.
    #[inline]
    fn leads_to_bargain(&self, node: NodeId, beyond: f64, most: f64) -> bool {
        let back = match self.home {
            Some(home) => home.of(node),
            None => beyond - self.entry(node),
        };
        let cost = beyond + super::detours::WAY_HOME * back;
        cost - self.straight <= most + MARGIN * (cost + self.straight)
    }
}

impl Hunt {
    pub(super) fn new(stays: Amortized, horizon: Horizon, step: f64) -> Self {
        Self {
            stays,
            horizon,
            step,
            log: Vec::new(),
            visits: 0,
            is_known: false,
            improvements: Improvements::new(step),
            homes: Vec::new(),
            landmarks: None,
            straight: CheapestPaths::default(),
            search: Search::default(),
        }
    }

    /// Records visits.
    #[inline]
    pub(super) fn visited(&mut self, node: NodeId, times: u64) {
        if self.is_known {
            self.visits += times;
            // Agents may hear of a long stay visit by visit.
            let is_new = self.improvements.seen < self.log.len();
            if !(is_new && self.log.last() == Some(&node)) {
                self.log.push(node);
            }
        }
    }

    /// Forgets all visits.
    pub(super) fn forget_visits(&mut self) {
        self.is_known = false;
    }

    /// Forgets all nodes and edges.
    pub(super) fn forget_graph(&mut self) {
        *self = Self::new(self.stays, self.horizon, self.step);
    }

    /// Plans the next leg if every node was visited.
    pub(super) fn plan(
        &mut self,
        now: &Situation<'_>,
        scores: &ExpectedImprovement,
        trips: &mut Trips,
    ) {
        self.catch_up(now, scores);
        match self.choose(now, scores) {
            Choice::Trip(node) => trips.lay_along(now, &self.search.out, node),
            Choice::Home => trips.lay_along(now, &self.straight, scores.leader().node),
        }
    }

    /// Accounts for all visits so far.
    fn catch_up(&mut self, now: &Situation<'_>, scores: &ExpectedImprovement) {
        let nodes = now.graph.len();
        let is_complete = self.is_known && self.visits == now.estimates.visits();
        if !is_complete || self.log.len() > 2 * nodes || self.search.hops.len() != nodes {
            self.improvements.forget();
            self.improvements.seen = 0;
            self.homes.clear();
            self.log.clear();
            self.search.hops.resize(nodes, 0);
            self.search.priced = vec![0; nodes];
            self.search.number = 0;
        }
        (self.is_known, self.visits) = (true, now.estimates.visits());
        let visited = &self.log[self.improvements.seen..];
        self.improvements.refresh(scores, now.estimates, visited);
        self.improvements.seen = self.log.len();
    }

    fn choose(&mut self, now: &Situation<'_>, scores: &ExpectedImprovement) -> Choice {
        let left = self.horizon.left(now.clock.now());
        let (least, most) = self.visits_to_gain(now, scores, left);
        let leader = scores.leader();
        let is_home = now.at == leader.node;
        // The most that a detour may cost.
        let dearest = most * self.improvements.highest().1;
        if is_home {
            self.straight.begin(now.graph, now.at);
        } else {
            self.know_the_way_home(now, &leader, dearest);
        }
        if most == 0.0 {
            return Choice::Home;
        }
        let prices = Prices {
            now,
            leader,
            step: self.step,
            straight: self.straight.cost(leader.node),
            home: if is_home { None } else { self.homes.first() },
        };
        let landmarks =
            self.landmarks.get_or_insert_with(|| Landmarks::with_width(now.graph, LANDMARKS));
        let mut bounds = Bounds {
            highest: self.improvements.highest().1,
            improvements: &mut self.improvements,
            landmarks,
            scores,
            stays: self.stays,
            floor: (1.0 - MARGIN) / most,
        };
        self.search.run(&prices, &mut bounds);
        let best = self.search.keep_the_best();
        match self.search.candidates[..] {
            [] => Choice::Home,
            [only] if least * best > 1.0 + MARGIN => Choice::Trip(only.node),
            _ => self.search.compare(exact_visits(now, scores, left)),
        }
    }

    /// Bounds on the factor that turns a score into a gain.
    fn visits_to_gain(
        &self,
        now: &Situation<'_>,
        scores: &ExpectedImprovement,
        left: f64,
    ) -> (f64, f64) {
        let (promising, highest) = self.improvements.highest();
        if highest <= 0.0 {
            return (0.0, 0.0);
        }
        let (least, most) = self.improvements.sum();
        if least > 0.0 && most < f64::INFINITY {
            let lowest = scores.of(now.estimates, promising);
            let bounds = (left * lowest / most, left * highest / least);
            return (bounds.0 * (1.0 - MARGIN), bounds.1 * (1.0 + MARGIN));
        }
        let visits = exact_visits(now, scores, left);
        (visits, visits)
    }

    /// Finds the way home, and what the ways home cost from all nodes on trips with a detour of at
    /// most `dearest`.
    fn know_the_way_home(&mut self, now: &Situation<'_>, leader: &Leader, dearest: f64) {
        let place = self.homes.iter().position(|home| home.is_for(leader));
        let mut home = match place {
            Some(place) => {
                let mut home = self.homes.remove(place);
                home.repair(now.graph, now.estimates, &self.log[home.seen..]);
                home
            }
            None if self.homes.len() == HOMES => self.homes.remove(HOMES - 1),
            None => HomeCosts::new(self.step),
        };
        // A trip that may win has `out + back / 2 <= straight + dearest`. And one may go home by
        // returning here first: `back <= out + entry + straight`, with the entry cost of this node.
        let entry = leader.gap(now.estimates, now.at) + self.step;
        let reach = |straight: f64| {
            2.0 / 3.0 * (2.0 * straight + dearest + entry) * (1.0 + MARGIN) + 2.0 * self.step
        };
        let here = || home.of(now.at);
        if place.is_none() || here() == f64::INFINITY || home.radius() < reach(here()) {
            home.search(now, leader, &mut self.straight, reach);
        }
        home.seen = self.log.len();
        self.walk_home(now, leader, &home);
        self.homes.insert(0, home);
    }

    /// Searches from here for the way home, only along cheapest ways.
    fn walk_home(&mut self, now: &Situation<'_>, leader: &Leader, home: &HomeCosts) {
        let entry = |node| leader.gap(now.estimates, node) + self.step;
        let limit = home.of(now.at) * (1.0 + MARGIN) + self.step;
        let admits = |node: NodeId, beyond: f64| beyond + home.of(node) <= limit;
        self.straight.begin(now.graph, now.at);
        let mut arrived = f64::INFINITY;
        while let Some(expanded) = self.straight.step(now.graph, entry, admits, |_, _| true) {
            // Other nodes of this price may still offer a lower number.
            if expanded.price > arrived {
                break;
            }
            if expanded.new.contains(&leader.node) {
                arrived = expanded.price;
            }
        }
    }
}

/// What is known about nodes that are not priced yet.
struct Bounds<'a> {
    improvements: &'a mut Improvements,
    landmarks: &'a Landmarks,
    scores: &'a ExpectedImprovement,
    stays: Amortized,
    /// Nodes worth less than this do not win.
    floor: f64,
    /// The highest upper bound on a score of a node that is not priced yet.
    highest: f64,
}

impl Search {
    /// Finds all nodes that may be the best bargain.
    fn run(&mut self, prices: &Prices<'_>, bounds: &mut Bounds<'_>) {
        let (floor, highest) = (bounds.floor, bounds.highest);
        self.heads = true;
        self.find(prices, bounds);
        // A trip around nodes that were passed over costs more, but may have fewer hops: it may
        // look better than the cheapest trip is.
        let is_certain = |candidate: &Candidate| self.out.cost(candidate.node) < self.passed;
        if !self.candidates.iter().all(is_certain) {
            (bounds.floor, bounds.highest) = (floor, highest);
            self.heads = false;
            self.find(prices, bounds);
        }
    }

    fn find(&mut self, prices: &Prices<'_>, bounds: &mut Bounds<'_>) {
        let now = prices.now;
        self.number += 1;
        self.passed = f64::INFINITY;
        self.candidates.clear();
        self.far.clear();
        self.out.begin(now.graph, now.at);
        self.hops[now.at as usize] = 0;
        self.fresh.clear();
        self.fresh.push(now.at);
        let mut price = f64::NEG_INFINITY;
        let mut steps = FIRST_LOOK;
        let mut is_first_look = true;
        loop {
            for _ in 0..steps {
                if !self.expand(prices, bounds, &mut price) {
                    self.price_fresh(prices, bounds);
                    return;
                }
            }
            self.look_around(prices, bounds, price, is_first_look);
            if self.far.is_empty() {
                return;
            }
            is_first_look = false;
            steps *= 2;
        }
    }

    /// Expands a node, and prices those reached at a lower price; false if none waits.
    #[inline]
    fn expand(&mut self, prices: &Prices<'_>, bounds: &mut Bounds<'_>, price: &mut f64) -> bool {
        let graph = prices.now.graph;
        let dearest = bounds.highest / bounds.floor + prices.step;
        let admits = |node, beyond| prices.leads_to_bargain(node, beyond, dearest);
        let is_heading = self.heads && (1..=FEW).contains(&self.far.len());
        let (hops, far, passed) = (&self.hops, &self.far, &mut self.passed);
        let is_on_the_way = |price: f64, node: NodeId| {
            let so_far = hops[node as usize];
            let in_time =
                |far: &Far| f64::from(so_far + bounds.landmarks.bound(node, far.node)) <= far.hops;
            let is_on_the_way = !is_heading || far.iter().any(in_time);
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
        if expanded.price > *price {
            *price = expanded.price;
            self.price_fresh(prices, bounds);
        } else {
            // Of two nodes of the same price, the trip leads over the lower number.
            for &neighbor in graph.neighborhood(node) {
                if self.out.cost(neighbor) == *price && self.out.next(neighbor) == node {
                    self.hops[neighbor as usize] = hops;
                }
            }
        }
        for &node in &self.reached {
            self.hops[node as usize] = hops;
        }
        self.fresh.append(&mut self.reached);
        true
    }

    /// Prices the nodes whose trips are final.
    fn price_fresh(&mut self, prices: &Prices<'_>, bounds: &mut Bounds<'_>) {
        let estimates = prices.now.estimates;
        for node in self.fresh.drain(..) {
            self.priced[node as usize] = self.number;
            let most = bounds.improvements.at_most(node);
            let gap = prices.leader.gap(estimates, node);
            if most < bounds.floor * (gap + prices.step) {
                continue;
            }
            let detour = prices.detour(node, self.out.cost(node));
            let time = f64::from(self.hops[node as usize]);
            let stay = bounds.stays.visits(estimates.count(node), time);
            let price = detour + gap * exact(stay) + prices.step;
            if most < bounds.floor * price {
                continue;
            }
            let score = bounds.scores.of(estimates, node);
            let worth = score / price;
            if worth >= bounds.floor {
                bounds.floor = bounds.floor.max(worth * (1.0 - MARGIN));
                self.candidates.push(Candidate { node, score, price, worth });
            }
        }
    }

    /// Finds the nodes that may win though the search, which has come to `price`, has not priced
    /// them.
    fn look_around(
        &mut self,
        prices: &Prices<'_>,
        bounds: &mut Bounds<'_>,
        price: f64,
        is_first: bool,
    ) {
        // The trip to a node not reached leads over a node that waits.
        let waiting = self.out.waiting().map(|node| self.hops[node as usize] + 1);
        let fresh = self.fresh.iter().map(|&node| self.hops[node as usize]);
        let hops = waiting.chain(fresh).min().unwrap_or(0);
        let (estimates, at) = (prices.now.estimates, prices.now.at);
        let (floor, landmarks, stays) = (bounds.floor, bounds.landmarks, bounds.stays);
        let (priced, number) = (&self.priced, self.number);
        let mut highest = 0.0_f64;
        let mut may_win = |improvements: &Improvements, node: NodeId| {
            let most = improvements.at_most(node);
            let gap = prices.leader.gap(estimates, node);
            if priced[node as usize] == number || most < floor * (gap + prices.step) {
                return None;
            }
            let hops = hops.max(landmarks.bound(at, node));
            let count = estimates.count(node);
            let visits = |hops: f64| gap * exact(stays.visits(count, hops)) + prices.step;
            let stay = visits(f64::from(hops));
            // The home costs are looked up last: most nodes are too far away by hops alone.
            if most < floor * stay || most < floor * (prices.least_detour(node, price) + stay) {
                return None;
            }
            highest = highest.max(most);
            // The hops at which the visits alone cost too much, rounded up.
            let affordable = (most / floor - prices.step) / gap + 2.0;
            let affordable = if affordable < ENDLESS { affordable } else { f64::INFINITY };
            let hops = (affordable - stays.growth * exact(count)) / stays.per_hop * (1.0 + MARGIN);
            Some(Far { node, hops: if hops.is_nan() { f64::INFINITY } else { hops } })
        };
        let improvements = &mut *bounds.improvements;
        if is_first {
            let least = stays.visits(1, f64::from(hops));
            improvements.contenders((estimates, floor), (stays.growth, least), |list, node| {
                self.far.extend(may_win(list, node));
            });
        } else {
            let mut kept = 0;
            for place in 0..self.far.len() {
                if let Some(far) = may_win(improvements, self.far[place].node) {
                    self.far[kept] = far;
                    kept += 1;
                }
            }
            self.far.truncate(kept);
        }
        bounds.highest = highest;
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

/// The factor that turns a score into a gain, to the bit: all scores added up in order.
fn exact_visits(now: &Situation<'_>, scores: &ExpectedImprovement, left: f64) -> f64 {
    let (mut sum, mut most) = (0.0, 0.0_f64);
    for node in now.graph.nodes() {
        let score = scores.of(now.estimates, node);
        sum += score;
        most = most.max(score);
    }
    if sum > 0.0 { left * most / sum } else { 0.0 }
}
