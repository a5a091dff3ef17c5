//! The comparison strategy of Xu, Hu, Su, Zhu and Zhu, *The canadian traveller problem and its competitive analysis*
//! (2009).
//!
//! Let `d(v)` be the time from `v` to the goal by roads not known to be closed. At node `v` the traveller goes on
//! while `d(v) <= d(start)`, and turns back to the start otherwise, by the cheapest way that is known to be open. On
//! roads that can be taken both ways, the trip takes at most `(2k + 1)` times the best, for `k` closed roads; Westphal
//! (2008) shows that no policy without chance does better.
//!
//! Why: a closed road ends at most `k` stretches of going on, so there are at most `k + 1`. Each takes at most
//! `d(start)` at its beginning, which is at most the time of the best way, since that way is open. Let `h` be the time
//! back to the start by roads known to be open. Going on adds to `h` at most the time that it takes, and turning back takes
//! away exactly the time that it takes; so turning back takes at most as long as the `k` stretches before the last.
//!
//! Xu et al. go back all the way to the start and ask again there. Here the question is asked at every node, also on the way
//! back. The proof is the same, and what to do depends only on what is known. A rule that counts the way back into
//! the price of a fresh start would never turn back: going on is then never dearer.

use super::belief::{Belief, Status};
use super::known_ways::KnownWays;
use super::moves::KnownOpen;
use super::network::RoadId;
use super::policy::Policy;
use super::trip::Trip;

/// Goes on while the way on is not longer than a fresh start, and turns back otherwise.
#[derive(Debug, Clone)]
pub struct Comparison<'a> {
    ways: KnownWays<'a>,
    back: KnownOpen,
    way_back: Vec<RoadId>,
}

impl<'a> Comparison<'a> {
    /// For a trip.
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
