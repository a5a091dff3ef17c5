//! Metrics of a store's commits.

use super::histogram::Histogram;
use super::{SECONDS, head};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The upper ends of the classes of sizes.
const WRITES: [f64; 9] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0];

/// The commits of a store: how many writes each had, and how long it took to become durable.
#[derive(Debug)]
pub struct Commits(Mutex<Measured>);

#[derive(Debug)]
struct Measured {
    writes: Histogram<{ WRITES.len() }>,
    seconds: Histogram<{ SECONDS.len() }>,
    failed: u64,
    latest: Option<(Instant, Outcome)>,
}

/// The outcome of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is durable, and reports can be stored.
    Done,
    /// It failed.
    Failed,
}

impl Default for Commits {
    fn default() -> Self {
        let (writes, seconds) = (Histogram::new(&WRITES), Histogram::new(&SECONDS));
        Self(Mutex::new(Measured { writes, seconds, failed: 0, latest: None }))
    }
}

impl Commits {
    /// Counts a durable commit.
    pub fn done(&self, writes: usize, took: Duration) {
        let mut measured = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        measured.writes.add(writes as f64);
        measured.seconds.add(took.as_secs_f64());
    }

    /// Notes that a commit showed that reports can be stored.
    pub fn worked(&self) {
        let mut measured = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        measured.latest = Some((Instant::now(), Outcome::Done));
    }

    /// Counts a failed commit.
    pub fn failed(&self) {
        let mut measured = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        measured.failed += 1;
        measured.latest = Some((Instant::now(), Outcome::Failed));
    }

    /// When and how the latest commit ended that shows whether reports can be stored.
    pub(crate) fn latest(&self) -> Option<(Instant, Outcome)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).latest
    }

    pub(super) fn write(&self, text: &mut String) {
        let measured = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let name = "gbandit_store_commit_writes";
        head(text, (name, "histogram"), "Writes per commit.");
        measured.writes.write(text, name, "");
        let name = "gbandit_store_commit_duration_seconds";
        head(text, (name, "histogram"), "How long commits took until they were durable.");
        measured.seconds.write(text, name, "");
        let name = "gbandit_store_failed_commits_total";
        head(text, (name, "counter"), "Commits that failed.");
        super::line(text, format_args!("{name} {}", measured.failed));
    }
}
