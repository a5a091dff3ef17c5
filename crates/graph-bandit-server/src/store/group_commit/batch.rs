//! What is committed together, and who waits for it.

use super::super::StoreError;
use super::super::worker::Reply;
use super::queue::{Backlog, Waiting};
use super::{Commits, Results};

/// The most writes of one batch, so that the first of them does not wait for ever.
const MOST_AT_ONCE: usize = 1_000;
/// A batch of more bytes than this takes in no more.
const ENOUGH: usize = 8 << 20;

/// Writes, and who waits for each.
pub(super) struct Batch<W> {
    writes: Vec<W>,
    replies: Vec<Reply<()>>,
}

impl<W> Batch<W> {
    /// A batch of one.
    pub(super) fn of(first: Waiting<W>) -> Self {
        Self { writes: vec![first.write], replies: vec![first.reply] }
    }

    pub(super) fn writes(&self) -> &[W] {
        &self.writes
    }

    fn add(&mut self, next: Waiting<W>) {
        self.writes.push(next.write);
        self.replies.push(next.reply);
    }

    /// Takes in what waits already, as far as one batch may grow.
    pub(super) fn gather(&mut self, backlog: &mut Backlog<W>, size: impl Fn(&W) -> usize) {
        let mut bytes: usize = self.writes.iter().map(&size).sum();
        while self.writes.len() < MOST_AT_ONCE && bytes < ENOUGH {
            let Some(next) = backlog.next_there() else { break };
            bytes += size(&next.write);
            self.add(next);
        }
    }

    /// Takes in all that waits already.
    pub(super) fn gather_all(&mut self, backlog: &mut Backlog<W>) {
        while let Some(next) = backlog.next_there() {
            self.add(next);
        }
    }

    /// Each write as a batch of its own, in order.
    pub(super) fn apart(self) -> impl Iterator<Item = Self> {
        let pairs = self.writes.into_iter().zip(self.replies);
        pairs.map(|(write, reply)| Self::of(Waiting { write, reply }))
    }

    /// Tells everybody what became of his write.
    pub(super) fn answer(self, results: Results) {
        for (reply, result) in self.replies.into_iter().zip(results) {
            // Who asked may have gone away; the write stands all the same.
            let _ = reply.send(result);
        }
    }

    /// Tells everybody that nothing was written, as far as anybody knows. They are told before it is
    /// logged, so that nobody waits for a log.
    pub(super) fn fail(self, error: &StoreError, commits: &Commits) {
        commits.failed();
        let results = vec![Err(error.clone()); self.writes.len()];
        self.answer(results);
        tracing::error!(%error, "a transaction of the store failed");
    }
}
