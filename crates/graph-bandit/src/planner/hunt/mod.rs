//! The best bargain on a large graph, without pricing every node.
//!
//! [`Bargain`](super::Bargain) goes to the node of highest `gain / price`, if that is above 1. The
//! gain is `visits x score`, where `visits` is the same for all nodes. So the node is the one of
//! highest `score / price`, and `visits` decides only whether it is worth going at all. Here
//! - `visits` is known within bounds, because scores are ([`Improvements`]);
//! - the cost of the path home is kept from leg to leg ([`Homes`]), and only as much of it as is
//!   needed: far from home, trips nearby need no detour, whatever the path home costs exactly;
//! - nodes are ruled out by districts ([`Districts`]);
//! - the search for trips ends where no bargain can be. A node that the search has not reached
//!   costs at least as much as the last one it did, is at least as many hops away as the hops of
//!   static landmarks differ, and gains at most its upper bound;
//! - while few nodes may win, the search passes over nodes that lead to none of them in time, and the
//!   trip to the best is searched once more, along all cheapest paths;
//! - the path home is found by searches from both ends, and a node that may win outside the table of
//!   [`HomeCosts`](home_costs::HomeCosts) makes the table reach just far enough to decide;
//! - the search skips a node if the path over it makes every trip too dear. With `c` for entry
//!   costs, `detour(v) + c(v) / 2 >= out(u) + c(u) + home(u) / 2 - straight` for every node `u` on
//!   the trip to `v`, by the triangle inequality.
//!
//! Where roads run one way or take time, trips are searched along the roads, landmarks bound the
//! time of trips, and the way back is not the way there. So paths home are always searched as far as
//! a trip that may win needs them: from farther away, they cost at least as much as the farthest
//! that was searched.
//!
//! **The same answer as pricing every node, to the bit**, on graphs of fewer than 20,000 nodes. On
//! larger ones, an agent with a bargain among the 1,024 nodes nearest to it does not look farther
//! ([`Nearby`]), unless roads run one way or take time; without such a bargain, the answer is the
//! same again. Trips, detours, prices and scores of
//! nodes that may win are computed as `Bargain` computes them for all nodes. Nodes are excluded only
//! by a margin far above rounding. If two nodes are closer than that margin, or if the bounds on
//! `visits` do not decide, all scores are added up in order, and the nodes in question are compared
//! one by one.

mod alike;
mod distances;
mod districts;
mod home_costs;
mod homes;
mod improvements;
mod prices;
mod search;
#[cfg(test)]
mod tests;
mod visits;
mod walk;

use super::foresight::Foresight;
use super::trips::Trips;
use crate::agent::Situation;
use crate::graph::{Graph, NodeId};
use crate::index::{ExpectedImprovement, Horizon};
use crate::schedule::Amortized;
use distances::Distances;
use districts::Districts;
use homes::{Homes, Need};
use improvements::Improvements;
use prices::Prices;
use search::{Bounds, End, Search};
use visits::VisitsToGain;

/// Below this many nodes, pricing every node is faster.
pub(super) const LARGE: usize = 1_000;

/// On new roads that run one way or take time, this many plans price every node. Landmarks and
/// districts take about as long to compute as these plans.
const PATIENCE: u32 = 4;

/// Closer than this share, nothing is decided by bounds.
///
/// The cost of a path is a sum with one term per node on it, each rounded by at most `2^-53` of the
/// sum, and two such costs are compared. So this is above rounding for paths of 4,000,000 hops even
/// if all errors have one sign, and for far longer ones if signs are mixed.
const MARGIN: f64 = 1e-9;

/// Stays as long as this may be shorter than their formula says.
const ENDLESS: f64 = 9e18;

/// From this many nodes on, a bargain nearby is enough, unless roads run one way or take time.
pub(super) const VAST: usize = 20_000;

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
        Self { from: VAST, nodes: 1_024 }
    }
}

impl Nearby {
    fn on(self, graph: &Graph) -> usize {
        let is_vast = graph.len() >= self.from && graph.roads().is_none();
        if is_vast { self.nodes } else { usize::MAX }
    }
}

/// Where a search looks for bargains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Span {
    /// Among this many nodes that are cheapest to reach.
    Near(usize),
    All,
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
    foresight: Foresight,
    nearby: Nearby,
    /// The nodes visited since the first plan, and the visits that are accounted for.
    log: Vec<NodeId>,
    visits: u64,
    is_known: bool,
    improvements: Improvements,
    homes: Homes,
    /// What the roads alone say, once the first leg was planned.
    map: Option<Map>,
    /// The plans to leave to others before the map is learned.
    patience: u32,
    search: Search,
}

/// What the roads alone say.
#[derive(Debug, Clone)]
struct Map {
    distances: Distances,
    districts: Districts,
}

impl Map {
    fn of(graph: &Graph) -> Self {
        let distances = Distances::of(graph);
        let districts = Districts::new(graph, &distances);
        Self { distances, districts }
    }
}

impl Hunt {
    pub(super) fn new(stays: Amortized, horizon: Horizon, step: f64) -> Self {
        Self {
            stays,
            horizon,
            step,
            foresight: Foresight::default(),
            nearby: Nearby::default(),
            log: Vec::new(),
            visits: 0,
            is_known: false,
            improvements: Improvements::new(step, stays.growth),
            homes: Homes::new(step),
            map: None,
            patience: 0,
            search: Search::default(),
        }
    }

