//! Stays that pay for the trip: walk to the destination, visit it `growth n + per_hop time` times,
//! where `time` is the time of the trip: its hops plus the time of its roads.
//!
//! The share of earlier visits keeps the number of legs logarithmic, as doubling does; the share of
//! the time keeps the cost of travel within a multiple of the visits it was made for.

use super::{Schedule, follow};
use crate::agent::Situation;
use crate::leg::{Leg, travel_time};
use crate::planner::Planner;

/// Stays in proportion to earlier visits and to the length of the trip.
///
/// Needs a planner whose walk ends, such as a walk to a destination.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Amortized {
    /// New visits per earlier visit.
    pub growth: f64,
    /// New visits per hop walked and per unit of time on roads.
    pub per_hop: f64,
}

impl Default for Amortized {
    fn default() -> Self {
        Self { growth: 1.0, per_hop: 1.0 }
    }
}

impl Amortized {
    /// The visits to a destination, including the arrival, if it is `time` away and was visited
    /// `before` times: `growth before + per_hop time` rounded down, at least one. A node never
    /// visited before is visited once, because nothing says yet that it is worth more.
    #[inline]
    pub fn visits(&self, before: u64, time: f64) -> u64 {
        if before == 0 {
            return 1;
        }
        let visits = self.growth * before as f64 + self.per_hop * time;
        // Saturates one below the largest count, so that one more can be added.
        (visits as u64).clamp(1, u64::MAX >> 1)
    }
}

impl Schedule for Amortized {
    fn commit<P: Planner>(&mut self, now: &Situation<'_>, planner: &P, leg: &mut Leg) {
        let destination = follow(now, planner, &mut leg.path);
        let time = travel_time(now.graph, now.at, &leg.path);
        let visits = self.visits(now.estimates.count(destination), time);
        leg.stay = visits - u64::from(!leg.path.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_by_hand() {
        let half = Amortized { growth: 0.5, per_hop: 1.0 };
        assert_eq!(half.visits(7, 0.0), 3);
        assert_eq!(half.visits(7, 4.0), 7);
        assert_eq!(half.visits(7, 4.75), 8);
        assert_eq!((half.visits(1, 0.0), half.visits(1, 1.0), half.visits(0, 9.0)), (1, 1, 1));
        let doubling = Amortized { growth: 1.0, per_hop: 0.0 };
        assert_eq!((doubling.visits(7, 0.0), doubling.visits(7, 4.0)), (7, 7));
        let none = Amortized { growth: 0.0, per_hop: 0.0 };
        assert_eq!(none.visits(1_000, 10.0), 1);
        let endless = Amortized { growth: 1e300, per_hop: 1e300 };
        assert!(endless.visits(5, 5.0) > u64::MAX / 4);
    }
}
