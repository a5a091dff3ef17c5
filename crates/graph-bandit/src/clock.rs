//! Two ways to count: visits, which confidence bounds learn from, and time, which passes.
//!
//! A visit takes one unit of time. Where every road is entered as the visit begins, as in the paper, a
//! walker alone has made exactly as many visits as time has passed. The two part company as soon as
//! somebody else reports a reward, so a formula names the one it means: [`Visits`] or [`Time`] are
//! different types, and neither turns into the other.

use crate::agent::Situation;
use crate::estimates::MAX_VISITS;
use crate::exact::exact;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A number of visits to any node, by anybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Visits(pub u64);

/// A moment, in units of one visit since the walker set out.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Time(pub f64);

impl Time {
    /// When a walker sets out.
    pub const START: Self = Self(0.0);

    /// The moment so many visits later.
    #[inline]
    #[must_use]
    pub fn after(self, visits: u64) -> Self {
        Self(self.0 + exact(visits))
    }
}

/// What a formula's `t` can be read from.
pub trait Reading {
    /// The number it shows now.
    fn of(now: &Situation<'_>) -> Self;
}

impl Reading for Visits {
    #[inline]
    fn of(now: &Situation<'_>) -> Self {
        Self(now.estimates.visits())
    }
}

impl Reading for Time {
    #[inline]
    fn of(now: &Situation<'_>) -> Self {
        now.clock.now()
    }
}

/// The clock of one walker.
///
/// Whole visits are kept as a whole number, so that time does not depend on how they are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Clock {
    visits: u64,
}

/// A clock that shows more visits than can be counted exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a clock shows {0} visits; the limit is {MAX_VISITS}")]
pub struct ClockError(u64);

impl TryFrom<u64> for Clock {
    type Error = ClockError;

    fn try_from(visits: u64) -> Result<Self, ClockError> {
        if visits > MAX_VISITS { Err(ClockError(visits)) } else { Ok(Self { visits }) }
    }
}

impl From<Clock> for u64 {
    fn from(clock: Clock) -> Self {
        clock.visits
    }
}

impl Clock {
    /// A clock that shows the time after so many visits.
    pub const fn after(visits: u64) -> Self {
        Self { visits }
    }

    /// What time it is.
    #[inline]
    pub fn now(&self) -> Time {
        Time(exact(self.visits))
    }

    /// The walker made so many visits.
    #[inline]
    pub(crate) fn pass(&mut self, visits: u64) {
        self.visits += visits;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_the_same_however_visits_are_grouped() {
        let (mut one_by_one, mut at_once) = (Clock::default(), Clock::default());
        (0..1000).for_each(|_| one_by_one.pass(1));
        at_once.pass(1000);
        assert_eq!(one_by_one, at_once);
        assert_eq!(at_once.now(), Time::START.after(1000));
        assert_eq!(Clock::after(7).now(), Time(7.0));
    }
}
