//! The numbers of g-horizon's plan: what a look costs, how long to stay, where to go first.

use crate::exact::exact;

/// Before it goes to a rival, the agent visits a new leader this many times.
const FIRST_VISITS: u64 = 4;
/// Away from the leader, rivals with this many times its visits are left out.
const AHEAD: f64 = 2.0;
/// The number of earlier visits for each visit of a short stay.
const SHORT_STAY: u64 = 16;
/// The number of earlier visits for each visit of a long stay.
const LONG_STAY: u64 = 4;
/// How much the way counts that a trip leads towards home: what lies beyond comes first, so that the
/// agent need not turn back for it.
const HOMEWARD: f64 = 2.0;
/// The least cost of a trip for the order of trips, in units of the declared scale.
const LEAST_TRIP: f64 = 0.5;
/// How much the gain counts in the order of trips.
const EAGERNESS: f64 = 0.2;

/// How far the agent goes to settle which node is the best.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Care {
    /// The caution of trips: the factor of the variance in the gain of going to a rival.
    pub(crate) trip_caution: f64,
    /// The caution on a rival: the factor of the variance in the gain of staying there.
    pub(crate) stay_caution: f64,
    /// What a look at a node costs, in gaps: this many, and the next number for every earlier visit.
    looks: f64,
    looks_per_visit: f64,
    /// The agent leaves a leader only after this many visits to it.
    settled: f64,
    /// And only after this many times the visits of every rival worth a trip.
    lead: f64,
    /// A rival that may be better gets at most this many times the visits of the leader.
    far_ahead: f64,
}

impl Care {
    /// The care of an agent with this caution on rivals. A steadiness of 0 is for the least mean
    /// regret. The more, the more it explores, so that very bad runs are rarer.
    pub(crate) fn new(caution: f64, steady: f64) -> Self {
        let between = |at_zero: f64, at_one: f64| at_zero + steady * (at_one - at_zero);
        let stay_caution = caution * between(1.0, 4.0 / 3.0);
        Self {
            // A rival worth a trip must be worth a stay, or the agent would leave it unresolved.
            trip_caution: between(1.2, 2.0).min(stay_caution),
            stay_caution,
            looks: between(1.0, 0.0),
            looks_per_visit: between(2.0, 0.75),
            settled: between(20.0, 40.0),
            lead: between(10.0, 2.0),
            far_ahead: between(8.0, 16.0),
        }
    }

    /// What a look at a node with `n` visits costs whose mean is `gap` below the highest.
    #[inline]
    pub(super) fn look(&self, n: u64, gap: f64) -> f64 {
        (self.looks + self.looks_per_visit * exact(n)) * gap
    }

    /// Whether a rival with `n` visits is so far ahead of the leader, with `of_leader` visits, that
    /// the agent stays there no longer.
    pub(super) fn is_far_ahead(&self, n: u64, of_leader: u64) -> bool {
        exact(n) >= self.far_ahead * exact(of_leader)
    }

    /// Whether the agent stays on a leader with `n` visits before it makes any trip.
    pub(super) fn is_unsettled(&self, n: u64) -> bool {
        exact(n) < self.settled
    }

    /// Whether a leader with `n` visits is visited further before a trip to a rival with
    /// `of_rival` visits.
    #[inline]
    pub(super) fn waits(&self, n: u64, of_rival: u64) -> bool {
        exact(n) < self.lead * exact(of_rival)
    }
}

/// Whether a rival with `n` visits is so far ahead of the leader, with `of_leader` visits, that the
/// agent goes to the leader first.
#[inline]
pub(super) fn is_ahead(n: u64, of_leader: u64) -> bool {
    exact(n) >= AHEAD * exact(of_leader)
}

/// Whether a leader with `n` visits is visited before any trip to a rival.
pub(super) fn is_new(n: u64) -> bool {
    n < FIRST_VISITS
}

/// The cost of a trip and of the way home from there, compared to going home at once.
#[inline]
pub(super) fn detour(out: f64, back: f64, straight: f64) -> f64 {
    (out + back - straight).max(0.0)
}

/// How far a trip leads towards home: twice its cost on the way there, nothing away from it.
#[inline]
pub(super) fn homeward(out: f64, back: f64, straight: f64) -> f64 {
    (out - back + straight).max(0.0)
}

