//! Optimistic replanning: the cheapest path not known to be closed.
//!
//! Known in robotics as the "free space assumption". It is also the greedy strategy of Xu et al.
//! (2009), whose worst case is `2^(k+1) - 1` times the optimum for `k` closed roads.

use crate::belief::Belief;
use crate::known_ways::KnownWays;
use crate::network::RoadId;
use crate::policy::Policy;
use crate::trip::Trip;

/// Takes the cheapest path not known to be closed; ties go to the fewest roads, then to the lowest
/// next node.
#[derive(Debug, Clone)]
pub struct Optimistic<'a> {
    ways: KnownWays<'a>,
}

impl<'a> Optimistic<'a> {
    /// The policy for a trip.
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
