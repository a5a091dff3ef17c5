//! Writes whose place somebody else has locked. They go again with a later batch, before what came
//! after them, until they are written or it takes too long.

use super::super::StoreError;
use super::batch::Batch;
use super::queue::Waiting;
use std::time::Duration;
use tokio::time::Instant;

/// How long a write goes again and again before it fails.
pub(super) const LONGEST: Duration = Duration::from_secs(5);
/// How long it stays aside after each attempt.
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

    /// Sets a write aside; one that was blocked for too long fails instead.
    pub(super) fn put(&mut self, mut waiting: Waiting<W>, error: StoreError) {
        let since = *waiting.blocked_since.get_or_insert_with(Instant::now);
        if since.elapsed() < LONGEST {
            self.blocked.push(waiting);
        } else {
            tracing::warn!(%error, "a write was given up");
            // Who asked may have gone away.
            let _ = waiting.reply.send(Err(error));
        }
    }

    /// Lets them go with this batch, before all that is in it, if it is time.
    pub(super) fn rejoin(&mut self, batch: &mut Batch<W>) {
        let due = self.tried.is_none_or(|tried| tried.elapsed() >= BETWEEN);
        if self.blocked.is_empty() || !(due || batch.writes().is_empty()) {
            return;
        }
        self.tried = Some(Instant::now());
        batch.put_before(std::mem::take(&mut self.blocked));
    }
}
