//! Compaction removes old records. What stays is a base, which replaces the beginning of the log, and the
//! records after it. The base has estimates, order and rewards over time, so they stay exact.
//!
//! The order of steps makes it safe, even if several processes compact at once and may end in between:
//! 1. A base is a pure function of the definition and the records before its cut. Every process makes the
//!    same base for the same cut.
//! 2. The base is stored durably, and never replaces one that covers more records. In the same moment the
//!    store checks by the seal of the last record that it has these records: it may have been restored from
//!    a backup since they were read.
//! 3. The base is read back from the store and opened. Only then are records released. The store removes
//!    only records that the stored base covers at that moment, and never the last of them, whose seal the
//!    chain continues from. Releasing or removing twice changes nothing.
//!
//! So at any moment the store has all records, or a base and all records after it. The rolling snapshot is
//! not part of that: if it is damaged, the log is replayed from the base.

use super::load::{damaged, definition, opened};
use super::seal::seal;
use super::slots::Held;
use super::take_in::snapshot_every;
use super::{Fleet, FleetError, written};
use crate::agent::Snapshot;
use crate::store::{AgentKey, End, StoreError, Stored, StoredSnapshot};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How much of the history of an agent is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeepHistory {
    /// All of it.
    #[default]
    All,
    /// At least the records received within this time. The store's clock says when a record was received, the
    /// clock of this process says what time it is now. Nothing is removed while that is more than an hour ahead of
    /// the time when the process started and the time that has passed since.
    For(Duration),
    /// At least this many records.
    Last(u64),
}

/// The result of a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compacted {
    /// Too few records could go.
    Nothing,
    /// The records before this one were removed.
    Before(u64),
}

/// The agents whose logs are being compacted.
#[derive(Debug, Default)]
pub(super) struct Compacting {
    /// Held while a log is compacted.
    one_at_a_time: tokio::sync::Mutex<()>,
    /// The numbers of the agents that wait or are being compacted.
    waiting: Arc<Mutex<HashSet<u64>>>,
}

/// A place in the queue, until it is dropped.
struct Turn {
    agent: u64,
    waiting: Arc<Mutex<HashSet<u64>>>,
}

impl Compacting {
    /// A turn for an agent, unless it already has one.
    fn turn(&self, agent: u64) -> Option<Turn> {
        let is_new = open(&self.waiting).insert(agent);
        is_new.then(|| Turn { agent, waiting: Arc::clone(&self.waiting) })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        open(&self.waiting).remove(&self.agent);
    }
}

fn open(waiting: &Mutex<HashSet<u64>>) -> MutexGuard<'_, HashSet<u64>> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether to check for old records now: after every `every` records, however often the agent is loaded
/// in between.
fn is_due(records: Range<u64>, every: u64) -> bool {
    records.end / every > records.start / every
}

impl Fleet {
    /// Starts to compact an agent in the background, if it is due.
    pub(super) fn compact_if_due(self: &Arc<Self>, held: &mut Held) {
        let every = match self.limits.keep_history {
            KeepHistory::All => return,
            KeepHistory::For(_) => snapshot_every(&held.live),
            KeepHistory::Last(records) => snapshot_every(&held.live).max(records),
        };
        let looked = std::mem::replace(&mut held.compacted, held.live.sequence());
        if !is_due(looked..held.compacted, every) {
            return;
        }
        let Some(turn) = self.compacting.turn(held.key.number) else { return };
        let (fleet, key) = (Arc::clone(self), held.key.clone());
        tokio::spawn(async move {
            let _turn = turn;
            let _one_at_a_time = fleet.compacting.one_at_a_time.lock().await;
            match fleet.compact(&key, every).await {
                // Nothing to do, or the agent was deleted meanwhile.
                Ok(Compacted::Nothing) | Err(FleetError::NoSuchAgent { .. }) => {}
                Ok(Compacted::Before(first)) => {
                    tracing::info!(agent = key.id, first, "old records were removed");
                }
                Err(error) => tracing::warn!(agent = key.id, %error, "a log was not compacted"),
            }
        });
    }

