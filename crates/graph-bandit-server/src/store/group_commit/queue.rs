//! The queue from the callers to the writer.

use super::super::Pending;
use super::super::worker::{Reply, answered};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

/// A write and its waiting caller.
#[derive(Debug)]
pub(super) struct Waiting<W> {
    pub(super) write: W,
    pub(super) reply: Reply<()>,
    /// Since when another's lock blocks it, if it was tried.
    pub(super) blocked_since: Option<Instant>,
}

/// The callers' end of the queue.
#[derive(Debug)]
pub(in super::super) struct Queue<W>(mpsc::UnboundedSender<Waiting<W>>);

/// The writer's end of the queue.
#[derive(Debug)]
pub(in super::super) struct Backlog<W>(mpsc::UnboundedReceiver<Waiting<W>>);

/// Makes a queue and returns both ends.
pub(in super::super) fn queue<W>() -> (Queue<W>, Backlog<W>) {
    let (to, from) = mpsc::unbounded_channel();
    (Queue(to), Backlog(from))
}

impl<W> Queue<W> {
    /// Queues a write; answered when it is durable or refused.
    pub(in super::super) fn write(&self, write: W) -> Pending<()> {
        let (reply, answer) = oneshot::channel();
        let sent = self.0.send(Waiting { write, reply, blocked_since: None }).is_ok();
        answered(sent, answer)
    }
}

impl<W> Backlog<W> {
    /// Waits for the first write; none when the queue is closed.
    pub(super) async fn next(&mut self) -> Option<Waiting<W>> {
        self.0.recv().await
    }

    /// Whether the queue is closed; writes may still wait in it.
    pub(super) fn is_closed(&self) -> bool {
        self.0.is_closed()
    }

    /// The next waiting write, if any.
    pub(super) fn try_next(&mut self) -> Option<Waiting<W>> {
        self.0.try_recv().ok()
    }
}