/// Trips with less of this come first: near ones, those that do not lead towards home, and those of
/// high gain. The declared scale and the gain are above zero.
#[inline]
pub(super) fn delay(scale: f64, gain: f64, out: f64, homeward: f64) -> f64 {
    // In units of the scale, so that powers do not depend on the unit of rewards.
    let eagerness = libm::pow(gain / scale, EAGERNESS);
    (out + HOMEWARD * homeward + LEAST_TRIP * scale) / eagerness
}

/// The visits of a short stay on a node with `n` visits.
#[inline]
pub(super) fn few(n: u64) -> u64 {
    (n / SHORT_STAY).max(1)
}

/// The visits of a long stay on a leader with `n` visits.
#[inline]
pub(super) fn many(n: u64) -> u64 {
    n / LONG_STAY + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_by_hand() {
        let [hasty, steady] = [0.0, 1.0].map(|steady| Care::new(1.5, steady));
        assert_eq!(
            [(1, 2.0), (10, 0.5), (7, 0.0)].map(|(n, g)| hasty.look(n, g)),
            [6.0, 10.5, 0.0]
        );
        assert_eq!(
            [(1, 2.0), (10, 0.5), (7, 0.0)].map(|(n, g)| steady.look(n, g)),
            [1.5, 3.75, 0.0]
        );
        assert_eq!((detour(4.0, 6.0, 5.0), detour(1.0, 2.0, 5.0)), (5.0, 0.0));
        assert_eq!([few(1), few(31), few(32), few(160)], [1, 1, 2, 10]);
        assert_eq!([many(1), many(4), many(7), many(100)], [1, 2, 2, 26]);
        assert_eq!([few(u64::MAX), many(u64::MAX)], [u64::MAX >> 4, (u64::MAX >> 2) + 1]);
    }

    #[test]
    fn comparisons_by_hand() {
        let [hasty, steady] = [0.0, 1.0].map(|steady| Care::new(1.5, steady));
        assert_eq!([15, 16].map(|n| hasty.is_far_ahead(n, 2)), [false, true]);
        assert_eq!([31, 32].map(|n| steady.is_far_ahead(n, 2)), [false, true]);
        assert_eq!([3, 4].map(|n| is_ahead(n, 2)), [false, true]);
        assert_eq!([3, 4].map(is_new), [true, false]);
        assert_eq!([19, 20].map(|n| hasty.is_unsettled(n)), [true, false]);
        assert_eq!([39, 40].map(|n| steady.is_unsettled(n)), [true, false]);
        assert_eq!([69, 70].map(|n| hasty.waits(n, 7)), [true, false]);
        assert_eq!([13, 14].map(|n| steady.waits(n, 7)), [true, false]);
    }

    #[test]
    fn caution_by_hand() {
        for (caution, steady, trip_caution, stay_caution) in [
            (1.5, 0.0, 1.2, 1.5),
            (1.0, 0.0, 1.0, 1.0),
            (1.5, 0.5, 1.6, 1.75),
            (1.5, 1.0, 2.0, 2.0),
            (3.0, 1.0, 2.0, 4.0),
            (0.75, 1.0, 1.0, 1.0),
        ] {
            let care = Care::new(caution, steady);
            let found = [care.trip_caution - trip_caution, care.stay_caution - stay_caution];
            assert!(found.iter().all(|off| off.abs() < 1e-14), "{caution} {steady}: {care:?}");
            assert!(care.trip_caution <= care.stay_caution);
        }
    }

    #[test]
    fn the_order_trip_caution_by_hand() {
        // Two nodes at 2 from here: one on the way home, which is 9 away, and one beyond.
        assert_eq!([homeward(2.0, 7.0, 9.0), homeward(2.0, 11.0, 9.0)], [4.0, 0.0]);
        // A gain of 16 is 32 scales: 32^0.2 = 2. So (2 + 2 * 4 + 1/4) / 2, and (2 + 1/4) / 2.
        assert!((delay(0.5, 16.0, 2.0, 4.0) - 5.125).abs() < 1e-14);
        assert!((delay(0.5, 16.0, 2.0, 0.0) - 1.125).abs() < 1e-14);
        assert!(delay(0.5, 17.0, 2.0, 4.0) < delay(0.5, 16.0, 2.0, 4.0));
    }
}