    /// Removes old records of one agent, if at least `worthwhile` records can go.
    pub(crate) async fn compact(
        &self,
        key: &AgentKey,
        worthwhile: u64,
    ) -> Result<Compacted, FleetError> {
        let missing = || FleetError::NoSuchAgent { id: key.id.clone() };
        let stored = self.store.find(&key.id).await?.filter(|stored| stored.key() == *key);
        let stored = stored.ok_or_else(missing)?;
        let base = self.store.base(key).await?;
        let from = base.as_ref().map_or(0, |base| base.sequence);
        let cut = self.cut(&stored, from).await?;
        if cut < from.saturating_add(worthwhile.max(1)) {
            return Ok(Compacted::Nothing);
        }
        let held = self.up_to(&stored, base, cut).await?;
        let at = held.end();
        if at.sequence != cut {
            // The store was restored from a backup meanwhile.
            let (id, end) = (key.id.clone(), at.sequence);
            return Err(StoreError::Conflict { id, expected: cut, end }.into());
        }
        let snapshot = Snapshot { seal: Some(at.seal.clone()), ..held.live.snapshot() };
        let body = seal(&key.id, &written(&snapshot)?);
        let base = StoredSnapshot { sequence: cut, body };
        self.store.put_base(key, &at, base.body.clone()).await?;
        let kept = self.store.base(key).await?.filter(|kept| kept.sequence >= cut);
        let kept = kept.ok_or_else(|| damaged(&key.id, "the base was not stored".to_owned()))?;
        let read: Snapshot = opened("base", &key.id, &kept.body)?;
        // Another process may have made one that covers more records.
        if read.sequence != kept.sequence || (kept.sequence == cut && kept != base) {
            return Err(damaged(&key.id, "the base is not what was written".to_owned()));
        }
        let unsealed =
            || damaged(&key.id, "the base has no seal of the record before it".to_owned());
        let at = End { sequence: read.sequence, seal: read.seal.ok_or_else(unsealed)? };
        self.store.release(key, &at).await?;
        Ok(Compacted::Before(kept.sequence - 1))
    }

    /// The agent as it was after `cut` records.
    async fn up_to(
        &self,
        stored: &Stored,
        base: Option<StoredSnapshot>,
        cut: u64,
    ) -> Result<Held, FleetError> {
        let definition = definition(stored)?;
        let held = match base {
            Some(base) => self.at_snapshot(stored, definition, &base).await?,
            None => self.at_beginning(stored, definition).await?,
        };
        self.replay_until(held, cut).await
    }

    /// How many records may go at most: those that need not be kept, and never the last.
    async fn cut(&self, stored: &Stored, from: u64) -> Result<u64, FleetError> {
        let end = stored.end;
        let cut = match self.limits.keep_history {
            KeepHistory::All => 0,
            // The last record that a base covers is kept, too.
            KeepHistory::Last(records) => (end + 1).saturating_sub(records.max(1)),
            KeepHistory::For(time) => {
                let Some(now) = self.clock.now() else { return Ok(0) };
                let limit = now.saturating_sub(time).as_secs();
                self.received_before(&stored.key(), from..end, limit).await?
            }
        };
        Ok(cut.min(end))
    }

    /// The first record received at this time or later; the first of all if the store does not know it.
    async fn received_before(
        &self,
        key: &AgentKey,
        records: Range<u64>,
        limit: u64,
    ) -> Result<u64, FleetError> {
        let (mut low, mut high) = (records.start, records.end);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.store.received(key, middle).await? {
                Some(received) if received >= limit => high = middle,
                Some(_) => low = middle + 1,
                None => return Ok(records.start),
            }
        }
        Ok(low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compaction_is_checked_at_every_multiple() {
        for (records, due) in [
            (0..255, false),
            (255..256, true),
            (256..256, false),
            (256..511, false),
            (300..900, true),
        ] {
            assert_eq!(is_due(records.clone(), 256), due, "{records:?}");
        }
    }

    #[test]
    fn an_agent_is_queued_once() {
        let compacting = Compacting::default();
        let turn = compacting.turn(7);
        assert!(turn.is_some() && compacting.turn(7).is_none());
        assert!(compacting.turn(8).is_some());
        drop(turn);
        assert!(compacting.turn(7).is_some());
    }
}
