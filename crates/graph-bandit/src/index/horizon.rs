//! The future that an agent plans for: up to a known horizon, or as long as the past.

use crate::clock::{Time, Visits};
use crate::exact::exact;

/// The length of the run, initialization included, if known: in visits, or in time where roads take
/// time.
///
/// Without a horizon, most formulas assume a future as long as the past, `t` visits. A trip that
/// is worth its cost now stays so until time has doubled, and is reconsidered by then.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Horizon {
    /// Unknown.
    #[default]
    Unknown,
    /// This long.
    Known(f64),
}

impl Horizon {
    /// The horizon for a parameter value: `visits`, or unknown at zero.
    pub fn of_parameter(visits: f64) -> Self {
        if visits > 0.0 { Self::Known(visits) } else { Self::Unknown }
    }

    /// The visits of the whole run, after `t` of them.
    #[inline]
    pub fn total(self, t: Visits) -> f64 {
        let t = exact(t.0);
        match self {
            Self::Unknown => t,
            Self::Known(visits) => visits.max(t),
        }
    }

    /// The time left after `t` for an agent that is safer with too long a future than with too short
    /// a one: an unknown future counts as three times the past.
    #[inline]
    pub(crate) fn left_generously(self, t: Time) -> f64 {
        match self {
            Self::Unknown => 3.0 * self.left(t),
            Self::Known(_) => self.left(t),
        }
    }

    /// The time left after `t`; at least one visit, because an agent that plans has one to make.
    #[inline]
    pub fn left(self, t: Time) -> f64 {
        match self {
            Self::Unknown => t.0.max(1.0),
            Self::Known(horizon) => (horizon - t.0).max(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_past_stands_for_an_unknown_future() {
        let unknown = Horizon::of_parameter(0.0);
        assert_eq!((unknown.total(Visits(70)), unknown.left(Time(70.0))), (70.0, 70.0));
        assert_eq!(
            (unknown.left_generously(Time(70.0)), unknown.left_generously(Time(0.0))),
            (210.0, 3.0)
        );
        let known = Horizon::of_parameter(100.0);
        assert_eq!(
            (known.left_generously(Time(70.0)), known.left_generously(Time(170.0))),
            (30.0, 1.0)
        );
        assert_eq!((known.total(Visits(70)), known.left(Time(70.0))), (100.0, 30.0));
        assert_eq!((known.total(Visits(170)), known.left(Time(170.0))), (170.0, 1.0));
    }
}
