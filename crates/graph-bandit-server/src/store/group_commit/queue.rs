//! The way from those who write to the one that commits.

use super::super::Pending;
use super::super::worker::{Reply, answered};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

/// Something to write, and who waits for it.
#[derive(Debug)]
pub(super) struct Waiting<W> {
    pub(super) write: W,
    pub(super) reply: Reply<()>,
    /// Since when somebody else has locked its place, if it was tried and could not be written.
    pub(super) blocked_since: Option<Instant>,
}

/// Where writes are handed in.
#[derive(Debug)]
pub(in super::super) struct Queue<W>(mpsc::UnboundedSender<Waiting<W>>);

/// Where the writer takes them.
#[derive(Debug)]
pub(in super::super) struct Backlog<W>(mpsc::UnboundedReceiver<Waiting<W>>);

/// A queue, both ends of it.
pub(in super::super) fn queue<W>() -> (Queue<W>, Backlog<W>) {
    let (to, from) = mpsc::unbounded_channel();
    (Queue(to), Backlog(from))
}

impl<W> Queue<W> {
    /// Hands in a write; answered when it is durable, or refused.
    pub(in super::super) fn write(&self, write: W) -> Pending<()> {
        let (reply, answer) = oneshot::channel();
        let sent = self.0.send(Waiting { write, reply, blocked_since: None }).is_ok();
        answered(sent, answer)
    }
}

impl<W> Backlog<W> {
    /// The first that waits; none when nobody can hand in any more.
    pub(super) async fn next(&mut self) -> Option<Waiting<W>> {
        self.0.recv().await
    }

    /// Whether nobody can hand in any more; what was handed in may still wait.
    pub(super) fn is_closed(&self) -> bool {
        self.0.is_closed()
    }

    /// The next one, if it waits already.
    pub(super) fn next_there(&mut self) -> Option<Waiting<W>> {
        self.0.try_recv().ok()
    }
}
