//! Lists agents without loading them: each has a sealed label, the text of its kind and parameters, and for teams the
//! number of walkers. The label of a team changes with the record of whoever joins or leaves.

use super::seal::unseal;
use super::{Fleet, FleetError};
use crate::agent::{Definition, Event, Served, name_once_imported};

/// An agent in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentSummary {
    /// Its name.
    pub id: String,
    /// Its kind and parameters, unless the label is damaged.
    pub agent: Option<String>,
    /// How many walkers it has, if it is a team.
    pub walkers: Option<usize>,
    /// How many reports it had.
    pub sequence: u64,
}

/// Between the agent and the number of walkers in the label of a team.
const WALKERS: &str = "\nwalkers ";

/// The label of an agent.
pub(super) fn label_of(definition: &Definition, live: &Served) -> String {
    let agent = &definition.agent;
    match live.team() {
        Some(team) => format!("{agent}{WALKERS}{}", team.walkers().len()),
        None => agent.to_string(),
    }
}

/// The label that an agent has after this event, if it is another one.
pub(super) fn label_after(event: &Event, live: &Served) -> Option<String> {
    let has_changed = matches!(event, Event::Joined { .. } | Event::Left { .. });
    has_changed.then(|| label_of(live.definition(), live))
}

/// The agent of a label, and the number of walkers of a team.
fn read_label(label: &str) -> (&str, Option<usize>) {
    match label.split_once(WALKERS) {
        Some((agent, walkers)) => (agent, walkers.parse().ok()),
        None => (label, None),
    }
}

impl Fleet {
    /// At most `limit` agents in the order of their names, those after `after`.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list(&self, after: &str, limit: usize) -> Result<Vec<AgentSummary>, FleetError> {
        let stored = self.store.list(after, limit).await?;
        // Those that are still being imported come last.
        let stored = stored.into_iter().filter(|stored| name_once_imported(&stored.id).is_none());
        let listed = stored.map(|stored| {
            let label = unseal(&stored.id, &stored.label).ok().map(read_label);
            let agent = label.map(|(agent, _)| agent.to_owned());
            let walkers = label.and_then(|(_, walkers)| walkers);
            AgentSummary { id: stored.id, agent, walkers, sequence: stored.end }
        });
        Ok(listed.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_agents_alone_and_of_teams() {
        assert_eq!(read_label("g-ucb:bonus=0.5"), ("g-ucb:bonus=0.5", None));
        assert_eq!(read_label("g-star\nwalkers 12"), ("g-star", Some(12)));
    }
}
