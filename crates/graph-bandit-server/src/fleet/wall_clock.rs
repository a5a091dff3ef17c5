//! The wall clock, which may jump: whether it still agrees with the time that has passed since the start.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How far it may be ahead of the start and the time that has passed since.
const AHEAD: Duration = Duration::from_secs(3_600);

/// The wall clock.
#[derive(Debug)]
pub(super) struct WallClock {
    start: (SystemTime, Instant),
    /// Whether the log says that it is ahead.
    is_said: AtomicBool,
}

impl WallClock {
    /// It is right now.
    pub(super) fn at_start() -> Self {
        Self { start: (SystemTime::now(), Instant::now()), is_said: AtomicBool::new(false) }
    }

    /// The time since 1970, unless the clock is far ahead. That is logged once.
    pub(super) fn now(&self) -> Option<Duration> {
        self.check(SystemTime::now(), self.start.1.elapsed())
    }

    fn check(&self, now: SystemTime, passed: Duration) -> Option<Duration> {
        let ahead = now.duration_since(self.start.0 + passed).unwrap_or_default();
        let is_ahead = ahead > AHEAD;
        if is_ahead && !self.is_said.swap(is_ahead, Ordering::Relaxed) {
            tracing::warn!(
                seconds = ahead.as_secs(),
                "the system's clock was set forward, so no records are removed for their age; if it is right now, \
                 start the service again"
            );
        }
        self.is_said.store(is_ahead, Ordering::Relaxed);
        (!is_ahead).then(|| now.duration_since(UNIX_EPOCH).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_was_set_forward_has_no_time() {
        let clock = WallClock::at_start();
        let hours = |hours: u64| Duration::from_secs(3_600 * hours);
        let at = |ahead: Duration, passed| {
            let now = clock.start.0 + passed + ahead;
            clock.check(now, passed) == now.duration_since(UNIX_EPOCH).ok()
        };
        assert!(at(hours(0), hours(5)) && at(hours(1), hours(5)));
        assert!(!at(hours(1) + Duration::from_nanos(1), hours(5)) && !at(hours(9_999), hours(0)));
        assert!(clock.is_said.load(Ordering::Relaxed));
        // It was set right again. Behind, it only keeps more.
        assert!(at(hours(0), hours(6)) && !clock.is_said.load(Ordering::Relaxed));
        let behind = clock.start.0 - hours(9);
        assert_eq!(clock.check(behind, hours(6)), behind.duration_since(UNIX_EPOCH).ok());
    }
}
