//! Room in memory for large bodies that are read and large answers that wait to be sent.
//!
//! A large request takes room before it takes memory, and gives it back when the memory is free. So
//! memory stays bounded, however many clients there are and however slowly they send or read. A client
//! may have half of the room, so that one client cannot keep out the others.

use super::Problem;
use super::kind;
use axum::http::header;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bodies and answers up to this many bytes are small and need no room.
pub(super) const SMALL: usize = 64 << 10;
/// Room is counted in kibibytes: the numbers of semaphores are of 32 bits.
const UNIT: usize = 1 << 10;
/// Beyond this many clients, those that hold nothing are forgotten.
const MOST_CLIENTS: usize = 10_000;

/// The client of a request: a token, or an address if the service has no tokens.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Client(pub(super) Arc<str>);

/// Room in bytes, for all clients and for each.
pub(super) struct Room {
    all: Arc<Semaphore>,
    units: usize,
    units_of_one: usize,
    clients: Mutex<HashMap<Client, Arc<Semaphore>>>,
    waiting: AtomicUsize,
}

/// Taken room; dropping it gives it back.
#[derive(Debug)]
pub(super) struct Taken {
    of_all: OwnedSemaphorePermit,
    of_one: OwnedSemaphorePermit,
}

impl Taken {
    /// Gives back all but this many bytes.
    pub(super) fn shrink_to(&mut self, bytes: usize) {
        let units = bytes.div_ceil(UNIT);
        for permit in [&mut self.of_all, &mut self.of_one] {
            drop(permit.split(permit.num_permits().saturating_sub(units)));
        }
    }
}

/// Counts a waiting request, until it is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn count(counter: &'a AtomicUsize) -> Self {
        counter.fetch_add(1, Ordering::Relaxed);
        Self(counter)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Room {
    pub(super) fn new(bytes: usize) -> Self {
        let units = (bytes / UNIT).clamp(1, u32::MAX as usize);
        let all = Arc::new(Semaphore::new(units));
        let units_of_one = units.div_ceil(2);
        Self { all, units, units_of_one, clients: Mutex::default(), waiting: AtomicUsize::new(0) }
    }

    /// Waits until there is room. A request for more than a client may have gets all that a client may have.
    pub(super) async fn take(&self, client: &Client, bytes: usize) -> Taken {
        let units = bytes.div_ceil(UNIT).min(self.units_of_one) as u32;
        let _waiting = Waiting::count(&self.waiting);
        let of_one = permits(self.of_client(client), units).await;
        let of_all = permits(Arc::clone(&self.all), units).await;
        Taken { of_all, of_one }
    }

    /// Like [`take`](Self::take), with a time limit.
    ///
    /// # Errors
    /// When there was no room within the limit.
    pub(super) async fn take_within(
        &self,
        time: Duration,
        client: &Client,
        bytes: usize,
    ) -> Result<Taken, Problem> {
        tokio::time::timeout(time, self.take(client, bytes)).await.map_err(|_| {
            let detail = "too many large answers are being sent; read the pending answers, request \
                          smaller pages, or try again later";
            Problem::new(kind::MEMORY, detail.to_owned()).with(header::RETRY_AFTER, "1")
        })
    }

    fn of_client(&self, client: &Client) -> Arc<Semaphore> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.len() >= MOST_CLIENTS {
            clients.retain(|_, room| Arc::strong_count(room) > 1);
        }
        let fresh = || Arc::new(Semaphore::new(self.units_of_one));
        Arc::clone(clients.entry(client.clone()).or_insert_with(fresh))
    }

    /// How many bytes are taken.
    pub(super) fn bytes(&self) -> usize {
        self.units.saturating_sub(self.all.available_permits()) * UNIT
    }

    /// How many requests wait for room.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

async fn permits(room: Arc<Semaphore>, units: u32) -> OwnedSemaphorePermit {
    loop {
        // Nobody closes the semaphore, so acquiring cannot fail.
        if let Ok(permit) = Arc::clone(&room).acquire_many_owned(units).await {
            return permit;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    fn client(name: &str) -> Client {
        Client(name.into())
    }

    #[tokio::test]
    async fn room_is_limited_in_total_and_per_client() {
        let room = Room::new(8 * UNIT);
        let (a, b, c) = (client("a"), client("b"), client("c"));
        let mut of_a = room.take(&a, 3 * UNIT + 1).await;
        assert_eq!(room.bytes(), 4 * UNIT);
        assert!(room.take(&a, 1).now_or_never().is_none());
        let of_b = room.take(&b, 100 * UNIT).await;
        assert_eq!(room.bytes(), 8 * UNIT);
        assert!(room.take(&c, 1).now_or_never().is_none());
        of_a.shrink_to(UNIT);
        assert_eq!(room.bytes(), 5 * UNIT);
        let of_c = room.take(&c, 3 * UNIT).await;
        drop((of_a, of_b));
        assert_eq!(room.bytes(), 3 * UNIT);
        drop(of_c);
        assert_eq!((room.bytes(), room.waiting()), (0, 0));
    }

    #[tokio::test]
    async fn a_request_that_waits_too_long_is_refused_and_keeps_nothing() {
        let room = Room::new(2 * UNIT);
        let held = room.take(&client("a"), UNIT).await;
        let patience = Duration::from_millis(1);
        assert!(room.take_within(patience, &client("a"), UNIT).await.is_err());
        let of_b = room.take_within(patience, &client("b"), UNIT).await;
        assert!(room.take_within(patience, &client("c"), UNIT).await.is_err());
        drop((held, of_b));
        assert_eq!((room.bytes(), room.waiting()), (0, 0));
        assert!(room.take(&client("a"), UNIT).now_or_never().is_some());
    }
}
