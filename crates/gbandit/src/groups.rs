//! Names for several agents at once, where `--agents` is read.

use graph_bandit::spec::Named;
use graph_bandit::{AgentSpec, Origin, Preset, SpecError};
use graph_bandit_lab::LabError;
use graph_bandit_maps::nearest_name;

/// A group is all agents of one origin.
fn members(group: &str, preset: Preset) -> Option<Vec<AgentSpec>> {
    Some(AgentSpec::of_origin(Origin::of_name(group).ok()?, preset))
}

/// An agent of the list, and how it came there.
enum Entry {
    Named(AgentSpec),
    Member(AgentSpec),
}

/// Reads a list of agents and groups of them. Who is named, or in another group before, is not there a
/// second time for being in a group; who is named twice is.
pub(crate) fn agents(text: &str, preset: Preset) -> Result<Vec<AgentSpec>, LabError> {
    let mut entries = Vec::new();
    // Commas between agents and between parameters are told apart by the list itself, so it is handed
    // over in one piece as far as the next group.
    let mut named: Vec<&str> = Vec::new();
    for part in text.split(',').map(str::trim) {
        if let Some(members) = members(part, preset) {
            read(&mut named, preset, &mut entries)?;
            entries.extend(members.into_iter().map(Entry::Member));
        } else {
            named.push(part);
        }
    }
    read(&mut named, preset, &mut entries)?;
    Ok(once_each(&entries))
}

/// Empties `named` into `entries`.
fn read(named: &mut Vec<&str>, preset: Preset, entries: &mut Vec<Entry>) -> Result<(), LabError> {
    if named.is_empty() {
        return Ok(());
    }
    let specs = AgentSpec::parse_list(&named.join(","), preset).map_err(|error| match error {
        SpecError::Unknown { ref name, .. } => {
            let near = nearest_name(name, AgentSpec::names());
            let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            let groups: Vec<&str> = Origin::ALL.iter().map(|origin| origin.name()).collect();
            let groups = groups.join(", ");
            LabError::setting("agents", format!("{error}{near}; {groups} stand for several"))
        }
        error => LabError::setting("agents", error),
    })?;
    named.clear();
    entries.extend(specs.into_iter().map(Entry::Named));
    Ok(())
}

/// Members of groups that are there already are not there twice; what was named stays as named.
fn once_each(entries: &[Entry]) -> Vec<AgentSpec> {
    let is_named = |agent: &AgentSpec| {
        entries.iter().any(|entry| matches!(entry, Entry::Named(named) if named == agent))
    };
    let mut agents: Vec<AgentSpec> = Vec::new();
    for entry in entries {
        let (Entry::Named(agent) | Entry::Member(agent)) = entry;
        let is_member = matches!(entry, Entry::Member(_));
        if !(is_member && (is_named(agent) || agents.contains(agent))) {
            agents.push(agent.clone());
        }
    }
    agents
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> String {
        let agents = agents(text, Preset::Program).unwrap();
        agents.iter().map(|agent| agent.label(Preset::Program)).collect::<Vec<_>>().join(" ")
    }

    fn frontier() -> Vec<&'static str> {
        AgentSpec::frontier().iter().map(AgentSpec::name).collect()
    }

    #[test]
    fn groups_stand_for_their_members_in_the_preset() {
        assert_eq!(agents(" paper ", Preset::Program).unwrap(), AgentSpec::paper(Preset::Program));
        assert_eq!(labels("local-ts , frontier"), format!("local-ts {}", frontier().join(" ")));
        let list = "ql-eps:alpha=0.3, gamma=0.8,frontier,g-star:growth=2,caution=1";
        let frontier = frontier().join(" ");
        let found = format!("ql-eps:alpha=0.3,gamma=0.8 {frontier} g-star:caution=1.0,growth=2.0");
        assert_eq!(labels(list), found);
    }

    #[test]
    fn groups_repeat_nobody_but_lists_may() {
        let frontier = frontier();
        let (first, others) = frontier.split_first().unwrap();
        assert_eq!(labels(&format!("{first},frontier")), frontier.join(" "));
        assert_eq!(labels("frontier,frontier"), frontier.join(" "));
        assert_eq!(labels(&format!("frontier,{first}")), format!("{} {first}", others.join(" ")));
        assert_eq!(labels("g-ucb,g-ucb"), "g-ucb g-ucb");
    }

    #[test]
    fn errors_name_agents_and_groups() {
        let message = |text: &str| agents(text, Preset::Paper).unwrap_err().to_string();
        for text in ["fronteir", "frontier:growth=2", "frontier,growth=2", "", "paper,", ",paper"] {
            let message = message(text);
            assert!(message.contains("there is no agent"), "{text}: {message}");
            assert!(
                message.ends_with("; paper, frontier, baseline stand for several"),
                "{message}"
            );
        }
        assert!(message("g-ucb:bonsu=1").contains("has no parameter"));
    }
}
