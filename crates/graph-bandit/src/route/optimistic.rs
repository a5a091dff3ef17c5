//! Optimistic replanning: the cheapest way that is not known to be closed.
//!
//! Also the "free space assumption" of robotics, and the greedy strategy of Xu et al. (2009), whose worst case is
//! `2^(k+1) - 1` times the best for `k` closed roads.

use super::belief::Belief;
use super::known_ways::KnownWays;
use super::network::RoadId;
use super::policy::Policy;
use super::trip::Trip;

/// Takes the cheapest way that is not known to be closed; of equals that of fewest roads, then of the lowest next node.
#[derive(Debug, Clone)]
pub struct Optimistic<'a> {
    ways: KnownWays<'a>,
}

impl<'a> Optimistic<'a> {
    /// For a trip.
    pub fn new(trip: &'a Trip) -> Self {
        Self { ways: KnownWays::new(trip) }
    }
}

impl Policy for Optimistic<'_> {
    fn plan(&mut self, belief: &Belief, leg: &mut Vec<RoadId>) {
        let table = self.ways.of(belief);
        leg.extend(self.ways.next(table, belief.place()).map(|step| step.road));
    }
}
