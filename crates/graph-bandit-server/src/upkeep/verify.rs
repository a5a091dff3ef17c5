//! Verifies that the content of a store is what was written.

use super::{UpkeepError, run};
use crate::agent::name_once_imported;
use crate::fleet::{Fleet, FleetError, FleetLimits};
use crate::metrics::Metrics;
#[cfg(feature = "sqlite")]
use crate::store::StoreKind;
use crate::store::{kind_of, open_to_read};
use serde::Serialize;
use std::sync::Arc;

pub use crate::fleet::Depth;

/// How many agents are listed at once.
const AGENTS: usize = 1_000;

/// The result of a verification.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Verified {
    /// Undamaged agents.
    pub agents: u64,
    /// Their records.
    pub records: u64,
    /// Problems of the file itself, by SQLite's own check.
    pub file: Vec<String>,
    /// Damaged agents.
    pub damaged: Vec<Damage>,
    /// Agents whose import was not finished; they are not served.
    pub unfinished: Vec<String>,
}

impl Verified {
    /// Whether no damage was found.
    pub fn is_undamaged(&self) -> bool {
        self.file.is_empty() && self.damaged.is_empty()
    }
}

/// A damaged agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// The agent.
    pub agent: String,
    /// The damage.
    pub reason: String,
}

/// Checks every agent of the store of a URL as of this moment: that the seals of definition, records and
/// snapshot are right and that they belong together, and, if requested, that replaying the log gives the
/// snapshot. Also checks the structure of a file.
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
                if let Some(name) = name_once_imported(&listed.id) {
                    verified.unfinished.push(name.to_owned());
                    continue;
                }
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

/// Records the damage of an agent; other errors end the verification.
fn damage(agent: String, error: FleetError) -> Result<Damage, UpkeepError> {
    match error {
        FleetError::Store { reason } => Err(crate::store::StoreError::Failed { reason }.into()),
        FleetError::Damaged { reason, .. } => Ok(Damage { agent, reason }),
        other => Ok(Damage { agent, reason: other.to_string() }),
    }
}

fn integrity(url: &str) -> Result<Vec<String>, UpkeepError> {
    match kind_of(url)? {
        #[cfg(feature = "sqlite")]
        StoreKind::File(file) => Ok(crate::store::sqlite::integrity(file.as_ref())?),
        _ => Ok(Vec::new()),
    }
}
