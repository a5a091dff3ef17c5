//! The planner of g-star: the trip whose gain is the largest multiple of its price, or home.
//!
//! Home is the leader, the node of highest mean. The score of a node is how much better than home
//! it is expected to be per visit; over the `H` visits left, that is its gain. Rivals share the
//! future, so the gain is scaled by `max / sum` of all scores: a node is worth going to only until
//! the next one would be tried. The price is the cost of the trip compared to going home at once,
//! including half of the way home from there and the expected shortfall of the visits. If nothing
//! is worth its price, go home.

use super::Planner;
use super::trips::Trips;
use crate::agent::Situation;
use crate::exact::exact;
use crate::graph::{Graph, NodeId};
use crate::index::{Horizon, Index, Leader};
use crate::plan::{CheapestPaths, Heading};
use crate::random::Stream;
use crate::schedule::Amortized;

/// The share of the way home that counts: it may lead to another bargain.
const WAY_HOME: f64 = 0.5;

/// The best bargain; ties go to the lowest number. The index must score improvements: finite, zero
/// for the leader, never negative. One planner serves one run.
#[derive(Debug, Clone)]
pub struct Bargain {
    stays: Amortized,
    horizon: Horizon,
    scores: Vec<f64>,
    trips: Trips,
    home: CheapestPaths,
}

impl Bargain {
    /// A planner for legs that stay as `stays` says, with noise of this declared scale.
    pub fn new(stays: Amortized, horizon: Horizon, noise_scale: f64) -> Self {
        Self {
            stays,
            horizon,
            scores: Vec::new(),
            trips: Trips::new(noise_scale),
            home: CheapestPaths::default(),
        }
    }

    /// Finds the cheapest paths to the leader, unless they equal the paths from here.
    fn search_home(&mut self, now: &Situation<'_>, leader: &Leader) -> Home {
        if now.graph.roads().is_some() {
            let costs = self.trips.costs(now, leader);
            let there = (now.graph, Heading::There);
            self.home.search_all_roads(there, &costs, [leader.node]);
        } else if now.at == leader.node {
            return Home::LooksBack;
        } else {
            let step = self.trips.step();
            let cost = |node| leader.gap(now.estimates, node) + step;
            self.home.search(now.graph, cost, [leader.node], None);
        }
        Home::Searched
    }

    /// Scores every node; returns the factor that turns a score into a gain.
    fn score<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) -> f64 {
        self.scores.clear();
        let (mut sum, mut most) = (0.0, 0.0_f64);
        for node in now.graph.nodes() {
            let score = index.score(now.estimates, node, stream);
            self.scores.push(score);
            sum += score;
            most = most.max(score);
        }
        let left = self.horizon.left(now.clock.now());
        if sum > 0.0 { left * most / sum } else { 0.0 }
    }

    fn destination(
        &mut self,
        now: &Situation<'_>,
        leader: &Leader,
        (visits, home): (f64, Home),
    ) -> NodeId {
        let straight_home = self.trips.cost(leader.node);
        let (mut best, mut ratio) = (leader.node, 1.0);
        for (node, score) in now.graph.nodes().zip(&self.scores) {
            let gain = visits * score;
            let gap = leader.gap(now.estimates, node);
            let out = self.trips.cost(node);
            let back = match home {
                Home::LooksBack => out,
                Home::Searched => self.home.cost(node),
            };
            let detour = (out + WAY_HOME * back - straight_home).max(0.0);
            // One visit is the minimum; a node not worth that needs no hop count.
            if gain <= detour + gap {
                continue;
            }
            let stay =
                self.stays.visits(now.estimates.count(node), self.trips.time(now.graph, node));
            // No price is below one step, so that ratios stay finite.
            let price = detour + gap * exact(stay) + self.trips.step();
            if gain > ratio * price {
                (best, ratio) = (node, gain / price);
            }
        }
        best
    }
}

/// How the paths home are known.
#[derive(Debug, Clone, Copy)]
enum Home {
    /// The agent is at home, and the path there is the path back.
    LooksBack,
    /// By a separate search.
    Searched,
}

impl Planner for Bargain {
    fn plan<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
        if self.trips.lay_to_unvisited(now) {
            return;
        }
        let leader = Leader::find(now);
        let visits = self.score(now, index, stream);
        // Most plans end here: nothing is worth a visit even if travel were free.
        let worthless =
            |(node, score): (NodeId, &f64)| visits * score <= leader.gap(now.estimates, node);
        let mut destination = leader.node;
        if now.graph.nodes().zip(&self.scores).all(worthless) {
            if now.at != leader.node {
                self.trips.search_leader(now, &leader);
            }
        } else {
            self.trips.search(now, &leader);
            let home = self.search_home(now, &leader);
            destination = self.destination(now, &leader, (visits, home));
        }
        self.trips.lay_to(now, destination);
    }

    fn next(&self, _graph: &Graph, node: NodeId) -> NodeId {
        self.trips.next(node)
    }

    fn forget_visits(&mut self) {
        self.trips.forget_visits();
    }

    fn forget_graph(&mut self) {
        self.trips.forget_graph();
        self.home = CheapestPaths::default();
    }
}
