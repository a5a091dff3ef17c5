//! The planner that asks what a destination costs to reach: highest `U(v) - D(x, v) / H`.
//!
//! `D` is what the nodes between fall short of the highest mean, on the cheapest way, and `H` the visits
//! in which the trip has to pay off. Unvisited nodes come first, the nearest of them.

use super::Planner;
use super::trips::Trips;
use crate::agent::Situation;
use crate::graph::{Graph, NodeId};
use crate::index::{Horizon, Index, Leader};
use crate::random::Stream;

/// Whether the way to a destination counts when it is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Travel {
    /// It counts with what it costs, spread over the future.
    #[default]
    Priced,
    /// It does not: the highest score, wherever that is.
    Ignored,
}

/// The most promising node, travel deducted; of equals where the agent stands, then the lowest number.
/// One planner serves one run.
#[derive(Debug, Clone)]
pub struct TravelAware {
    travel: Travel,
    horizon: Horizon,
    trips: Trips,
}

impl TravelAware {
    /// A planner for which travel pays off within what the horizon leaves, where noise has this declared
    /// scale.
    pub fn new(travel: Travel, horizon: Horizon, noise_scale: f64) -> Self {
        Self { travel, horizon, trips: Trips::new(noise_scale) }
    }

    fn destination<I: Index>(&self, now: &Situation<'_>, index: &I, stream: &mut Stream) -> NodeId {
        let per_visit = match self.travel {
            Travel::Priced => 1.0 / self.horizon.left(now.clock.now()),
            Travel::Ignored => 0.0,
        };
        let (mut best, mut highest) = (now.at, f64::NEG_INFINITY);
        for node in now.graph.nodes() {
            let travel = self.trips.cost(node) * per_visit;
            let score = index.score_beyond(travel, now.estimates, node, stream);
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
        self.trips.search(now, &Leader::find(now));
        let destination = self.destination(now, index, stream);
        self.trips.lay_to(now, destination);
    }

    fn next(&self, _graph: &Graph, node: NodeId) -> NodeId {
        self.trips.next(node)
    }

    fn forget_graph(&mut self) {
        self.trips.forget_graph();
    }
}
