//! Lists agents without loading them: each has a sealed label, the text of its kind and parameters.

use super::seal::unseal;
use super::{Fleet, FleetError};

/// An agent in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentSummary {
    /// Its name.
    pub id: String,
    /// Its kind and parameters, unless the label is damaged.
    pub agent: Option<String>,
    /// How many reports it had.
    pub sequence: u64,
}

impl Fleet {
    /// At most `limit` agents in the order of their names, those after `after`.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list(&self, after: &str, limit: usize) -> Result<Vec<AgentSummary>, FleetError> {
        let stored = self.store.list(after, limit).await?;
        let listed = stored.into_iter().map(|stored| {
            let agent = unseal(&stored.id, &stored.label).ok().map(str::to_owned);
            AgentSummary { id: stored.id, agent, sequence: stored.end }
        });
        Ok(listed.collect())
    }
}
