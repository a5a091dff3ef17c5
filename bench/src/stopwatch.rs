//! Elapsed time without the time spent waiting for a core.
//!
//! On a busy machine a measuring thread waits for a core: three times as long as it runs if eight
//! programs share two cores. Linux reports how long each thread waited, and this is subtracted; on
//! other systems all elapsed time counts.

use std::time::{Duration, Instant};

/// Runs since it was created.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch {
    begun: Instant,
    waited_before: Option<Duration>,
    /// How long it took to read the waiting time; a wait during that time was before the start.
    asking: Duration,
}

/// The reading of a stopwatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elapsed {
    /// Elapsed time in which this thread did not wait for a core.
    pub running: Duration,
    /// The time it waited, if the system reports it.
    pub waiting: Option<Duration>,
}

impl Stopwatch {
    /// Starts for this thread.
    pub fn start() -> Self {
        let asked = Instant::now();
        let waited_before = waited();
        let begun = Instant::now();
        Self { begun, waited_before, asking: begun.duration_since(asked) }
    }

    /// The time since the start, which must have been on the same thread.
    pub fn elapsed(&self) -> Elapsed {
        let end = Instant::now();
        let waited = waited();
        // The thread may have waited while it read the waiting time, outside the measured interval:
        // better subtract too little than too much.
        let outside = self.asking + end.elapsed();
        let waiting = self
            .waited_before
            .zip(waited)
            .map(|(before, now)| now.saturating_sub(before).saturating_sub(outside));
        let clock = end.duration_since(self.begun);
        Elapsed { running: clock.saturating_sub(waiting.unwrap_or_default()), waiting }
    }

    /// Seconds since the start, without waiting.
    pub fn seconds(&self) -> f64 {
        self.elapsed().running.as_secs_f64()
    }
}

impl Elapsed {
    /// The share of time spent waiting, from 0 to 1.
    pub fn share_waited(&self) -> Option<f64> {
        let waiting = self.waiting?.as_secs_f64();
        Some(waiting / (waiting + self.running.as_secs_f64()).max(f64::MIN_POSITIVE))
    }
}

/// How long this thread has waited for a core in total: the second number of its `schedstat`.
fn waited() -> Option<Duration> {
    let numbers = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    waited_of(&numbers)
}

fn waited_of(schedstat: &str) -> Option<Duration> {
    let nanoseconds = schedstat.split_whitespace().nth(1)?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_waiting_time() {
        assert_eq!(waited_of("2030 3135507 17\n"), Some(Duration::from_nanos(3_135_507)));
        assert_eq!(waited_of("2030\n"), None);
        assert_eq!(waited_of("2030 soon 17\n"), None);
    }

    #[test]
    fn running_and_waiting_add_up_to_the_elapsed_time() {
        let elapsed = |running, waiting: Option<u64>| Elapsed {
            running: Duration::from_secs(running),
            waiting: waiting.map(Duration::from_secs),
        };
        assert_eq!(elapsed(3, Some(1)).share_waited(), Some(0.25));
        assert_eq!(elapsed(0, Some(0)).share_waited(), Some(0.0));
        assert_eq!(elapsed(3, None).share_waited(), None);
    }
}
