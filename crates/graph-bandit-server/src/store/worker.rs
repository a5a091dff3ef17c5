//! A thread that a store works on, and how answers come back from it.

use super::{Death, Pending, StoreError};
use std::thread::JoinHandle;
use tokio::sync::{oneshot, watch};

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
    name: &'static str,
    ways: Option<W>,
    handle: Option<JoinHandle<()>>,
    /// Closed when the thread has ended, however it did.
    alive: watch::Receiver<()>,
}

impl<W> Worker<W> {
    /// Starts a thread. `ways` are how the thread is asked; it ends when they are gone.
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

    /// Done when the thread has ended, with its name. Nobody waits for that when the worker itself is
    /// dropped: then the thread ends as it should.
    pub(super) fn died(&self) -> Death {
        let (name, mut alive) = (self.name, self.alive.clone());
        Box::pin(async move {
            // Nothing is ever sent.
            while alive.changed().await.is_ok() {}
            format!("its thread {name} ended")
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Sender, channel};
    use std::time::Duration;

    #[tokio::test]
    async fn a_death_is_told_and_a_life_is_not() {
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
        // Whoever asks only afterwards hears it, too.
        assert_eq!(worker.died().await, "its thread store-test ended");
    }

    #[test]
    fn what_was_accepted_is_finished() {
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
