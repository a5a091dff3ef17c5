//! A worker thread of a store, and how its answers come back.

use super::{Death, Pending, StoreError};
use std::thread::JoinHandle;
use tokio::sync::{oneshot, watch};

/// The channel for an answer of a worker thread.
pub(super) type Reply<T> = oneshot::Sender<Result<T, StoreError>>;

/// The answer when the thread has ended.
pub(super) fn stopped() -> StoreError {
    StoreError::Failed { reason: "the store has stopped".to_owned() }
}

/// The answer to a request, or an error if the thread has ended.
pub(super) fn answered<T: Send + 'static>(
    sent: bool,
    answer: oneshot::Receiver<Result<T, StoreError>>,
) -> Pending<T> {
    Box::pin(async move {
        if sent { answer.await.unwrap_or_else(|_| Err(stopped())) } else { Err(stopped()) }
    })
}

/// A thread and the channels to it. It ends when the channels are closed. If it died, all pending and later
/// requests get an error.
#[derive(Debug)]
pub(super) struct Worker<W> {
    name: &'static str,
    ways: Option<W>,
    handle: Option<JoinHandle<()>>,
    /// Closed when the thread has ended, for whatever reason.
    alive: watch::Receiver<()>,
}

impl<W> Worker<W> {
    /// Starts a thread. `ways` are the channels to it; it ends when they are dropped.
    pub(super) fn start(
        name: &'static str,
        ways: W,
        work: impl FnOnce() + Send + 'static,
    ) -> Result<Self, StoreError> {
        let (living, alive) = watch::channel(());
        let work = move || {
            // Dropped at the end, and by a panic, too.
            let _living = living;
            work();
        };
        let handle = std::thread::Builder::new().name(name.to_owned()).spawn(work);
        let handle = handle.map_err(|error| StoreError::Failed { reason: error.to_string() })?;
        Ok(Self { name, ways: Some(ways), handle: Some(handle), alive })
    }

    /// Resolves with the thread's name when the thread has ended. When the worker is dropped, the thread ends in
    /// order, and nobody waits for this.
    pub(super) fn died(&self) -> Death {
        let (name, mut alive) = (self.name, self.alive.clone());
        Box::pin(async move {
            // Nothing is ever sent.
            while alive.changed().await.is_ok() {}
            format!("its thread {name} ended")
        })
    }

    /// Sends a request through one of the channels.
    pub(super) fn ask<T: Send + 'static>(&self, ask: impl FnOnce(&W) -> Pending<T>) -> Pending<T> {
        self.ways.as_ref().map_or_else(|| Box::pin(std::future::ready(Err(stopped()))), ask)
    }
}

/// Finishes everything that was accepted before the thread ends.
impl<W> Drop for Worker<W> {
    fn drop(&mut self) {
        self.ways = None;
        if let Some(handle) = self.handle.take() {
            // A panic was reported when it happened.
            let _ = handle.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Sender, channel};
    use std::time::Duration;

    #[tokio::test]
    async fn a_dead_thread_is_reported_and_a_live_one_is_not() {
        let (die, dying) = channel::<()>();
        let worker = Worker::start("store-test", (), move || {
            let _ = dying.recv();
            std::panic::resume_unwind(Box::new("died"));
        });
        let worker: Worker<()> = worker.unwrap();
        let mut death = worker.died();
        assert!(tokio::time::timeout(Duration::ZERO, &mut death).await.is_err());
        die.send(()).unwrap();
        assert_eq!(death.await, "its thread store-test ended");
        // A later caller learns it, too.
        assert_eq!(worker.died().await, "its thread store-test ended");
    }

    #[test]
    fn accepted_writes_are_finished() {
        let (ways, work): (Sender<u32>, _) = channel();
        let (done, seen) = channel();
        for number in 0..100 {
            ways.send(number).unwrap();
        }
        let worker = Worker::start("store-test", ways, move || {
            let _ = done.send(work.iter().sum::<u32>());
        });
        drop(worker.unwrap());
        assert_eq!(seen.recv(), Ok(4_950));
    }
}
