//! Two ways to count: visits, which confidence bounds learn from, and time.
//!
//! A visit takes one unit of time, and a road may take more. If no road does, as in the paper, a
//! lone walker has made exactly as many visits as time units have passed. The two differ once a
//! road takes time or another walker reports a reward. [`Visits`] and [`Time`] are therefore
//! different types that never convert into each other, and a formula names the one it means.

use crate::agent::Situation;
use crate::estimates::MAX_VISITS;
use crate::exact::exact;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A number of visits to any node, by any walker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Visits(pub u64);

/// A moment, in units of one visit since the walker started.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Time(pub f64);

impl Time {
    /// The moment a walker starts.
    pub const START: Self = Self(0.0);

    /// The moment `visits` visits after the start.
    #[inline]
    #[must_use]
    pub fn after(self, visits: u64) -> Self {
        Self(self.0 + exact(visits))
    }

    /// The moment `time` later.
    #[inline]
    #[must_use]
    pub fn later(self, time: f64) -> Self {
        Self(self.0 + time)
    }
}

/// A quantity that a formula's `t` can stand for.
pub trait Reading {
    /// Its current value.
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
/// Visits are kept as an integer, so that time does not depend on how visits are grouped. Time
/// spent on roads is kept beside it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "Shown", into = "Shown")]
pub struct Clock {
    visits: u64,
    travel: f64,
}

/// The serialized form of a clock: a plain number if no road took time, as in the paper's model.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Shown {
    Visits(u64),
    Travelled { visits: u64, travel: f64 },
}

/// Why a clock value is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum ClockError {
    /// More visits than can be counted exactly.
    #[error("a clock has {0} visits; the limit is {MAX_VISITS}")]
    Visits(u64),
    /// The time on roads is negative, too large or not a number.
    #[error("a clock has travel time {0}; give a number from 0 to {MAX_VISITS}")]
    Travel(f64),
}

impl TryFrom<Shown> for Clock {
    type Error = ClockError;

    fn try_from(shown: Shown) -> Result<Self, ClockError> {
        let (visits, travel) = match shown {
            Shown::Visits(visits) => (visits, 0.0),
            Shown::Travelled { visits, travel } => (visits, travel),
        };
        if visits > MAX_VISITS {
            return Err(ClockError::Visits(visits));
        }
        if !(0.0..=exact(MAX_VISITS)).contains(&travel) {
            return Err(ClockError::Travel(travel));
        }
        Ok(Self { visits, travel })
    }
}

impl From<Clock> for Shown {
    fn from(Clock { visits, travel }: Clock) -> Self {
        if travel == 0.0 { Self::Visits(visits) } else { Self::Travelled { visits, travel } }
    }
}

impl Clock {
    /// A clock after `visits` visits.
    pub const fn after(visits: u64) -> Self {
        Self { visits, travel: 0.0 }
    }

    /// The current time.
    #[inline]
    pub fn now(&self) -> Time {
        Time(exact(self.visits) + self.travel)
    }

    /// The number of visits the walker made.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// The time spent on roads, beyond the visits.
    pub fn travel(&self) -> f64 {
        self.travel
    }

    /// The time that has passed since `before`.
    pub fn since(&self, before: &Self) -> f64 {
        exact(self.visits - before.visits) + (self.travel - before.travel)
    }

    /// Records visits.
    #[inline]
    pub(crate) fn pass(&mut self, visits: u64) {
        self.visits += visits;
    }

    /// Records time spent on a road.
    #[inline]
    pub(crate) fn pass_on_road(&mut self, time: f64) {
        self.travel += time;
    }

    /// The same number of visits, with the time on roads of `other`.
    pub(crate) fn with_travel_of(self, other: Self) -> Self {
        Self { travel: other.travel, ..self }
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
        at_once.pass_on_road(2.5);
        assert_eq!((at_once.now(), at_once.since(&Clock::after(900))), (Time(1002.5), 102.5));
    }

    #[test]
    fn a_clock_is_a_number_until_a_road_takes_time() {
        let mut clock = Clock::after(7);
        assert_eq!(serde_json::to_string(&clock).unwrap(), "7");
        clock.pass_on_road(0.5);
        let text = serde_json::to_string(&clock).unwrap();
        assert_eq!(text, r#"{"visits":7,"travel":0.5}"#);
        assert_eq!(serde_json::from_str::<Clock>(&text).unwrap(), clock);
        for bad in ["9007199254740993", r#"{"visits":7,"travel":-1}"#, r#"{"visits":7}"#] {
            assert!(serde_json::from_str::<Clock>(bad).is_err(), "{bad}");
        }
    }
}
