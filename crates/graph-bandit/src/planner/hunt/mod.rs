//! The best bargain on a large graph, without pricing every node.
//!
//! [`Bargain`](super::Bargain) goes to the node of highest `gain / price`, if that is above 1. The
//! gain is `visits x score`, where `visits` is the same for all nodes. So the node is the one of
//! highest `score / price`, and `visits` decides only whether it is worth going at all. Here
//! - `visits` is known within bounds, because scores are ([`Improvements`]);
//! - the cost of the way home is kept from leg to leg ([`HomeCosts`]), and only as much of it as is
//!   needed: far from home, trips nearby need no detour, whatever the way home costs exactly;
//! - nodes are ruled out by districts ([`Districts`]);
//! - the search for trips ends where no bargain can be. A node that the search has not reached
//!   costs at least as much as the last one it did, is at least as many hops away as the hops of
//!   static landmarks differ, and gains at most its upper bound;
//! - the search skips a node if the way over it makes every trip too dear. With `c` for entry
//!   costs, `detour(v) + c(v) / 2 >= out(u) + c(u) + home(u) / 2 - straight` for every node `u` on
//!   the trip to `v`, by the triangle inequality.
//!
//! **The same answer as pricing every node, to the bit**, on graphs of fewer than 20,000 nodes. On
//! larger ones, an agent with a bargain among the 1,024 nodes nearest to it does not look farther
//! ([`Nearby`]); without one, the answer is the same again. Trips, detours, prices and scores of
//! nodes that may win are computed as `Bargain` computes them for all nodes. Nodes are excluded only
//! by a margin far above rounding. If two nodes are closer than that margin, or if the bounds on
//! `visits` do not decide, all scores are added up in order, and the nodes in question are compared
//! one by one.

mod districts;
mod home_costs;
mod improvements;
mod prices;
mod search;
mod visits;

use super::trips::Trips;
use crate::agent::Situation;
use crate::graph::{Landmarks, NodeId};
use crate::index::{ExpectedImprovement, Horizon, Leader};
use crate::plan::CheapestPaths;
use crate::schedule::Amortized;
use districts::Districts;
use home_costs::HomeCosts;
use improvements::Improvements;
use prices::{Home, Prices};
use search::{Bounds, End, Search};
use visits::VisitsToGain;

/// Below this many nodes, pricing every node is faster.
pub(super) const LARGE: usize = 1_000;

/// Closer than this share, nothing is decided by bounds.
const MARGIN: f64 = 1e-9;

/// The leaders for which costs of ways home are kept. A lucky node often leads only for a while.
const HOMES: usize = 3;

/// A new table of ways home reaches this many times as far as searches usually come.
const WIDE: f64 = 3.0;

/// How fast the usual reach of searches falls after one that went far.
const FORGETTING: f64 = 0.7;

/// A lower bound on the way home was not enough; for some legs, it is not tried again unless home is
/// this many times as far, a little less with every leg.
const FARTHER: f64 = 1.1;
const TRY_AGAIN: f64 = 0.99;

/// Landmarks for lower bounds on hops.
const LANDMARKS: usize = 4;

/// Searches that find out too little about the way home before it is searched whole.
const TRIES: usize = 5;

/// Stays as long as this may be shorter than their formula says.
const ENDLESS: f64 = 9e18;

/// When a bargain nearby is enough.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearby {
    /// On graphs of at least this many nodes.
    pub(super) from: usize,
    /// The number of nodes nearby.
    pub(super) nodes: usize,
}

impl Default for Nearby {
    fn default() -> Self {
        Self { from: 20_000, nodes: 1_024 }
    }
}

