//! Exports the content of a store, as lines that any other store can import.

use super::line::{FORMAT, Line};
use super::{Damage, UpkeepError, run};
use crate::agent::name_once_imported;
use crate::store::{
    AgentKey, Portion, Store, StoreError, StoredSnapshot, StoredSummary, open_to_follow,
};
use std::collections::BTreeSet;
use std::io::Write;

/// How many agents are listed at once.
const AGENTS: usize = 1_000;
/// How much of a log is read at once.
const PORTION: Portion = Portion { records: 1_000, bytes: 1 << 20 };
/// How often the beginning of a log is read again because it was removed meanwhile.
const ATTEMPTS: u32 = 5;

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

/// Writes agents of the store of a URL as lines of JSON: the named ones, or all, each as of the moment when its
/// turn comes. Texts are written as they are stored, also of agents that cannot be loaded.
///
/// A service may write meanwhile, however slowly the lines are taken.
///
/// # Errors
/// When the store cannot be read, there is no such agent, or the lines cannot be written.
pub fn export(
    url: &str,
    agents: &BTreeSet<String>,
    into: &mut dyn Write,
) -> Result<Exported, UpkeepError> {
    let store = open_to_follow(url)?;
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
                let is_wanted = agents.is_empty() || agents.contains(&listed.id);
                // One that is still being imported is not an agent yet.
                if is_wanted && name_once_imported(&listed.id).is_none() {
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

    /// Exports one agent, if it is still there. If it cannot be read, the export says so and goes on with the
    /// others.
    async fn agent(&mut self, store: &dyn Store, listed: StoredSummary) -> Result<(), UpkeepError> {
        let id = listed.id.clone();
        let reason = match self.try_agent(store, listed).await {
            Ok(None) => return Ok(()),
            Ok(Some(records)) => {
                self.exported.agents += 1;
                self.exported.records += records;
                return self.write(&Line::Complete { id });
            }
            Err(UpkeepError::Store(StoreError::Damaged { reason, .. })) => reason,
            Err(UpkeepError::Store(StoreError::NoSuchAgent { .. })) => {
                "it was deleted while it was exported".to_owned()
            }
            Err(other) => return Err(other),
        };
        self.exported.damaged.push(Damage { agent: id.clone(), reason: reason.clone() });
        self.write(&Line::Damaged { id, reason })
    }

    async fn try_agent(
        &mut self,
        store: &dyn Store,
        listed: StoredSummary,
    ) -> Result<Option<u64>, UpkeepError> {
        let StoredSummary { id, label, end } = listed;
        let Some(stored) = store.find(&id).await? else { return Ok(None) };
        let key = stored.key();
        let begun = beginning(store, &key).await;
        let covered =
            begun.as_ref().map_or(0, |(base, _)| base.as_ref().map_or(0, |base| base.sequence));
        // Records that were appended meanwhile belong to a later export, unless the base covers them.
        let end = end.min(stored.end).max(covered);
        self.write(&Line::Agent { id: id.clone(), label, definition: stored.definition, end })?;
        let (base, mut records) = begun?;
        if let Some(StoredSnapshot { sequence, body }) = base {
            self.write(&Line::Base { sequence, body })?;
        }
        let first = covered.saturating_sub(1);
        let mut at = first;
        while at < end {
            if records.is_empty() {
                let reason = format!(
                    "record {at} of {end} is missing, or was dropped meanwhile; then export it again"
                );
                return Err(StoreError::Damaged { id, reason }.into());
            }
            let left = usize::try_from(end - at).unwrap_or(usize::MAX);
            for record in records.drain(..).take(left) {
                self.write(&Line::Record(record))?;
                at += 1;
            }
            if at < end {
                records = match store.read(&key, at, PORTION).await {
                    // By a service that keeps less history.
                    Err(StoreError::Removed { .. }) => Vec::new(),
                    read => read?,
                };
            }
        }
        // Nothing is lost without a damaged or later snapshot: the log has everything.
        if let Ok(Some(StoredSnapshot { sequence, body })) = store.snapshot(&key).await
            && sequence <= end
        {
            self.write(&Line::Snapshot { sequence, body })?;
        }
        Ok(Some(end - first))
    }
}

/// The base of an agent, if it has one, and the first records after it. The service may make another base
/// between the two reads, and remove these records.
async fn beginning(
    store: &dyn Store,
    agent: &AgentKey,
) -> Result<(Option<StoredSnapshot>, Vec<String>), StoreError> {
    let mut attempts = 0..ATTEMPTS;
    loop {
        let base = store.base(agent).await?;
        let first = base.as_ref().map_or(0, |base| base.sequence.saturating_sub(1));
        match store.read(agent, first, PORTION).await {
            Err(StoreError::Removed { .. }) if attempts.next().is_some() => {}
            // There should be a base that covers them.
            Err(StoreError::Removed { .. }) => return Ok((base, Vec::new())),
            read => return Ok((base, read?)),
        }
    }
}
