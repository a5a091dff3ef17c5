//! Loads an agent from the store: the latest snapshot and the records after it, or all records if the
//! snapshot is damaged.

use super::seal::unseal;
use super::slots::Held;
use super::workshop::Effort;
use super::{Fleet, FleetError};
use crate::agent::{Definition, GraphLimits, Record, Served, Snapshot, name_once_imported};
use crate::store::{Portion, Stored, StoredSnapshot, seal_of};
use serde::de::DeserializeOwned;
use std::fmt::Display;

/// A graph that was accepted stays accepted, whatever the limits are now.
const ANY_SIZE: GraphLimits = GraphLimits { nodes: usize::MAX, edges: usize::MAX };
/// How much of the log is read at once.
const PAGE: Portion = Portion { records: 1_000, bytes: 1 << 20 };
/// How often loading starts again when records are removed meanwhile.
const ATTEMPTS: u32 = 5;

impl Fleet {
    pub(super) async fn load(&self, id: &str) -> Result<Held, FleetError> {
        let mut held = Box::pin(self.load_as_kept(id)).await?;
        // The writer of these records has already checked for old ones.
        held.compacted = held.live.sequence();
        Ok(held)
    }

    async fn load_as_kept(&self, id: &str) -> Result<Held, FleetError> {
        self.metrics.loads.add(1);
        let missing = || FleetError::NoSuchAgent { id: id.to_owned() };
        if name_once_imported(id).is_some() {
            return Err(missing());
        }
        let stored = self.store.find(id).await?.ok_or_else(missing)?;
        let definition = definition(&stored)?;
        let resumed = match self.store.snapshot(&stored.key()).await {
            Ok(None) => None,
            Ok(Some(snapshot)) => {
                Some(Box::pin(self.resumed(&stored, definition.clone(), &snapshot)).await)
            }
            Err(error) => Some(Err(error.into())),
        };
        match resumed {
            // Or records that this snapshot needs were removed meanwhile; a base covers them.
            None | Some(Err(FleetError::Removed { .. })) => {}
            Some(Err(error @ FleetError::Damaged { .. })) => {
                tracing::warn!(agent = id, %error, "a snapshot cannot be used; the log is replayed");
                self.metrics.damaged_snapshots.add(1);
            }
            Some(result) => return result,
        }
        Box::pin(self.all_replayed(&stored, definition)).await
    }

    /// Replays the whole log from the definition, or from the base if the beginning was removed.
    pub(super) async fn all_replayed(
        &self,
        stored: &Stored,
        definition: Definition,
    ) -> Result<Held, FleetError> {
        // More records may be removed while it is read.
        for _ in 0..ATTEMPTS {
            let begun = match self.store.base(&stored.key()).await? {
                Some(base) => self.resumed(stored, definition.clone(), &base).await,
                None => match self.at_beginning(stored, definition.clone()).await {
                    Ok(held) => self.replay(held).await,
                    Err(error) => Err(error),
                },
            };
            match begun {
                Err(FleetError::Removed { .. }) => {}
                begun => return begun,
            }
        }
        Err(damaged(&stored.id, "records are missing, and no base covers them".to_owned()))
    }

    /// The agent before its first record.
    pub(super) async fn at_beginning(
        &self,
        stored: &Stored,
        definition: Definition,
    ) -> Result<Held, FleetError> {
        let effort = Effort::of_building(definition.graph.size());
        let live = self.workshop.done(effort, move || Served::new(definition, ANY_SIZE)).await?;
        let live = live.map_err(|error| damaged(&stored.id, error.to_string()))?;
        let seal = seal_of(&stored.definition).to_owned();
        let memory = self.memory.of(&live);
        Ok(Held { memory, key: stored.key(), live, seal, kept: 0, compacted: 0 })
    }

    pub(super) async fn resumed(
        &self,
        stored: &Stored,
        definition: Definition,
        snapshot: &StoredSnapshot,
    ) -> Result<Held, FleetError> {
        let held = self.at_snapshot(stored, definition, snapshot).await?;
        self.replay(held).await
    }