impl Nearby {
    fn on(self, nodes: usize) -> usize {
        if nodes < self.from { usize::MAX } else { self.nodes }
    }
}

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
    nearby: Nearby,
    /// The nodes visited since the first plan, and the visits that are accounted for.
    log: Vec<NodeId>,
    visits: u64,
    is_known: bool,
    improvements: Improvements,
    homes: Vec<HomeCosts>,
    /// What the roads alone say, once the first leg was planned.
    map: Option<(Landmarks, Districts)>,
    /// The way home.
    straight: CheapestPaths,
    search: Search,
    /// About the price that the last searches came to.
    usual: f64,
    /// Up to this cost of the way home, a lower bound was not enough last time.
    asked: f64,
}

/// How much is known about the way home from here.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Knowledge {
    /// Its cost.
    Whole,
    /// Its cost is at least this; here is outside the table.
    Outside(f64),
    /// Its cost is at least this; here is inside the table.
    Inside(f64),
}

impl Hunt {
    pub(super) fn new(stays: Amortized, horizon: Horizon, step: f64) -> Self {
        Self {
            stays,
            horizon,
            step,
            nearby: Nearby::default(),
            log: Vec::new(),
            visits: 0,
            is_known: false,
            improvements: Improvements::new(step, stays.growth),
            homes: Vec::new(),
            map: None,
            straight: CheapestPaths::default(),
            search: Search::default(),
            usual: 0.0,
            asked: 0.0,
        }
    }

    /// The same with another idea of nearby.
    pub(super) fn with_nearby(self, nearby: Nearby) -> Self {
        Self { nearby, ..self }
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
        *self = Self::new(self.stays, self.horizon, self.step).with_nearby(self.nearby);
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
        if !is_complete || self.log.len() > 2 * nodes || self.search.nodes() != nodes {
            self.improvements.forget();
            self.improvements.seen = 0;
            self.homes.clear();
            self.log.clear();
            self.search.resize(nodes);
        }
        (self.is_known, self.visits) = (true, now.estimates.visits());
        let (_, districts) = self.map.get_or_insert_with(|| {
            let landmarks = Landmarks::with_width(now.graph, LANDMARKS);
            let districts = Districts::new(now.graph, &landmarks);
            (landmarks, districts)
        });
        let visited = &self.log[self.improvements.seen..];
        self.improvements.refresh(scores, now.estimates, districts, visited);
        self.improvements.seen = self.log.len();
    }

    fn choose(&mut self, now: &Situation<'_>, scores: &ExpectedImprovement) -> Choice {
        let left = self.horizon.left(now.clock.now());
        let mut visits = VisitsToGain::new(now, scores, left, &self.improvements);
        let choice = if visits.most == 0.0 {
            Choice::Home
        } else {
            self.find_candidates(now, scores, &mut visits);
            self.search.decide(&mut visits, &self.improvements)
        };
        if choice == Choice::Home {
            self.find_the_way_home(now, &scores.leader());
        }
        choice
    }

    /// Searches for all nodes that may be the best bargain, and as much of the ways home as that
    /// takes.
    fn find_candidates(
        &mut self,
        now: &Situation<'_>,
        scores: &ExpectedImprovement,
        visits: &mut VisitsToGain<'_>,
    ) {
        let leader = scores.leader();
        let highest = self.improvements.highest().1;
        let mut radius = None;
        for tries in 1.. {
            let home = if now.at == leader.node {
                Home::Here
            } else {
                let knowledge = self.know_home(now, &leader, visits.most * highest, radius);
                if knowledge == Knowledge::Whole {
                    self.walk_home(now, &leader);
                }
                let (table, straight) = (&self.homes[0], self.straight.cost(leader.node));
                match knowledge {
                    Knowledge::Whole => Home::Known { straight, costs: table },
                    Knowledge::Outside(at_least) => Home::Far { at_least, table: Some(table) },
                    Knowledge::Inside(at_least) => Home::Far { at_least, table: None },
                }
            };
            let prices = Prices { now, leader, step: self.step, home };
            let Some((landmarks, districts)) = &self.map else { return };
            let bounds = Bounds {
                highest,
                improvements: &self.improvements,
                landmarks,
                districts,
                scores,
                stays: self.stays,
                floor: (1.0 - MARGIN) / visits.most,
            };
            let near = self.nearby.on(now.graph.len());
            let end = self.search.run(&prices, &bounds, near, visits);
            self.usual = self.search.price.max(FORGETTING * self.usual);
            if end == End::Found {
                self.asked = match home {
                    Home::Known { straight, .. } if radius.is_some() => FARTHER * straight,
                    _ => TRY_AGAIN * self.asked,
                };
                return;
            }
            let known = self.homes[0].radius();
            let here = self.search.price + entry_here(now, &leader, self.step);
            // Trips that cost a third of the way home are free: this leaves room for longer ones.
            let wider = (4.0 * here).max(2.0 * known);
            let is_wider = wider > known && tries < TRIES;
            radius = Some(if is_wider { wider } else { f64::INFINITY });
        }
    }

