//! Writes that are blocked by another's lock. They are retried with a later batch, before later writes,
//! until they are written or take too long.

use super::super::StoreError;
use super::batch::Batch;
use super::queue::Waiting;
use std::time::Duration;
use tokio::time::Instant;

/// How long a write is retried before it fails.
pub(super) const LONGEST: Duration = Duration::from_secs(5);
/// How long it is set aside after each attempt.
const BETWEEN: Duration = Duration::from_millis(10);

/// The writes that are set aside, in the order in which they came.
pub(super) struct Aside<W> {
    blocked: Vec<Waiting<W>>,
    /// When they were last tried.
    tried: Option<Instant>,
}

impl<W> Default for Aside<W> {
    fn default() -> Self {
        Self { blocked: Vec::new(), tried: None }
    }
}

impl<W> Aside<W> {
    pub(super) fn is_empty(&self) -> bool {
        self.blocked.is_empty()
    }

    /// Sets a write aside, or fails it if it was blocked for too long.
    pub(super) fn put(&mut self, mut waiting: Waiting<W>, error: StoreError) {
        let since = *waiting.blocked_since.get_or_insert_with(Instant::now);
        if since.elapsed() < LONGEST {
            self.blocked.push(waiting);
        } else {
            tracing::warn!(%error, "a write was given up");
            // The caller may be gone.
            let _ = waiting.reply.send(Err(error));
        }
    }

    /// Puts them at the front of this batch, if it is time.
    pub(super) fn rejoin(&mut self, batch: &mut Batch<W>) {
        let due = self.tried.is_none_or(|tried| tried.elapsed() >= BETWEEN);
        if self.blocked.is_empty() || !(due || batch.writes().is_empty()) {
            return;
        }
        self.tried = Some(Instant::now());
        batch.put_before(std::mem::take(&mut self.blocked));
    }
}
