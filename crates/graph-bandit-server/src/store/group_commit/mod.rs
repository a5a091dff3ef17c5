//! Group commit, written once over back ends: all that waits goes into one batch, the back end makes
//! it durable as a whole, and only then everybody who waited is answered, each for itself.
//!
//! A sync costs the same for one record as for a hundred, so the rate grows with the number of
//! robots. A back end brings a [`Medium`] and the thread or task that runs [`work`]; the queue, the
//! batches, the answers, the metrics and what happens after a failure are here.
//!
//! What fails is told to those who wait, counted and logged (`Batch::fail`), and the writer goes on
//! with the next batch. A writer that ends takes its end of the queue along: from then on every write
//! is answered with `stopped`.

mod batch;
mod queue;
#[cfg(test)]
mod tests;

pub(super) use queue::{Backlog, Queue, queue};

use super::StoreError;
use crate::metrics::Commits;
use batch::Batch;
use std::future::Future;
use std::time::Instant;

/// What each write of a batch came to: done, or refused by itself.
pub(super) type Results = Vec<Result<(), StoreError>>;

/// What many writes can be written to at once.
pub(super) trait Medium {
    /// Something to write.
    type Write;

    /// How many bytes a write takes, about.
    fn size(write: &Self::Write) -> usize;

    /// Makes itself ready for a batch, which is gathered only afterwards. If it cannot, all who wait
    /// are told so at once, and nobody waits for one attempt after the other.
    fn ready(&mut self) -> impl Future<Output = Result<(), StoreError>>;

    /// Writes a batch in the order given: begins, applies and commits all of it, or nothing. What is
    /// answered is durable.
    fn commit(&mut self, batch: &[Self::Write]) -> impl Future<Output = Result<Results, Failure>>;
}

/// Why a whole batch was not written.
#[derive(Debug)]
pub(super) enum Failure {
    /// The medium failed. Whether the batch is there must be read from it.
    OfAll(StoreError),
    /// One of the writes is to blame, and nothing was written: each is tried by itself, so that the
    /// others do not suffer for it.
    #[cfg_attr(not(feature = "sqlite"), allow(dead_code, reason = "only files know such damage"))]
    OfOne(StoreError),
}

/// Writes until nobody can ask for it any more.
pub(super) async fn work<M: Medium>(
    mut medium: M,
    mut backlog: Backlog<M::Write>,
    commits: &Commits,
) {
    while let Some(first) = backlog.next().await {
        let ready = medium.ready().await;
        let mut batch = Batch::of(first);
        match ready {
            Ok(()) => {
                batch.gather(&mut backlog, M::size);
                commit(&mut medium, batch, commits).await;
            }
            Err(error) => {
                batch.gather_all(&mut backlog);
                batch.fail(&error, commits);
            }
        }
    }
}

async fn commit<M: Medium>(medium: &mut M, batch: Batch<M::Write>, commits: &Commits) {
    let start = Instant::now();
    match medium.commit(batch.writes()).await {
        Ok(results) => {
            commits.done(results.len(), start.elapsed());
            batch.answer(results);
        }
        Err(Failure::OfOne(_)) if batch.writes().len() > 1 => {
            for alone in batch.apart() {
                // A batch of one is answered at once, so this goes no deeper.
                Box::pin(commit(medium, alone, commits)).await;
            }
        }
        Err(Failure::OfOne(error) | Failure::OfAll(error)) => batch.fail(&error, commits),
    }
}
