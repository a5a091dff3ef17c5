//! Compacts a store that is not served.

use super::{UpkeepError, run};
use crate::agent::name_once_imported;
use crate::fleet::{Compacted, Fleet, FleetError, FleetLimits, KeepHistory};
use crate::metrics::Metrics;
use crate::store::{AgentKey, Portion, Store, StoreError};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many agents are listed at once.
const AGENTS: usize = 1_000;
/// How often to check whether the records are gone.
const LOOK: Duration = Duration::from_millis(20);

/// How long to wait without progress before giving up.
const PATIENCE: Duration = Duration::from_secs(60);

/// The result of a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CompactionReport {
    /// Agents whose logs are shorter now.
    pub agents: u64,
    /// Removed records.
    pub records: u64,
}

/// Releases old records of all agents, and waits until they are removed.
///
/// # Errors
/// When the store fails, or an agent is damaged; its log and those after it are unchanged.
pub fn compact(store: &Arc<dyn Store>, keep: KeepHistory) -> Result<CompactionReport, UpkeepError> {
    run(async {
        let limits = FleetLimits { keep_history: keep, ..FleetLimits::default() };
        let fleet = Fleet::new(Arc::clone(store), limits, Arc::new(Metrics::default()));
        let mut report = CompactionReport::default();
        let mut after = String::new();
        loop {
            let page = store.list(&after, AGENTS).await?;
            let Some(last) = page.last() else { return Ok(report) };
            after.clone_from(&last.id);
            for listed in page {
                if name_once_imported(&listed.id).is_some() {
                    continue;
                }
                let Some(key) = store.key(&listed.id).await? else { continue };
                let before = first(&**store, &key).await?;
                let compacted = fleet.compact(&key, 1).await.map_err(failed)?;
                if let Compacted::Before(wanted) = compacted {
                    gone(&**store, &key, wanted, PATIENCE).await?;
                    report.agents += 1;
                    report.records += wanted - before;
                }
            }
        }
    })
}

/// Waits until the records before `wanted` are gone, while there is progress.
async fn gone(
    store: &dyn Store,
    agent: &AgentKey,
    wanted: u64,
    patience: Duration,
) -> Result<(), UpkeepError> {
    let (mut at, mut since) = (first(store, agent).await?, Instant::now());
    while at < wanted {
        if since.elapsed() > patience {
            return Err(UpkeepError::Stuck { id: agent.id.clone(), first: at, wanted });
        }
        tokio::time::sleep(LOOK).await;
        let now = first(store, agent).await?;
        if now != at {
            (at, since) = (now, Instant::now());
        }
    }
    Ok(())
}

/// The first record of a log.
async fn first(store: &dyn Store, agent: &AgentKey) -> Result<u64, UpkeepError> {
    match store.read(agent, 0, Portion::of(1)).await {
        Err(StoreError::Removed { first, .. }) => Ok(first),
        read => Ok(read.map(|_| 0)?),
    }
}

fn failed(error: FleetError) -> UpkeepError {
    match error {
        FleetError::Damaged { id, reason } => StoreError::Damaged { id, reason }.into(),
        other => StoreError::Failed { reason: other.to_string() }.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{End, MemoryStore};

    #[test]
    fn waiting_for_removal_ends_without_progress() {
        let waited = run(async {
            let store = MemoryStore::default();
            store.create("a", "", "definition").await?;
            let agent = AgentKey { id: "a".to_owned(), number: 1 };
            store.append(&agent, &End::after(0, "definition"), "record".to_owned()).await?;
            gone(&store, &agent, 0, Duration::ZERO).await?;
            gone(&store, &agent, 1, Duration::ZERO).await
        });
        let said = waited.unwrap_err().to_string();
        assert!(said.contains("\"a\"") && said.contains("from 0"), "{said}");
    }
}
