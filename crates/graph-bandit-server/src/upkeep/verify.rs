//! Whether all that a store holds is what was written.

use super::{UpkeepError, run};
use crate::fleet::{Fleet, FleetError, FleetLimits};
use crate::metrics::Metrics;
#[cfg(feature = "sqlite")]
use crate::store::Place;
use crate::store::{open_to_read, place};
use serde::Serialize;
use std::sync::Arc;

pub use crate::fleet::Depth;

/// How many agents are listed at once.
const AGENTS: usize = 1_000;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Verified {
    /// Agents that are in order.
    pub agents: u64,
    /// Their records.
    pub records: u64,
    /// What is wrong with the file itself, by SQLite's own check.
    pub file: Vec<String>,
    /// Agents that are damaged.
    pub damaged: Vec<Damage>,
}

impl Verified {
    /// Whether nothing is wrong.
    pub fn is_whole(&self) -> bool {
        self.file.is_empty() && self.damaged.is_empty()
    }
}

/// An agent of which something cannot be read or makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// The agent.
    pub agent: String,
    /// What is wrong.
    pub reason: String,
}

/// Checks every agent of the store of a URL as it is at this moment: that definition, records and
/// snapshot bear their seals and belong together, and, where it is asked for, that the log replayed
/// comes to what the snapshot says. The structure of a file is checked as well.
///
/// # Errors
/// When the store cannot be read at all.
pub fn verify(url: &str, depth: Depth) -> Result<Verified, UpkeepError> {
    let store = open_to_read(url)?;
    let mut verified = Verified { file: integrity(url)?, ..Verified::default() };
    let limits = FleetLimits { in_memory: 1, ..FleetLimits::default() };
    run(async {
        let fleet = Fleet::new(Arc::clone(&store), limits, Arc::new(Metrics::default()));
        let mut after = String::new();
        loop {
            let page = store.list(&after, AGENTS).await?;
            let Some(last) = page.last() else { return Ok(verified) };
            after.clone_from(&last.id);
            for listed in page {
                match fleet.audit(&listed.id, depth).await {
                    Ok(records) => {
                        verified.agents += 1;
                        verified.records += records;
                    }
                    Err(error) => verified.damaged.push(damage(listed.id, error)?),
                }
            }
        }
    })
}

/// What belongs to the agent; what does not ends all.
fn damage(agent: String, error: FleetError) -> Result<Damage, UpkeepError> {
    match error {
        FleetError::Store { reason } => Err(crate::store::StoreError::Failed { reason }.into()),
        FleetError::Damaged { reason, .. } => Ok(Damage { agent, reason }),
        other => Ok(Damage { agent, reason: other.to_string() }),
    }
}

fn integrity(url: &str) -> Result<Vec<String>, UpkeepError> {
    match place(url)? {
        #[cfg(feature = "sqlite")]
        Place::File(file) => Ok(crate::store::sqlite::integrity(file.as_ref())?),
        _ => Ok(Vec::new()),
    }
}
