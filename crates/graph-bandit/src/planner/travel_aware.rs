//! The planner that prices the trip to a destination: highest `U(v) - D(x, v) / H`.
//!
//! `D` is the total shortfall of the nodes on the cheapest path from the highest mean, and `H` the
//! number of visits in which the trip must pay off. Unvisited nodes come first, the nearest of
//! them.

use super::Planner;
use super::rivals::Rivals;
use super::trips::Trips;
use crate::agent::Situation;
use crate::graph::{Graph, NodeId};
use crate::index::{Horizon, Index, Leader};
use crate::node_scores::NodeScores;
use crate::random::Stream;

/// Below this many nodes, finding the trips to all of them is about as fast as finding some.
const LARGE: usize = 1_000;

/// Whether the cost of the trip counts when a destination is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Travel {
    /// It counts, spread over the future.
    #[default]
    Priced,
    /// It does not: the highest score wins, wherever it is.
    Ignored,
}

/// The most promising node after travel; ties go to where the agent stands, then to the lowest
/// number. One planner serves one run.
#[derive(Debug, Clone)]
pub struct TravelAware {
    travel: Travel,
    horizon: Horizon,
    trips: Trips,
    rivals: Rivals,
    /// From this many nodes on, trips are not searched to all nodes.
    large: usize,
}

impl TravelAware {
    /// A planner whose trips must pay off within what the horizon leaves, with noise of this
    /// declared scale.
    pub fn new(travel: Travel, horizon: Horizon, noise_scale: f64) -> Self {
        Self {
            travel,
            horizon,
            trips: Trips::new(noise_scale),
            rivals: Rivals::default(),
            large: LARGE,
        }
    }

    /// The same planner, which finds the trips to all nodes on graphs of fewer than `nodes` nodes.
    /// The answers are the same, whatever the number.
    #[must_use]
    pub fn with_all_trips_below(self, nodes: usize) -> Self {
        Self { large: nodes, ..self }
    }

    /// The same planner, but every node on the way costs at least `least_gap`.
    ///
    /// Without it, a way through many good nodes costs almost nothing, so ways can be as long as the
    /// graph allows. Theorem 3 of `docs/explanations/theory.md` is of Theorem 1's order only with a
    /// least gap, the noise scale.
    #[must_use]
    pub fn with_least_gap(self, least_gap: f64) -> Self {
        Self { trips: self.trips.with_least_gap(least_gap), ..self }
    }

    /// The cost of a trip per visit in which it must pay off, per cost of the trip.
    fn per_visit(&self, now: &Situation<'_>) -> f64 {
        match self.travel {
            Travel::Priced => 1.0 / self.horizon.left(now.clock.now()),
            Travel::Ignored => 0.0,
        }
    }

    /// Plans the trip to the most promising node without finding the trips to all others.
    fn lay_to_best<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
        let per_visit = self.per_visit(now);
        let scores = NodeScores::find(now, index, stream);
        let scored = (now, index, &scores);
        let leader = Leader::find(now);
        let rivals = &mut self.rivals;
        rivals.begin(scored, per_visit);
        self.trips.begin_nearest(now);
        // The search waits at most once, so this ends.
        loop {
            let see = |nodes: &[NodeId], cost| rivals.see(scored, nodes, cost);
            let Some(node) = self.trips.search_nearest(now, &leader, see) else { break };
            // A search from both ends gets there long before a search for all trips would.
            let cost = self.trips.lay_alone(now, &leader, node);
            if rivals.wins(scored, node, cost) {
                return;
            }
        }
        self.trips.lay_to(now, rivals.best());
    }

    fn destination<I: Index>(&self, now: &Situation<'_>, index: &I, stream: &mut Stream) -> NodeId {
        let per_visit = self.per_visit(now);
        let (mut best, mut highest) = (now.at, f64::NEG_INFINITY);
        for node in now.graph.nodes() {
            let travel = self.trips.cost(node) * per_visit;
            let score = index.score(now.estimates, node, stream);
            let score = index.beyond(travel, score, now.estimates, node);
            if score > highest || (score == highest && node == now.at) {
                (best, highest) = (node, score);
            }
        }
        best
    }
}

impl Planner for TravelAware {
    fn plan<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
        if self.trips.lay_to_unvisited(now) {
            return;
        }
        if now.graph.len() >= self.large && now.graph.roads().is_none() {
            self.lay_to_best(now, index, stream);
        } else {
            self.trips.search(now, &Leader::find(now));
            let destination = self.destination(now, index, stream);
            self.trips.lay_to(now, destination);
        }
    }

    fn next(&self, _graph: &Graph, node: NodeId) -> NodeId {
        self.trips.next(node)
    }

    fn forget_visits(&mut self) {
        self.trips.forget_visits();
    }

    fn forget_graph(&mut self) {
        self.trips.forget_graph();
    }
}
