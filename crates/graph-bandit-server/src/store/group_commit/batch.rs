//! Writes that are committed together, and their waiting callers.

use super::super::StoreError;
use super::super::worker::Reply;
use super::aside::Aside;
use super::queue::{Backlog, Waiting};
use super::{Commits, Fate, Results};
use tokio::time::Instant;

/// The most writes of one batch, so that the first does not wait too long.
const MOST_AT_ONCE: usize = 1_000;
/// A batch with more bytes than this takes no more writes.
const ENOUGH: usize = 8 << 20;

/// Writes, each with its waiting caller.
pub(super) struct Batch<W> {
    writes: Vec<W>,
    waiting: Vec<(Reply<()>, Option<Instant>)>,
}

impl<W> Default for Batch<W> {
    fn default() -> Self {
        Self { writes: Vec::new(), waiting: Vec::new() }
    }
}

impl<W> Batch<W> {
    /// A batch of one.
    pub(super) fn of(first: Waiting<W>) -> Self {
        let mut batch = Self::default();
        batch.add(first);
        batch
    }

    pub(super) fn writes(&self) -> &[W] {
        &self.writes
    }

    fn add(&mut self, next: Waiting<W>) {
        self.writes.push(next.write);
        self.waiting.push((next.reply, next.blocked_since));
    }

    /// Adds waiting writes, up to the limits of a batch.
    pub(super) fn gather(&mut self, backlog: &mut Backlog<W>, size: impl Fn(&W) -> usize) {
        let mut bytes: usize = self.writes.iter().map(&size).sum();
        while self.writes.len() < MOST_AT_ONCE && bytes < ENOUGH {
            let Some(next) = backlog.try_next() else { break };
            bytes += size(&next.write);
            self.add(next);
        }
    }

    /// Adds all waiting writes.
    pub(super) fn gather_all(&mut self, backlog: &mut Backlog<W>) {
        while let Some(next) = backlog.try_next() {
            self.add(next);
        }
    }

    /// Adds writes at the front.
    pub(super) fn put_before(&mut self, earlier: Vec<Waiting<W>>) {
        let later = std::mem::take(self);
        for waiting in earlier {
            self.add(waiting);
        }
        self.writes.extend(later.writes);
        self.waiting.extend(later.waiting);
    }

    /// Each write by itself, in order.
    fn each(self) -> impl Iterator<Item = Waiting<W>> {
        let pairs = self.writes.into_iter().zip(self.waiting);
        pairs.map(|(write, (reply, blocked_since))| Waiting { write, reply, blocked_since })
    }

    /// Each write as a batch of its own, in order.
    pub(super) fn apart(self) -> impl Iterator<Item = Self> {
        self.each().map(Self::of)
    }

    /// Answers every caller; blocked writes are set aside.
    pub(super) fn answer(self, results: Results, aside: &mut Aside<W>) {
        for (waiting, fate) in self.each().zip(results) {
            match fate {
                // The caller may be gone; the write stands all the same.
                Fate::Settled(result) => drop(waiting.reply.send(result)),
                Fate::Blocked(error) => aside.put(waiting, error),
            }
        }
    }

    /// Answers every caller that nothing was written, as far as is known. Answers first and logs later, so that
    /// nobody waits for the log.
    pub(super) fn fail(self, error: &StoreError, commits: &Commits) {
        commits.failed();
        for waiting in self.each() {
            let _ = waiting.reply.send(Err(error.clone()));
        }
        tracing::error!(%error, "a transaction of the store failed");
    }
}
