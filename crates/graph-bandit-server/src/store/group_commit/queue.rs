//! The way from those who write to the one that commits.

use super::super::Pending;
use super::super::worker::{Reply, answered};
use tokio::sync::{mpsc, oneshot};

/// Something to write, and who waits for it.
#[derive(Debug)]
pub(super) struct Waiting<W> {
    pub(super) write: W,
    pub(super) reply: Reply<()>,
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
        let sent = self.0.send(Waiting { write, reply }).is_ok();
        answered(sent, answer)
    }
}

impl<W> Backlog<W> {
    /// The first that waits; none when nobody can hand in any more.
    pub(super) async fn next(&mut self) -> Option<Waiting<W>> {
        self.0.recv().await
    }

    /// The next one, if it waits already.
    pub(super) fn next_there(&mut self) -> Option<Waiting<W>> {
        self.0.try_recv().ok()
    }
}