    /// Restores the agent from a snapshot or a base.
    pub(super) async fn at_snapshot(
        &self,
        stored: &Stored,
        definition: Definition,
        snapshot: &StoredSnapshot,
    ) -> Result<Held, FleetError> {
        let damaged = |reason| damaged(&stored.id, reason);
        let opened: Snapshot = opened("snapshot", &stored.id, &snapshot.body)?;
        let end = self.end_for(stored, opened.sequence).await?;
        if opened.sequence != snapshot.sequence || opened.sequence > end {
            return Err(damaged(format!(
                "the snapshot is of record {}, the log ends at {end}",
                opened.sequence
            )));
        }
        let seal = self.seal_at(stored, opened.sequence).await?;
        if opened.seal.as_ref().is_some_and(|snapshot| *snapshot != seal) {
            return Err(damaged("the snapshot is of a log that has other records".to_owned()));
        }
        let effort = Effort::of_building(definition.graph.size());
        let resuming =
            self.workshop.done(effort, move || Served::resume(definition, opened, ANY_SIZE));
        let live = resuming.await?.map_err(|error| damaged(error.to_string()))?;
        let kept = snapshot.sequence;
        let memory = self.memory.of(&live);
        Ok(Held { memory, key: stored.key(), live, seal, kept, compacted: 0 })
    }

    /// The end of the log. It is read again if it seems to lie before `sequence`: others may have written
    /// since.
    async fn end_for(&self, stored: &Stored, sequence: u64) -> Result<u64, FleetError> {
        if sequence <= stored.end {
            return Ok(stored.end);
        }
        let tip = self.store.tip(&stored.id).await?.filter(|tip| tip.number == stored.number);
        let missing = || FleetError::NoSuchAgent { id: stored.id.clone() };
        Ok(tip.ok_or_else(missing)?.end.sequence)
    }

    /// The seal of the record before this number, or of the definition before the first record.
    pub(super) async fn seal_at(
        &self,
        stored: &Stored,
        sequence: u64,
    ) -> Result<String, FleetError> {
        let Some(last) = sequence.checked_sub(1) else {
            return Ok(seal_of(&stored.definition).to_owned());
        };
        let records = self.store.read(&stored.key(), last, Portion::of(1)).await?;
        let missing = || damaged(&stored.id, format!("record {last} is missing"));
        Ok(seal_of(records.first().ok_or_else(missing)?).to_owned())
    }

    /// Replays the records of the log that the agent has not seen.
    pub(super) async fn replay(&self, held: Held) -> Result<Held, FleetError> {
        self.replay_until(held, u64::MAX).await
    }

    /// Like [`replay`](Self::replay), up to this many records.
    pub(super) async fn replay_until(&self, mut held: Held, end: u64) -> Result<Held, FleetError> {
        loop {
            let at = held.live.sequence();
            let left = usize::try_from(end - at).unwrap_or(usize::MAX);
            let page = Portion { records: PAGE.records.min(left), ..PAGE };
            let lines = self.store.read(&held.key, at, page).await?;
            let is_last = !page.is_full(&lines) || lines.len() == left;
            let effort = Effort::of_replay(&held.live, &lines);
            held = self.workshop.done(effort, move || replayed(held, &lines)).await??;
            if is_last {
                return Ok(held);
            }
        }
    }
}

fn replayed(mut held: Held, lines: &[String]) -> Result<Held, FleetError> {
    for line in lines {
        let (id, at) = (&held.key.id, held.live.sequence());
        let record = record(id, at, line)?;
        let wrong = |reason: String| damaged(id, format!("record {at}: {reason}"));
        if record.after != held.seal {
            return Err(wrong("it does not follow the record before it".to_owned()));
        }
        held.live.replay(&record).map_err(|error| wrong(error.to_string()))?;
        seal_of(line).clone_into(&mut held.seal);
        held.live.sealed(&held.seal);
    }
    Ok(held)
}

/// The definition of an agent.
pub(crate) fn definition(stored: &Stored) -> Result<Definition, FleetError> {
    opened("definition", &stored.id, &stored.definition)
}

/// Reads a line of a log.
pub(crate) fn record(id: &str, at: u64, line: &str) -> Result<Record, FleetError> {
    opened(&format!("record {at}"), id, line)
}

/// Reads sealed data.
pub(crate) fn opened<T: DeserializeOwned>(
    what: &str,
    id: &str,
    sealed: &str,
) -> Result<T, FleetError> {
    let wrong = |reason: &dyn Display| damaged(id, format!("{what}: {reason}"));
    let text = unseal(id, sealed).map_err(|error| wrong(&error))?;
    serde_json::from_str(text).map_err(|error| wrong(&error))
}

pub(super) fn damaged(id: &str, reason: String) -> FleetError {
    FleetError::Damaged { id: id.to_owned(), reason }
}
