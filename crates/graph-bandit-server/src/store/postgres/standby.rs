//! Commits that a synchronous standby may not have. If somebody cancels the wait for it, PostgreSQL reports the
//! commit as done, with a warning. Such a commit has failed as far as callers know. What is read after it may be
//! lost with the database's machine, so it is not shown until a later commit is confirmed, which confirms all
//! before it.

use super::StoreError;
use super::failure::failed;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio_postgres::error::DbError;

/// The cancelled waits of a store, on any of its connections.
#[derive(Debug, Default)]
pub(super) struct Standby {
    cancelled: AtomicU64,
    /// How many of them a later commit has made up for.
    confirmed: AtomicU64,
}

impl Standby {
    /// Counts a cancelled wait. Its warning comes before the answer to the commit. The text may be in any
    /// language; the name of the routine is not.
    pub(super) fn hear(&self, notice: &DbError) {
        if notice.routine().is_some_and(|routine| routine.starts_with("SyncRep")) {
            tracing::warn!(warning = notice.message(), "a commit was not confirmed by the standby");
            self.cancelled.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// How many waits were cancelled so far.
    pub(super) fn cancelled(&self) -> u64 {
        self.cancelled.load(Ordering::SeqCst)
    }

    /// Refuses what was committed since then if a wait was cancelled meanwhile.
    pub(super) fn confirm_since(&self, cancelled: u64) -> Result<(), StoreError> {
        if self.cancelled() == cancelled {
            return Ok(());
        }
        Err(failed(
            "PostgreSQL: the wait for the synchronous standby was cancelled, so the standby may lack the last \
             writes"
                .to_owned(),
        ))
    }

    /// A commit that began after this many cancelled waits was confirmed.
    pub(super) fn confirmed(&self, cancelled: u64) {
        self.confirmed.fetch_max(cancelled, Ordering::SeqCst);
    }

    /// Whether there are commits that are still to be confirmed.
    pub(super) fn is_behind(&self) -> bool {
        self.confirmed.load(Ordering::SeqCst) < self.cancelled()
    }
}
