//! Runs on many threads, and how to stop them.

use crate::error::LabError;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// How many threads to use; never more than there are runs to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Jobs {
    /// One per core.
    #[default]
    All,
    /// This many, at least one.
    Exactly(usize),
}

impl Jobs {
    /// The number of a flag, or one per core.
    pub fn from_flag(jobs: Option<u16>) -> Self {
        jobs.map_or(Self::All, |jobs| Self::Exactly(usize::from(jobs)))
    }

    /// The number of threads.
    pub(crate) fn threads(self) -> usize {
        match self {
            Self::All => thread::available_parallelism().map_or(1, NonZero::get),
            Self::Exactly(jobs) => jobs.max(1),
        }
    }
}

/// One run of one agent, to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    /// The agent's position in the study.
    pub agent: usize,
    /// The run's number.
    pub run: u64,
}

/// Watches while runs are made.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Called after each run, from any thread.
    pub tick: &'a (dyn Fn() + Sync),
    /// When set, runs end at their next leg, and the study with them.
    pub stop: &'a AtomicBool,
}

/// Tells when runs must end: the caller asked for it, or one of them failed.
pub(crate) struct Stop<'a> {
    asked: &'a AtomicBool,
    failed: AtomicBool,
}

impl<'a> Stop<'a> {
    pub(crate) fn when(asked: &'a AtomicBool) -> Self {
        Self { asked, failed: AtomicBool::new(false) }
    }

    pub(crate) fn is_due(&self) -> bool {
        self.flags().iter().any(|flag| flag.load(Ordering::Relaxed))
    }

    /// The flags that end the runs.
    pub(crate) fn flags(&self) -> [&AtomicBool; 2] {
        [self.asked, &self.failed]
    }

    /// One run failed: the others need not continue.
    pub(crate) fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }
}

/// All results, or the first error that is not merely an interruption.
pub(crate) fn all_or_first_error<T>(made: Vec<Result<T, LabError>>) -> Result<Vec<T>, LabError> {
    let is_cause = |made: &Result<T, LabError>| {
        made.as_ref().err().is_some_and(|error| *error != LabError::Interrupted)
    };
    match made.iter().position(is_cause) {
        Some(first) => made.into_iter().skip(first).take(1).collect(),
        None => made.into_iter().collect(),
    }
}

/// Runs `work` on a pool of threads.
pub(crate) fn in_pool<R: Send>(
    threads: usize,
    work: impl FnOnce() -> R + Send,
) -> Result<R, LabError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool =
        pool.map_err(|error| LabError::Threads { jobs: threads, reason: error.to_string() })?;
    Ok(pool.install(work))
}