    /// The same with another idea of nearby.
    pub(super) fn with_nearby(self, nearby: Nearby) -> Self {
        Self { nearby, ..self }
    }

    /// The same with another foresight.
    pub(super) fn with_foresight(self, foresight: Foresight) -> Self {
        Self { foresight, ..self }
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
        *self = Self::new(self.stays, self.horizon, self.step)
            .with_nearby(self.nearby)
            .with_foresight(self.foresight);
        self.patience = PATIENCE;
    }

    /// Whether to hunt for the next leg. Where roads run one way or take time, learning the map
    /// takes as long as pricing every node a few times, and roads may change before that pays off.
    pub(super) fn is_worthwhile(&mut self, graph: &Graph) -> bool {
        if graph.roads().is_none() {
            return true;
        }
        let is_early = self.map.is_none() && self.patience > 0;
        self.patience -= u32::from(is_early);
        // A path home is needed from everywhere.
        !is_early && graph.is_connected()
    }

    /// Plans the next leg if every node was visited.
    pub(super) fn plan(
        &mut self,
        now: &Situation<'_>,
        scores: &ExpectedImprovement,
        trips: &mut Trips,
    ) {
        let map = self.map.take().filter(|map| map.distances.hold_on(now.graph));
        let map = map.unwrap_or_else(|| Map::of(now.graph));
        if now.graph.is_believed() {
            // Times may have changed since the last leg.
            self.homes.forget();
        }
        self.catch_up(now, scores, &map);
        match self.choose(now, scores, &map) {
            Choice::Trip(node) => trips.lay_along(now, &self.search.out, node),
            Choice::Home => trips.lay_along(now, self.homes.straight(), scores.leader().node),
        }
        self.map = Some(map);
    }

    /// Accounts for all visits so far.
    fn catch_up(&mut self, now: &Situation<'_>, scores: &ExpectedImprovement, map: &Map) {
        let nodes = now.graph.len();
        let is_complete = self.is_known && self.visits == now.estimates.visits();
        if !is_complete || self.log.len() > 2 * nodes || self.search.nodes() != nodes {
            self.improvements.forget();
            self.improvements.seen = 0;
            self.homes.forget();
            self.log.clear();
            self.search.resize(now.graph);
        }
        (self.is_known, self.visits) = (true, now.estimates.visits());
        let visited = &self.log[self.improvements.seen..];
        self.improvements.refresh(scores, now.estimates, &map.districts, visited);
        self.improvements.seen = self.log.len();
    }

    fn choose(&mut self, now: &Situation<'_>, scores: &ExpectedImprovement, map: &Map) -> Choice {
        let left = self.horizon.left(now.clock.now());
        let mut visits =
            VisitsToGain::new(now, scores, left, &mut self.improvements, &map.districts);
        let choice = if visits.most == 0.0 {
            Choice::Home
        } else {
            self.find_candidates(now, scores, map, &mut visits);
            self.search.decide(&mut visits, &mut self.improvements)
        };
        if choice == Choice::Home {
            self.homes.go(now, &scores.leader(), &self.log);
        }
        choice
    }

    /// Searches for all nodes that may be the best bargain, and as much of the paths home as that
    /// takes. If there is a bargain nearby, only nodes nearby count.
    fn find_candidates(
        &mut self,
        now: &Situation<'_>,
        scores: &ExpectedImprovement,
        map: &Map,
        visits: &mut VisitsToGain<'_>,
    ) {
        let near = self.nearby.on(now.graph);
        if near < now.graph.len() {
            let end = self.search_until(now, scores, map, visits, Span::Near(near));
            if end == End::Found
                || self.search.decide(visits, &mut self.improvements) != Choice::Home
            {
                return;
            }
        }
        self.search_until(now, scores, map, visits, Span::All);
    }

    /// Searches for bargains. Whenever the search has to know more about the paths home, finds that out
    /// and goes on; where roads run one way or take time, it starts again.
    fn search_until(
        &mut self,
        now: &Situation<'_>,
        scores: &ExpectedImprovement,
        map: &Map,
        visits: &VisitsToGain<'_>,
        span: Span,
    ) -> End {
        let leader = scores.leader();
        let highest = self.improvements.highest().1;
        // Foresight counts what the path home costs.
        let looks_ahead = self.foresight.counts() && now.at != leader.node;
        let (mut need, mut tries) = (if looks_ahead { Need::Path } else { Need::Bound }, 0);
        loop {
            tries += 1;
            let home = self.homes.know(now, &leader, &self.log, span, need);
            let prices = Prices { now, leader, step: self.step, home };
            let mut bounds = Bounds {
                highest,
                improvements: &self.improvements,
                distances: &map.distances,
                districts: &map.districts,
                scores,
                stays: self.stays,
                foresight: self.foresight,
                floor: (1.0 - MARGIN) / visits.most,
            };
            let end = match span {
                Span::Near(near) => self.search.find_near(&prices, &mut bounds, near),
                Span::All => self.search.run(&prices, &bounds, tries > 1),
            };
            let (straight, price) = (home.straight(), self.search.price);
            if end != End::Asks {
                self.homes.found(span, price, straight.filter(|_| need != Need::Bound));
                return end;
            }
            let wanted = straight.map(|_| self.search.wanted(&prices));
            need = self.homes.ask(now, &leader, (price, tries), wanted);
        }
    }
}
