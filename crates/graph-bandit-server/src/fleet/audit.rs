//! Checks that the stored data of an agent is what was written.

use super::load::{damaged, definition, opened, record};
use super::{Fleet, FleetError, written};
use crate::agent::{Served, Snapshot};
use crate::store::{Portion, StoreError, Stored, seal_of};

/// How much is read at once.
const PAGE: Portion = Portion { records: 1_000, bytes: 1 << 20 };

/// How much is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Seals and numbers, and that records, snapshot and base belong together.
    Seals,
    /// Also that replaying the whole log gives the state of the snapshot and the log after it.
    Replay,
}

impl Fleet {
    /// Checks one agent; returns how many records its log has.
    pub(crate) async fn audit(&self, id: &str, depth: Depth) -> Result<u64, FleetError> {
        let missing = || FleetError::NoSuchAgent { id: id.to_owned() };
        let stored = self.store.find(id).await?.ok_or_else(missing)?;
        let definition = definition(&stored)?;
        let base = self.store.base(&stored.key()).await?;
        let mut follows = None;
        if let Some(base) = &base {
            let opened: Snapshot = opened("base", id, &base.body)?;
            if opened.sequence != base.sequence {
                let reason =
                    format!("the base of {} records says {}", base.sequence, opened.sequence);
                return Err(damaged(id, reason));
            }
            follows = opened.seal.map(|seal| (opened.sequence, seal));
        }
        self.audit_records(&stored, base.map_or(0, |base| base.sequence)).await?;
        if let Some((sequence, seal)) = follows
            && self.seal_at(&stored, sequence).await? != seal
        {
            return Err(damaged(id, "the base is of a log that has other records".to_owned()));
        }
        let mut snapshot = self.store.snapshot(&stored.key()).await?;
        if let Some(kept) = &snapshot {
            let opened: Snapshot = opened("snapshot", id, &kept.body)?;
            if opened.sequence != kept.sequence || opened.sequence > stored.end {
                let (sequence, end) = (opened.sequence, stored.end);
                let reason = format!("the snapshot is of record {sequence}, the log ends at {end}");
                return Err(damaged(id, reason));
            }
            match self.seal_at(&stored, opened.sequence).await {
                // The base covers more records, so the snapshot is obsolete.
                Err(FleetError::Removed { .. }) => snapshot = None,
                seal => {
                    let seal = seal?;
                    if opened.seal.is_some_and(|snapshot| snapshot != seal) {
                        let reason = "the snapshot is of a log that has other records";
                        return Err(damaged(id, reason.to_owned()));
                    }
                }
            }
        }
        if depth == Depth::Seals {
            return Ok(stored.end);
        }
        let from_the_log = self.all_replayed(&stored, definition.clone()).await?;
        if let Some(snapshot) = snapshot {
            let from_snapshot = self.resumed(&stored, definition, &snapshot).await?;
            if state(&from_the_log.live)? != state(&from_snapshot.live)? {
                let sequence = snapshot.sequence;
                let reason =
                    format!("the snapshot of record {sequence} differs from the replayed log");
                return Err(damaged(id, reason));
            }
        }
        Ok(stored.end)
    }

    async fn audit_records(&self, stored: &Stored, base: u64) -> Result<(), FleetError> {
        let (id, key) = (&stored.id, stored.key());
        let (mut at, mut seal) = (0, Some(seal_of(&stored.definition).to_owned()));
        if base > 0
            && let Err(StoreError::Removed { first, .. }) =
                self.store.read(&key, 0, Portion::of(1)).await
        {
            if first >= base {
                let reason =
                    format!("the base covers {base} records, but the log begins at {first}");
                return Err(damaged(id, reason));
            }
            // The record before the first one is gone.
            (at, seal) = (first, None);
        }
        while at < stored.end {
            let lines = self.store.read(&key, at, PAGE).await?;
            if lines.is_empty() {
                return Err(damaged(id, format!("record {at} of {} is missing", stored.end)));
            }
            for line in &lines {
                let record = record(id, at, line)?;
                if seal.is_some_and(|seal| record.after != seal) {
                    return Err(damaged(
                        id,
                        format!("record {at} was written after another record"),
                    ));
                }
                let receipt = record.receipt;
                let follows = receipt.log.is_some() || receipt.next_sequence == at + 1;
                if receipt.record() != at || !follows {
                    let found = receipt.record();
                    return Err(damaged(
                        id,
                        format!("record {at} has the receipt of report {found}"),
                    ));
                }
                seal = Some(seal_of(line).to_owned());
                at += 1;
            }
        }
        Ok(())
    }
}

/// The state of an agent.
fn state(live: &Served) -> Result<String, FleetError> {
    written(&live.snapshot())
}
