//! When a drone reports.
//!
//! A drone that waits for each answer goes easy on a slow service, and measures only the answers it
//! waited for. A drone with a fixed rate does not: every report has a due time, and the wait for
//! the previous answer counts.

use std::time::{Duration, Instant};

/// When the reports of one drone are due.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Schedule {
    /// As soon as the previous report is answered.
    Answered,
    /// One per period, answered or not.
    Every {
        /// When the first report is due.
        first: Instant,
        /// The time between two reports.
        period: Duration,
    },
}

impl Schedule {
    /// Drone `number` of `drones` that together make `rate` reports per second, evenly spread.
    pub(crate) fn of(rate: Option<u64>, start: Instant, (number, drones): (u64, u64)) -> Self {
        let Some(rate) = rate else { return Self::Answered };
        let offset = Duration::from_secs_f64(number as f64 / rate as f64);
        let period = Duration::from_secs_f64(drones as f64 / rate as f64);
        Self::Every { first: start + offset, period }
    }

    /// When a report is due; `None`: at once.
    pub(crate) fn due(&self, report: u64) -> Option<Instant> {
        match self {
            Self::Answered => None,
            Self::Every { first, period } => Some(*first + period.mul_f64(report as f64)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drones_take_turns() {
        let start = Instant::now();
        let due = |number, report| {
            let due = Schedule::of(Some(50), start, (number, 4)).due(report).unwrap();
            (due - start).as_micros()
        };
        assert_eq!([due(0, 0), due(1, 0), due(3, 0)], [0, 20_000, 60_000]);
        assert_eq!([due(0, 1), due(0, 2), due(3, 9)], [80_000, 160_000, 780_000]);
        assert_eq!(Schedule::of(None, start, (1, 4)).due(7), None);
    }
}
