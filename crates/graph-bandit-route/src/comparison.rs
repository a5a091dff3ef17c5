//! The comparison strategy of Xu, Hu, Su, Zhu and Zhu, *The canadian traveller problem and its competitive analysis*
//! (2009).
//!
//! Let `d(v)` be the time from `v` to the goal by roads not known to be closed. At node `v` the
//! traveller goes on while `d(v) <= d(start)`, and otherwise turns back to the start by the
//! cheapest path known to be open. On two-way roads, the trip takes at most `(2k + 1)` times the
//! optimum for `k` closed roads; Westphal (2008) shows that no deterministic policy does better.
//!
//! Proof: closed roads end at most `k` stretches of going on, so there are at most `k + 1`. Each
//! takes at most `d(start)`, measured at its beginning, which is at most the time of the best path,
//! because that path is open. Let `h` be the time back to the start by roads known to be open.
//! Going on adds to `h` at most the time it takes, and turning back subtracts exactly the time it
//! takes. So turning back takes at most as long as the `k` stretches before the last.
//!
//! Xu et al. go back all the way to the start and decide again there. Here the traveller decides at
//! every node, also on the way back. The proof is the same, and the decision depends only on what
//! is known. A rule that added the way back to the price of a fresh start would never turn back:
//! going on would never cost more.

use crate::belief::{Belief, Status};
use crate::known_ways::KnownWays;
use crate::moves::KnownOpen;
use crate::network::RoadId;
use crate::policy::Policy;
use crate::trip::Trip;

/// Goes on while that is not longer than a fresh start, and otherwise turns back.
#[derive(Debug, Clone)]
pub struct Comparison<'a> {
    ways: KnownWays<'a>,
    back: KnownOpen,
    way_back: Vec<RoadId>,
}

impl<'a> Comparison<'a> {
    /// The policy for a trip.
    pub fn new(trip: &'a Trip) -> Self {
        Self { ways: KnownWays::new(trip), back: KnownOpen::default(), way_back: Vec::new() }
    }
}

impl Policy for Comparison<'_> {
    fn plan(&mut self, belief: &Belief, leg: &mut Vec<RoadId>) {
        let trip = self.ways.trip();
        let table = self.ways.of(belief);
        let time = |node| self.ways.time(table, node);
        if time(belief.place()) > time(trip.start()) {
            self.back.search(trip, belief, |_| true);
            self.way_back.clear();
            if self.back.way_to(trip.start(), &mut self.way_back) {
                debug_assert!(
                    self.way_back.iter().all(|&road| belief.status(road) == Status::Open)
                );
                leg.extend(self.way_back.first());
                return;
            }
            // One-way roads may not lead back.
        }
        leg.extend(self.ways.next(table, belief.place()).map(|step| step.road));
    }
}