    /// Makes the first of the tables say enough about the ways home for trips with a detour of at
    /// most `dearest`: here is inside the table, or the table reaches as far as `radius`. Without a
    /// radius, less may do.
    fn know_home(
        &mut self,
        now: &Situation<'_>,
        leader: &Leader,
        dearest: f64,
        radius: Option<f64>,
    ) -> Knowledge {
        let entry = entry_here(now, leader, self.step);
        let mut home = self.take_table(leader);
        let is_there = home.is_for(leader);
        if is_there {
            home.doubt(now.estimates, &self.log);
            let least = home.at_least(now.at);
            if radius.is_none() && least > entry && least > self.asked {
                let is_inside = home.of(now.at) < f64::INFINITY;
                self.homes.insert(0, home);
                return if is_inside {
                    Knowledge::Inside(least)
                } else {
                    Knowledge::Outside(least)
                };
            }
        }
        // A trip that may win has `out + back / 2 <= straight + dearest`. And one may go home by
        // returning here first: `back <= out + entry + straight`, with the entry cost of this node.
        let reach = |straight: f64| {
            2.0 / 3.0 * (2.0 * straight + dearest + entry) * (1.0 + MARGIN) + 2.0 * self.step
        };
        if is_there && home.is_quick_to_repair() {
            home.repair(now.graph, now.estimates, &self.log);
        } else {
            let radius = radius.unwrap_or(WIDE * self.usual);
            home.search(now, leader, &mut self.straight, (radius, self.log.len()), reach);
        }
        let radius = radius.unwrap_or(0.0);
        if home.of(now.at) == f64::INFINITY && home.radius() < radius {
            home.search(now, leader, &mut self.straight, (radius, self.log.len()), reach);
        }
        let straight = home.of(now.at);
        let knowledge = if straight == f64::INFINITY {
            Knowledge::Outside(home.radius())
        } else {
            if home.radius() < reach(straight) {
                let far = (f64::INFINITY, self.log.len());
                home.search(now, leader, &mut self.straight, far, reach);
            }
            Knowledge::Whole
        };
        self.homes.insert(0, home);
        knowledge
    }

    /// The table of this leader, or one to fill.
    fn take_table(&mut self, leader: &Leader) -> HomeCosts {
        match self.homes.iter().position(|home| home.is_for(leader)) {
            Some(place) => self.homes.remove(place),
            None if self.homes.len() == HOMES => self.homes.remove(HOMES - 1),
            None => HomeCosts::new(self.step),
        }
    }

    /// Searches the way home.
    fn find_the_way_home(&mut self, now: &Situation<'_>, leader: &Leader) {
        if now.at == leader.node {
            self.straight.begin(now.graph, now.at);
            return;
        }
        self.know_home(now, leader, 0.0, Some(f64::INFINITY));
        self.walk_home(now, leader);
    }

    /// Searches from here for the way home, only along cheapest ways.
    fn walk_home(&mut self, now: &Situation<'_>, leader: &Leader) {
        let home = &self.homes[0];
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

/// The cost of entering the node where the agent stands.
fn entry_here(now: &Situation<'_>, leader: &Leader, step: f64) -> f64 {
    leader.gap(now.estimates, now.at) + step
}
