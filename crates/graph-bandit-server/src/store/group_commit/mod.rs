//! Group commit, written once over back ends: all that waits goes into one batch, the back end makes
//! it durable as a whole, and only then everybody who waited is answered, each for itself.
//!
//! A sync costs the same for one record as for a hundred, so the rate grows with the number of
//! robots. A back end brings a [`Medium`] and the thread or task that runs [`work`]; the queue, the
//! batches, the answers, the metrics and what happens after a failure are here.
//!
//! What fails is told to those who wait, counted and logged (`Batch::fail`), and the writer goes on
//! with the next batch. A write whose place somebody else has locked is set aside and tried again
//! (`Aside`), so that the others do not wait for it. What nobody waits for ([`Medium::tidy`]) is done
//! in small pieces: one after every batch, and one after the other while nobody writes. A writer that
//! ends takes its end of the queue along: from then on every write is answered with `stopped`.

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

/// What each write of a batch came to.
pub(super) type Results = Vec<Fate>;

/// What a write came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fate {
    /// Done, or refused by itself.
    Settled(Result<(), StoreError>),
    /// Somebody else has locked its place, and it was left out: it is tried again for a while, and then
    /// fails with this error.
    #[cfg_attr(
        not(feature = "postgres"),
        allow(dead_code, reason = "only databases have such locks")
    )]
    Blocked(StoreError),
}

/// Whether there is more to tidy up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tidy {
    /// Nothing, or nothing that can be done before the next batch.
    Done,
    /// Another piece waits.
    #[cfg_attr(not(feature = "sqlite"), allow(dead_code, reason = "only files are tidied up here"))]
    More,
}

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

    /// Does a small piece of what nobody waits for.
    fn tidy(&mut self) -> impl Future<Output = Tidy> {
        std::future::ready(Tidy::Done)
    }

    /// Lets some milliseconds pass, before what was blocked is tried again. Only called where something
    /// was.
    fn pause(&mut self) -> impl Future<Output = ()> {
        std::future::ready(())
    }
}

/// Why a whole batch was not written.
#[derive(Debug)]
pub(super) enum Failure {
    /// The medium failed. Whether the batch is there must be read from it.
    OfAll(StoreError),
    /// One of the writes is to blame, and nothing was written: each is tried by itself, so that the
    /// others do not suffer for it.
    OfOne(StoreError),
}

/// Writes until nobody can ask for it any more.
pub(super) async fn work<M: Medium>(
    mut medium: M,
    mut backlog: Backlog<M::Write>,
    commits: &Commits,
) {
    let mut aside = Aside::default();
    let mut tidy = Tidy::More;
    loop {
        let mut batch = match backlog.next_there() {
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
