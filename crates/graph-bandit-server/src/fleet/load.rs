//! From the store into memory: the latest snapshot and the records after it; where the snapshot is
//! damaged, all records.

use super::seal::unseal;
use super::slots::Held;
use super::workshop::Effort;
use super::{Fleet, FleetError};
use crate::agent::{Definition, FORMAT, GraphLimits, Live, Record, Snapshot};
use crate::store::{Format, Portion, Stored, StoredSnapshot, seal_of};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fmt::Display;

/// A graph that was taken in is taken in, whatever the limits are now.
const ANY_SIZE: GraphLimits = GraphLimits { nodes: usize::MAX, edges: usize::MAX };
/// How much of the log is read at once.
const PAGE: Portion = Portion { records: 1_000, bytes: 1 << 20 };
/// How often it is begun again when records go meanwhile.
const ATTEMPTS: u32 = 5;

impl Fleet {
    pub(super) async fn load(&self, id: &str) -> Result<Held, FleetError> {
        let mut held = Box::pin(self.load_as_kept(id)).await?;
        // Whoever wrote these records looked whether old ones may go.
        held.compacted = held.live.sequence();
        if held.live.is_order_unkept() && self.store.format() == Format::Current {
            if held.live.is_planned_anew() {
                tracing::warn!(
                    agent = id,
                    "what version 0.1 ordered is not what this version would order; all that was \
                     reported stands, and the next order was planned anew"
                );
                self.metrics.planned_anew.add(1);
            }
            // From here on the order is a fact, too.
            self.keep_snapshot_now(&mut held);
        }
        Ok(held)
    }

    async fn load_as_kept(&self, id: &str) -> Result<Held, FleetError> {
        self.metrics.loads.add(1);
        let missing = || FleetError::NoSuchAgent { id: id.to_owned() };
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
            // Or records went meanwhile, and with them what this snapshot needs; a base stands for them.
            None | Some(Err(FleetError::Removed { .. })) => {}
            Some(Err(error @ FleetError::Damaged { .. })) => {
                tracing::warn!(agent = id, %error, "a snapshot is of no use; all is replayed");
                self.metrics.damaged_snapshots.add(1);
            }
            Some(result) => return result,
        }
        Box::pin(self.all_replayed(&stored, definition)).await
    }

    /// The agent as its definition and all of its log have it; where the beginning was let go, as the
    /// base has it that stands for it.
    pub(super) async fn all_replayed(
        &self,
        stored: &Stored,
        definition: Definition,
    ) -> Result<Held, FleetError> {
        // More may go while it is read.
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
        Err(damaged(&stored.id, "records are missing, and nothing stands for them".to_owned()))
    }

    /// The agent before its first record.
    pub(super) async fn at_beginning(
        &self,
        stored: &Stored,
        definition: Definition,
    ) -> Result<Held, FleetError> {
        let effort = Effort::of_building(definition.graph.size());
        let live = self.workshop.done(effort, move || Live::new(definition, ANY_SIZE)).await?;
        let live = live.map_err(|error| damaged(&stored.id, error.to_string()))?;
        let seal = seal_of(&stored.definition).to_owned();
        Ok(Held { key: stored.key(), live, seal, kept: 0, compacted: 0 })
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

    /// The agent as a snapshot or a base has it.
    pub(super) async fn at_snapshot(
        &self,
        stored: &Stored,
        definition: Definition,
        snapshot: &StoredSnapshot,
    ) -> Result<Held, FleetError> {
        let damaged = |reason| damaged(&stored.id, reason);
        let opened: Snapshot = opened("snapshot", &stored.id, &snapshot.body)?;
        check_format(&stored.id, "the snapshot", opened.format)?;
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
            self.workshop.done(effort, move || Live::resume(definition, opened, ANY_SIZE));
        let live = resuming.await?.map_err(|error| damaged(error.to_string()))?;
        let kept = snapshot.sequence;
        Ok(Held { key: stored.key(), live, seal, kept, compacted: 0 })
    }

    /// Where the log ends, read again where it seems to end before `sequence`: others may have
    /// written since it was found.
    async fn end_for(&self, stored: &Stored, sequence: u64) -> Result<u64, FleetError> {
        if sequence <= stored.end {
            return Ok(stored.end);
        }
        let tip = self.store.tip(&stored.id).await?.filter(|tip| tip.number == stored.number);
        let missing = || FleetError::NoSuchAgent { id: stored.id.clone() };
        Ok(tip.ok_or_else(missing)?.end.sequence)
    }

    /// The seal of the record before this number; of the definition, before the first.
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

    /// Lets happen all that the log has and the agent has not seen.
    pub(super) async fn replay(&self, held: Held) -> Result<Held, FleetError> {
        self.replay_until(held, u64::MAX).await
    }

    /// As [`replay`](Self::replay), as far as so many records.
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
        check_format(id, &format!("record {at}"), record.format)?;
        if record.after.as_ref().is_some_and(|after| *after != held.seal) {
            return Err(wrong(
                "it was written after another record than the one before it".to_owned(),
            ));
        }
        held.live.replay(&record).map_err(|error| wrong(error.to_string()))?;
        seal_of(line).clone_into(&mut held.seal);
    }
    Ok(held)
}

/// What an agent was created as.
pub(crate) fn definition(stored: &Stored) -> Result<Definition, FleetError> {
    let definition: Definition = opened("definition", &stored.id, &stored.definition)?;
    check_format(&stored.id, "the definition", definition.format)?;
    Ok(definition)
}

/// Refuses what a later version wrote.
pub(super) fn check_format(id: &str, what: &str, format: u32) -> Result<(), FleetError> {
    if format <= FORMAT {
        return Ok(());
    }
    let reason = format!(
        "{what} has format {format}, and this version reads {FORMAT}; serve it with a later version"
    );
    Err(damaged(id, reason))
}

/// Reads a line of a log.
pub(crate) fn record(id: &str, at: u64, line: &str) -> Result<Record, FleetError> {
    opened(&format!("record {at}"), id, line)
}

/// Reads what was sealed.
pub(crate) fn opened<T: DeserializeOwned>(
    what: &str,
    id: &str,
    sealed: &str,
) -> Result<T, FleetError> {
    let wrong = |reason: &dyn Display| damaged(id, format!("{what}: {reason}"));
    let text = unseal(id, sealed).map_err(|error| wrong(&error))?;
    serde_json::from_str(text).map_err(|error| {
        // A later version may say things that are not known here; then that is what is wrong.
        let later = serde_json::from_str::<Formatted>(text).ok().map(|it| it.format);
        let later = later.and_then(|format| check_format(id, what, format).err());
        later.unwrap_or_else(|| wrong(&error))
    })
}

/// What all formats have, and the first one does without.
#[derive(Deserialize)]
struct Formatted {
    #[serde(default)]
    format: u32,
}

pub(super) fn damaged(id: &str, reason: String) -> FleetError {
    FleetError::Damaged { id: id.to_owned(), reason }
}
