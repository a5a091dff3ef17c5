//! How much future an agent reckons with: that of a known horizon, or as much as there was past.

use crate::clock::{Time, Visits};
use crate::exact::exact;

/// What is known of the number of visits in all, initialization included.
///
/// Without a horizon every formula takes `t`, the visits so far, for the future as well: what is worth
/// its price now stays so until time has doubled, and is looked at again by then.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Horizon {
    /// Nothing.
    #[default]
    Unknown,
    /// So many.
    Known(f64),
}

impl Horizon {
    /// The horizon that a parameter stands for: `visits`, or none at zero.
    pub fn of_parameter(visits: f64) -> Self {
        if visits > 0.0 { Self::Known(visits) } else { Self::Unknown }
    }

    /// The visits of the whole run, after `t` of them.
    #[inline]
    pub fn whole(self, t: Visits) -> f64 {
        let t = exact(t.0);
        match self {
            Self::Unknown => t,
            Self::Known(visits) => visits.max(t),
        }
    }

    /// The time that is left after `t`; one visit at least, for whoever plans has one to make.
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
        assert_eq!((unknown.whole(Visits(70)), unknown.left(Time(70.0))), (70.0, 70.0));
        let known = Horizon::of_parameter(100.0);
        assert_eq!((known.whole(Visits(70)), known.left(Time(70.0))), (100.0, 30.0));
        assert_eq!((known.whole(Visits(170)), known.left(Time(170.0))), (170.0, 1.0));
    }
}
