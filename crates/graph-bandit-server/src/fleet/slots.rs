//! The agents in memory, each in a slot that one request at a time holds.

use super::{Fleet, FleetError, Version};
use crate::agent::Served;
use crate::store::{AgentKey, End};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, MutexGuard, PoisonError};
use tokio::sync::OwnedMutexGuard;

/// The memory that agents take, in bytes.
#[derive(Debug, Default)]
pub(super) struct Memory(Arc<AtomicUsize>);

impl Memory {
    pub(super) fn taken(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Counts an agent until it is dropped.
    pub(super) fn of(&self, live: &Served) -> Taken {
        let bytes = live.bytes();
        self.0.fetch_add(bytes, Ordering::Relaxed);
        Taken { bytes, all: Arc::clone(&self.0) }
    }
}

/// The memory that one agent takes.
pub(super) struct Taken {
    bytes: usize,
    all: Arc<AtomicUsize>,
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.all.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// An agent in memory.
pub(super) struct Held {
    #[expect(dead_code, reason = "it counts as long as it is there")]
    pub(super) memory: Taken,
    pub(super) key: AgentKey,
    pub(super) live: Served,
    /// The seal of the last record it has seen, or of its definition before the first record.
    pub(super) seal: String,
    /// How many records its last snapshot covers.
    pub(super) kept: u64,
    /// After how many records compaction was last checked.
    pub(super) compacted: u64,
}

impl Held {
    /// Its version: which agent it is, and after which reports.
    pub(super) fn version(&self) -> Version {
        // A seal is a number in hexadecimal digits.
        let past = u64::from_str_radix(&self.seal, 16).unwrap_or_default();
        Version { number: self.key.number, sequence: self.live.sequence(), past }
    }

    /// The end of the log when it was last read.
    pub(super) fn end(&self) -> End {
        End { sequence: self.live.sequence(), seal: self.seal.clone() }
    }
}

pub(super) type Slot = tokio::sync::Mutex<Option<Held>>;

impl Fleet {
    /// How many agents are in memory.
    pub fn in_memory(&self) -> usize {
        self.open().len()
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, Arc<Slot>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn slot(&self, id: &str) -> Arc<Slot> {
        let mut slots = self.open();
        if let Some(slot) = slots.get(id) {
            return Arc::clone(slot);
        }
        if slots.len() >= self.limits.in_memory {
            // Drop any tenth of the unused agents; the store has them.
            let mut spare = self.limits.in_memory / 10 + 1;
            drop_unused(&mut slots, || {
                let goes = spare > 0;
                spare = spare.saturating_sub(1);
                goes
            });
        }
        Arc::clone(slots.entry(id.to_owned()).or_default())
    }

    /// About how much memory the agents in memory take, in bytes.
    pub fn memory(&self) -> usize {
        self.memory.taken()
    }

    /// Drops unused agents if all together take too much memory, until a tenth of it is free.
    pub(super) fn make_room(&self) {
        let most = self.limits.memory;
        if self.memory() > most {
            drop_unused(&mut self.open(), || self.memory() > most - most / 10);
        }
    }

    /// Waits for this request's turn, and returns the agent's slot.
    pub(super) async fn occupied(&self, id: &str) -> (Arc<Slot>, OwnedMutexGuard<Option<Held>>) {
        loop {
            let slot = self.slot(id);
            let place = Arc::clone(&slot).lock_owned().await;
            // The agent may have been deleted meanwhile; requests after that have another slot.
            if self.open().get(id).is_some_and(|it| Arc::ptr_eq(it, &slot)) {
                return (slot, place);
            }
        }
    }

    /// Replaces the slot by a fresh one for later requests. Returns the new slot, held by the caller, and the
    /// old one, where others may still be at work.
    pub(super) fn replaced(
        &self,
        id: &str,
    ) -> (Arc<Slot>, OwnedMutexGuard<Option<Held>>, Option<Arc<Slot>>) {
        let slot = Arc::<Slot>::default();
        let mut slots = self.open();
        // Nobody else has it yet.
        let place = loop {
            if let Ok(place) = Arc::clone(&slot).try_lock_owned() {
                break place;
            }
        };
        let before = slots.insert(id.to_owned(), Arc::clone(&slot));
        (slot, place, before)
    }

    /// Drops the caller's slot if nobody else uses it.
    pub(super) fn forget(&self, id: &str, slot: &Arc<Slot>) {
        let mut slots = self.open();
        // Three references: the map's, and the holder's slot and guard.
        if Arc::strong_count(slot) == 3 && slots.get(id).is_some_and(|it| Arc::ptr_eq(it, slot)) {
            slots.remove(id);
        }
    }

    pub(super) async fn take_or_load(
        &self,
        place: &mut Option<Held>,
        slot: &Arc<Slot>,
        id: &str,
    ) -> Result<Held, FleetError> {
        if let Some(held) = place.take() {
            return Ok(held);
        }
        let loaded = self.load(id).await;
        if loaded.is_err() {
            self.forget(id, slot);
        }
        self.make_room();
        loaded
    }
}

/// Drops agents that no request uses, as long as this says so.
fn drop_unused(slots: &mut HashMap<String, Arc<Slot>>, mut goes: impl FnMut() -> bool) {
    slots.retain(|_, slot| Arc::strong_count(slot) > 1 || !goes());
}
