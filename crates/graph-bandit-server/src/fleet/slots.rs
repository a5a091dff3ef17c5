//! The agents in memory, each in a slot that one request at a time has.

use super::{Fleet, FleetError, Version};
use crate::agent::Live;
use crate::store::{AgentKey, End};
use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError};
use tokio::sync::OwnedMutexGuard;

/// An agent in memory.
pub(super) struct Held {
    pub(super) key: AgentKey,
    pub(super) live: Live,
    /// The seal of the last record it has seen; of its definition, before the first.
    pub(super) seal: String,
    /// How many records its last snapshot stands for.
    pub(super) kept: u64,
    /// After how many records it was last looked whether old ones may go.
    pub(super) compacted: u64,
}

impl Held {
    /// Which agent it is, and after which reports.
    pub(super) fn version(&self) -> Version {
        // A seal is a number in hexadecimal digits.
        let past = u64::from_str_radix(&self.seal, 16).unwrap_or_default();
        Version { number: self.key.number, sequence: self.live.sequence(), past }
    }

    /// Where the log ended when it was read last.
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
            // Any tenth of those that nobody uses now; they come back from the store.
            let mut spare = self.limits.in_memory / 10 + 1;
            slots.retain(|_, slot| {
                let goes = spare > 0 && Arc::strong_count(slot) == 1;
                spare -= usize::from(goes);
                !goes
            });
        }
        Arc::clone(slots.entry(id.to_owned()).or_default())
    }

    /// The slot of an agent, when it is this request's turn.
    pub(super) async fn occupied(&self, id: &str) -> (Arc<Slot>, OwnedMutexGuard<Option<Held>>) {
        loop {
            let slot = self.slot(id);
            let place = Arc::clone(&slot).lock_owned().await;
            // The agent may have been deleted meanwhile: those who came after that have another slot.
            if self.open().get(id).is_some_and(|it| Arc::ptr_eq(it, &slot)) {
                return (slot, place);
            }
        }
    }

    /// A fresh slot for whoever comes from now on, held by whoever calls; and the one that it replaces,
    /// where others may still be at work.
    pub(super) fn replaced(
        &self,
        id: &str,
    ) -> (Arc<Slot>, OwnedMutexGuard<Option<Held>>, Option<Arc<Slot>>) {
        let slot = Arc::<Slot>::default();
        let mut slots = self.open();
        // Nobody else knows of it yet.
        let place = loop {
            if let Ok(place) = Arc::clone(&slot).try_lock_owned() {
                break place;
            }
        };
        let before = slots.insert(id.to_owned(), Arc::clone(&slot));
        (slot, place, before)
    }

    /// Drops a slot that nobody else uses, for one who holds it.
    pub(super) fn forget(&self, id: &str, slot: &Arc<Slot>) {
        let mut slots = self.open();
        // The map has it, and its holder as a slot and as a guard.
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
        loaded
    }
}
