//! The clock of an agent: it counts visits, or it follows the times that reports carry.
//!
//! Times become durations before anything is stored: the log says how long each step took, whichever clock the agent
//! has. Beside that, only the last time is remembered.

use super::{EventError, Live};
use graph_bandit::{MAX_TRAVEL, MAX_VISITS, Paid};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// By how much a visit may end too early, because clocks round.
const TOLERANCE: f64 = 1e-6;

/// What an agent's clock follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ClockKind {
    /// It counts one unit for each visit, plus the travel time of roads. If a report has `took`, it counts that
    /// instead.
    #[default]
    Count,
    /// It follows the `time` of reported visits, in units of one visit since a moment of your choice.
    Stamps,
}

impl ClockKind {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
    pub(super) fn is_count(&self) -> bool {
        *self == Self::Count
    }
}

/// One visit as it was reported.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The reward.
    pub reward: f64,
    /// How long it took.
    pub took: Option<f64>,
    /// When it ended.
    pub time: Option<f64>,
}

impl Live {
    /// What the agent's clock follows.
    pub fn clock(&self) -> ClockKind {
        self.definition.clock
    }

    /// When the last visit ended, by the stamps of reports; `None` before the first one, or if the clock counts.
    pub fn last_time(&self) -> Option<f64> {
        self.last_time
    }

    /// Notes when the last visit ended.
    pub(crate) fn come_to(&mut self, time: f64) {
        self.last_time = Some(time);
    }

    /// A time for the next visit as ordered, on a clock that follows times.
    pub(crate) fn expected_time(&self) -> Option<f64> {
        if self.clock().is_count() {
            return None;
        }
        let next = self.session.pending().node;
        let road = self.session.graph().travel(self.place(), next).unwrap_or(0.0);
        Some(self.last_time.unwrap_or(0.0) + 1.0 + road)
    }

    /// How long each of these visits took.
    ///
    /// # Errors
    /// When times are missing or impossible, or the clock is of the other kind.
    pub fn timed(&self, steps: &[Step]) -> Result<Vec<Paid>, EventError> {
        let mut last = self.last_time;
        let timed = steps.iter().zip(1..).map(|(step, visit)| match self.clock() {
            ClockKind::Count => counted(step),
            ClockKind::Stamps => stamped(step, visit, &mut last),
        });
        timed.collect()
    }
}

/// A visit by a clock that counts.
fn counted(&Step { reward, took, time }: &Step) -> Result<Paid, EventError> {
    match (time, took) {
        (None, took) => Ok(Paid { reward, took }),
        (Some(time), Some(took)) => Err(EventError::TimeAndTook { time, took }),
        (Some(time), None) => Err(EventError::TimeToCount { time }),
    }
}

/// A visit by a clock that follows times; `last` is when the visit before it ended.
fn stamped(
    &Step { reward, took, time }: &Step,
    visit: usize,
    last: &mut Option<f64>,
) -> Result<Paid, EventError> {
    let time = match (time, took) {
        (Some(time), Some(took)) => return Err(EventError::TimeAndTook { time, took }),
        (None, Some(took)) => return Err(EventError::TookToStamps { took, last: Last(*last) }),
        (None, None) => return Err(EventError::NoTime { visit, last: Last(*last) }),
        (Some(time), None) => time,
    };
    if time.is_nan() || time.abs() > MAX_VISITS as f64 {
        return Err(EventError::TimeOutOfRange { visit, time, last: Last(*last) });
    }
    // Nobody knows how long the first visit took: it fixes the origin.
    let took = last.map(|last| duration(visit, time, last)).transpose()?;
    *last = Some(time);
    Ok(Paid { reward, took })
}

fn duration(visit: usize, time: f64, last: f64) -> Result<f64, EventError> {
    let took = time - last;
    // Times far from their origin are rounded more. But a time that stands still is always too early.
    let rounding = (TOLERANCE + 2.0 * f64::EPSILON * time.abs().max(last.abs())).min(0.5);
    if took < 1.0 - rounding {
        return Err(EventError::TooEarly { visit, time, last });
    }
    if took > 1.0 + MAX_TRAVEL {
        return Err(EventError::TooLate { visit, time, last });
    }
    // A visit that seems longer only by rounding must not make a road longer.
    Ok(if took <= 1.0 + rounding { 1.0 } else { took })
}

/// A number as an error names it: `20` and `1e300`, not 301 digits.
pub(super) struct Short(pub(super) f64);

impl std::fmt::Display for Short {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = format!("{:?}", self.0);
        to.write_str(text.strip_suffix(".0").unwrap_or(&text))
    }
}

/// The last time, as an error names it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Last(pub Option<f64>);

impl std::fmt::Display for Last {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(last) => write!(to, "the last time was {}", Short(last)),
            None => write!(to, "there was no time before"),
        }
    }
}
