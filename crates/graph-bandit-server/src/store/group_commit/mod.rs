//! Group commit, written once for all back ends: all waiting writes go into one batch, the back end
//! makes the batch durable, and only then each caller gets its own answer.
//!
//! A sync costs the same for one record as for a hundred, so the rate grows with the number of
//! robots. A back end provides a [`Medium`] and the thread or task that runs [`work`]; queue, batches,
//! answers, metrics and the handling of failures are here.
//!
//! A failure is sent to the callers, counted and logged (`Batch::fail`), and the writer goes on with the
//! next batch. A write that is blocked by another's lock is set aside and retried (`Aside`), so that the
//! others do not wait for it. Background work ([`Medium::tidy`]) is done in small pieces: one after every
//! batch, and one after the other while nobody writes. When a writer ends, every later write is answered
//! with `stopped`.

mod aside;
mod batch;
mod queue;
#[cfg(test)]
mod tests;

pub(super) use queue::{Backlog, Queue, queue};

use super::StoreError;
use crate::metrics::Commits;
use aside::Aside;
use batch::Batch;
use std::future::Future;
use std::time::Instant;

/// The fate of each write of a batch.
pub(super) type Results = Vec<Fate>;

/// The fate of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fate {
    /// Done or refused.
    Settled(Result<(), StoreError>),
    /// Another's lock blocks it, and it was left out. It is retried for a while, and then fails with this
    /// error.
    #[cfg_attr(
        not(feature = "postgres"),
        allow(dead_code, reason = "only databases have such locks")
    )]
    Blocked(StoreError),
}

/// Whether there is more background work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tidy {
    /// None, or none that can be done before the next batch.
    Done,
    /// Another piece waits.
    #[cfg_attr(not(feature = "sqlite"), allow(dead_code, reason = "only files are tidied up here"))]
    More,
}

/// A back end that commits many writes at once.
pub(super) trait Medium {
    /// A write.
    type Write;

    /// About how many bytes a write has.
    fn size(write: &Self::Write) -> usize;

    /// Whether the success of this write shows that reports can be stored.
    fn proves(_write: &Self::Write) -> bool {
        true
    }

    /// Prepares for a batch, which is gathered only afterwards. If it fails, all waiting callers get the
    /// error at once, and nobody waits for one attempt after the other.
    fn ready(&mut self) -> impl Future<Output = Result<(), StoreError>>;

    /// Writes a batch in the given order: begins, applies and commits all of it, or nothing. The batch is
    /// durable when this returns.
    fn commit(&mut self, batch: &[Self::Write]) -> impl Future<Output = Result<Results, Failure>>;

    /// Does a small piece of background work.
    fn tidy(&mut self) -> impl Future<Output = Tidy> {
        std::future::ready(Tidy::Done)
    }

    /// Waits some milliseconds before blocked writes are retried. Only called if there are any.
    fn pause(&mut self) -> impl Future<Output = ()> {
        std::future::ready(())
    }
}

/// Why a batch was not written.
#[derive(Debug)]
pub(super) enum Failure {
    /// The medium failed. Only reading it shows whether the batch was written.
    OfAll(StoreError),
    /// One of the writes failed, and nothing was written. Each is tried by itself, so that the others do not
    /// fail with it.
    OfOne(StoreError),
}

/// Writes until the queue is closed.
pub(super) async fn work<M: Medium>(
    mut medium: M,
    mut backlog: Backlog<M::Write>,
    commits: &Commits,
) {
    let mut aside = Aside::default();
    let mut tidy = Tidy::More;
    loop {
        let mut batch = match backlog.try_next() {
            Some(first) => Batch::of(first),
            None if !aside.is_empty() => {
                medium.pause().await;
                Batch::default()
            }
            None if tidy == Tidy::More && !backlog.is_closed() => {
                tidy = medium.tidy().await;
                continue;
            }
            None => match backlog.next().await {
                Some(first) => Batch::of(first),
                None => break,
            },
        };
        match medium.ready().await {
            Ok(()) => {
                batch.gather(&mut backlog, M::size);
                aside.rejoin(&mut batch);
                commit(&mut medium, batch, &mut aside, commits).await;
                tidy = medium.tidy().await;
            }
            Err(error) => {
                aside.rejoin(&mut batch);
                batch.gather_all(&mut backlog);
                batch.fail(&error, commits);
            }
        }
    }
}

/// Whether a committed batch shows that reports can be stored.
pub(super) fn is_proof<M: Medium>(batch: &[M::Write], results: &Results) -> bool {
    let is_done = |fate: &Fate| *fate == Fate::Settled(Ok(()));
    batch.iter().zip(results).any(|(write, fate)| M::proves(write) && is_done(fate))
}

async fn commit<M: Medium>(
    medium: &mut M,
    batch: Batch<M::Write>,
    aside: &mut Aside<M::Write>,
    commits: &Commits,
) {
    let start = Instant::now();
    match medium.commit(batch.writes()).await {
        Ok(results) => {
            let settled = results.iter().filter(|fate| matches!(fate, Fate::Settled(_))).count();
            if settled > 0 {
                commits.done(settled, start.elapsed());
            }
            if is_proof::<M>(batch.writes(), &results) {
                commits.worked();
            }
            batch.answer(results, aside);
        }
        Err(Failure::OfOne(_)) if batch.writes().len() > 1 => {
            for alone in batch.apart() {
                // A batch of one is answered at once, so this goes no deeper.
                Box::pin(commit(medium, alone, aside, commits)).await;
            }
        }
        Err(Failure::OfOne(error) | Failure::OfAll(error)) => batch.fail(&error, commits),
    }
}
