//! A thread that a store works on, and how answers come back from it.

use super::{Pending, StoreError};
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// How an answer comes back from a thread of the store.
pub(super) type Reply<T> = oneshot::Sender<Result<T, StoreError>>;

/// What is answered when a thread has ended: there is nobody left to do it.
pub(super) fn stopped() -> StoreError {
    StoreError::Failed { reason: "the store has stopped".to_owned() }
}

/// The answer to something that was handed in, or was not because nobody is there.
pub(super) fn answered<T: Send + 'static>(
    sent: bool,
    answer: oneshot::Receiver<Result<T, StoreError>>,
) -> Pending<T> {
    Box::pin(async move {
        if sent { answer.await.unwrap_or_else(|_| Err(stopped())) } else { Err(stopped()) }
    })
}

/// A thread and the ways to it; asked no more, it ends. One that died has told so to all who waited
/// for it, and tells so to all who ask.
#[derive(Debug)]
pub(super) struct Worker<W> {
    ways: Option<W>,
    handle: Option<JoinHandle<()>>,
}

impl<W> Worker<W> {
    /// Starts a thread. `ways` are how the thread is asked; it ends when they are gone.
    pub(super) fn start(
        name: &str,
        ways: W,
        work: impl FnOnce() + Send + 'static,
    ) -> Result<Self, StoreError> {
        let handle = std::thread::Builder::new().name(name.to_owned()).spawn(work);
        let handle = handle.map_err(|error| StoreError::Failed { reason: error.to_string() })?;
        Ok(Self { ways: Some(ways), handle: Some(handle) })
    }

    /// Asks by one of the ways to it.
    pub(super) fn ask<T: Send + 'static>(&self, ask: impl FnOnce(&W) -> Pending<T>) -> Pending<T> {
        self.ways.as_ref().map_or_else(|| Box::pin(std::future::ready(Err(stopped()))), ask)
    }
}

/// Everything that was accepted is finished before the thread is gone.
impl<W> Drop for Worker<W> {
    fn drop(&mut self) {
        self.ways = None;
        if let Some(handle) = self.handle.take() {
            // What it died of was said when it died.
            let _ = handle.join();
        }
    }
}
