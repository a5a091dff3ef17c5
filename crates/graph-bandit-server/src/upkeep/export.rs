//! Exports the content of a store, as lines that any other store can import.

use super::line::{FORMAT, Line};
use super::{Damage, UpkeepError, run};
use crate::store::{Portion, Store, StoreError, StoredSnapshot, StoredSummary, open_to_read};
use std::collections::BTreeSet;
use std::io::Write;

/// How many agents are listed at once.
const AGENTS: usize = 1_000;
/// How much of a log is read at once.
const PORTION: Portion = Portion { records: 1_000, bytes: 1 << 20 };

/// The result of an export.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exported {
    /// Agents that are complete in the export.
    pub agents: u64,
    /// Their records.
    pub records: u64,
    /// Agents that could not be read.
    pub damaged: Vec<Damage>,
}

/// Writes agents of the store of a URL as lines of JSON, as of this moment: the named ones, or all. Texts are
/// written as they are stored, also of agents that cannot be loaded.
///
/// # Errors
/// When the store cannot be read, there is no such agent, or the lines cannot be written.
pub fn export(
    url: &str,
    agents: &BTreeSet<String>,
    into: &mut dyn Write,
) -> Result<Exported, UpkeepError> {
    let store = open_to_read(url)?;
    run(async {
        for id in agents {
            if store.key(id).await?.is_none() {
                return Err(UpkeepError::NoSuchAgent { id: id.clone() });
            }
        }
        let mut out = Lines { into, exported: Exported::default() };
        out.write(&Line::Store { format: FORMAT })?;
        let mut after = String::new();
        loop {
            let page = store.list(&after, AGENTS).await?;
            let Some(last) = page.last() else { break };
            after.clone_from(&last.id);
            for listed in page {
                if agents.is_empty() || agents.contains(&listed.id) {
                    out.agent(&*store, listed).await?;
                }
            }
        }
        out.write(&Line::End { agents: out.exported.agents })?;
        out.into.flush().map_err(UpkeepError::Stream)?;
        Ok(out.exported)
    })
}

struct Lines<'a> {
    into: &'a mut dyn Write,
    exported: Exported,
}

impl Lines<'_> {
    fn write(&mut self, line: &Line) -> Result<(), UpkeepError> {
        let written = serde_json::to_writer(&mut *self.into, line).map_err(std::io::Error::from);
        written.and_then(|()| self.into.write_all(b"\n")).map_err(UpkeepError::Stream)
    }

    /// Exports one agent. If it cannot be read, the export says so and goes on with the others.
    async fn agent(&mut self, store: &dyn Store, listed: StoredSummary) -> Result<(), UpkeepError> {
        let id = listed.id.clone();
        match self.try_agent(store, listed).await {
            Err(UpkeepError::Store(StoreError::Damaged { reason, .. })) => {
                self.exported.damaged.push(Damage { agent: id.clone(), reason: reason.clone() });
                self.write(&Line::Damaged { id, reason })
            }
            Ok(records) => {
                self.exported.agents += 1;
                self.exported.records += records;
                self.write(&Line::Complete { id })
            }
            other => other.map(drop),
        }
    }

    async fn try_agent(
        &mut self,
        store: &dyn Store,
        listed: StoredSummary,
    ) -> Result<u64, UpkeepError> {
        let StoredSummary { id, label, end } = listed;
        let missing = || StoreError::NoSuchAgent { id: id.clone() };
        let stored = store.find(&id).await?.ok_or_else(missing)?;
        let (key, definition) = (stored.key(), stored.definition);
        self.write(&Line::Agent { id: id.clone(), label, definition, end })?;
        let base = store.base(&key).await?;
        let first = base.as_ref().map_or(0, |base| base.sequence.saturating_sub(1));
        if let Some(StoredSnapshot { sequence, body }) = base {
            self.write(&Line::Base { sequence, body })?;
        }
        let mut at = first;
        while at < end {
            let records = match store.read(&key, at, PORTION).await {
                // The store is read as of one moment, so all records after the base should be there.
                Err(StoreError::Removed { .. }) => Vec::new(),
                read => read?,
            };
            if records.is_empty() {
                let reason = format!("record {at} of {end} is missing");
                return Err(StoreError::Damaged { id, reason }.into());
            }
            for record in records {
                self.write(&Line::Record(record))?;
                at += 1;
            }
        }
        // Nothing is lost with a damaged snapshot: the log has everything.
        if let Ok(Some(snapshot)) = store.snapshot(&key).await {
            self.write(&Line::Snapshot { sequence: snapshot.sequence, body: snapshot.body })?;
        }
        Ok(end - first)
    }
}
