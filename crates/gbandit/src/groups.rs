//! Group names in `--agents`.

use crate::progress::tell;
use graph_bandit::agents::Oracle;
use graph_bandit::spec::{Named, TeamSpec, split_list};
use graph_bandit::{AgentSpec, Graph, Origin, Preset, SpecError, nearest_name};
use graph_bandit_lab::imported::ImportPath;
use graph_bandit_lab::{Entrant, LabError};

/// A group is all agents of one origin that can walk the graph; the oracle counts as a baseline.
fn members(group: &str, preset: Preset, graph: &Graph) -> Option<Vec<Entrant>> {
    let origin = Origin::of_name(group).ok()?;
    let can_walk = |spec: &AgentSpec| match spec.build(graph) {
        Ok(_) => true,
        Err(error) => {
            tell(&format!("note: {group} without {error}"));
            false
        }
    };
    let members = AgentSpec::of_origin(origin, preset).into_iter().filter(can_walk);
    let members = members.map(Entrant::Named);
    Some(members.chain((origin == Origin::Baseline).then_some(Entrant::Oracle)).collect())
}

/// An agent in the list, and how it got there.
enum Entry {
    Named(Entrant),
    Member(Entrant),
}

/// Reads a list of agents for a team of `walkers`.
pub(crate) fn agents_of_team(
    text: &str,
    preset: Preset,
    walkers: usize,
) -> Result<Vec<Entrant>, LabError> {
    let read = |agent: &String| match Entrant::parse_for_team(agent, preset, walkers) {
        Ok(entrant) => Ok(entrant),
        Err(SpecError::Unknown { .. }) if Origin::of_name(agent).is_ok() => {
            let reason =
                format!("{agent} stands for several agents of one walker; name agents for teams");
            Err(LabError::setting("agents", reason))
        }
        Err(error @ SpecError::Unknown { .. }) => {
            let leaders = TeamSpec::names().join(", ");
            let reason = format!("{error}; {leaders} lead teams");
            Err(LabError::setting("agents", reason))
        }
        Err(error) => Err(LabError::setting("agents", error)),
    };
    split_list(text).iter().map(read).collect()
}

/// Reads a list of agents and groups. A group does not repeat an agent that the list names or an
/// earlier group contains; an agent named twice appears twice.
pub(crate) fn agents(text: &str, preset: Preset, graph: &Graph) -> Result<Vec<Entrant>, LabError> {
    let mut entries = Vec::new();
    // The list parser tells commas between agents from commas between parameters, so it gets the
    // text up to the next group in one piece.
    let mut named: Vec<&str> = Vec::new();
    for part in text.split(',').map(str::trim) {
        if let Some(members) = members(part, preset, graph) {
            read(&mut named, preset, &mut entries)?;
            entries.extend(members.into_iter().map(Entry::Member));
        } else if part == Oracle::NAME {
            read(&mut named, preset, &mut entries)?;
            entries.push(Entry::Named(Entrant::Oracle));
        } else {
            named.push(part);
        }
    }
    read(&mut named, preset, &mut entries)?;
    Ok(once_each(&entries, preset))
}

/// Moves `named` into `entries`.
fn read(named: &mut Vec<&str>, preset: Preset, entries: &mut Vec<Entry>) -> Result<(), LabError> {
    if named.is_empty() {
        return Ok(());
    }
    let specs = AgentSpec::parse_list(&named.join(","), preset).map_err(|error| match error {
        SpecError::Unknown { ref name, .. } => {
            LabError::setting("agents", unknown(name, &error, named))
        }
        error => LabError::setting("agents", error),
    })?;
    named.clear();
    entries.extend(specs.into_iter().map(Entrant::Named).map(Entry::Named));
    Ok(())
}

/// The error for an unknown agent name, with a suggestion.
fn unknown(name: &str, error: &SpecError, named: &[&str]) -> String {
    let mut paths = named.iter().filter_map(|part| ImportPath::of(part).ok().flatten());
    if let Some(path) = paths.find(|path| path.module == name) {
        let remedy = "run it from Python, with graph_bandit.run or in a study in TOML";
        return format!("{path} is Python code; {remedy}");
    }
    if name == Oracle::NAME {
        let given = named.iter().find_map(|part| part.strip_prefix(name)?.strip_prefix(':'));
        let given = given.unwrap_or_default();
        return format!("{name} has no parameters, so leave out {given:?}; write {name}");
    }
    if TeamSpec::names().contains(&name) {
        return format!("{name} leads a team; say how many walkers it has, as in --walkers 5");
    }
    let ends_in_digit = |text: &str| text.ends_with(|last: char| last.is_ascii_digit());
    let mut pairs = named
        .windows(2)
        .filter(|pair| name.parse::<u64>().is_ok() && pair[1] == name && ends_in_digit(pair[0]));
    if let Some([before, _]) = pairs.next() {
        return format!("{before},{name} has a comma in a number; write {before}{name}");
    }
    // The error itself suggests names of agents; it does not know the oracle.
    let near = nearest_name(name, [Oracle::NAME]);
    let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    let groups: Vec<&str> = Origin::ALL.iter().map(|origin| origin.name()).collect();
    format!("{error}; {} stand for several{near}", groups.join(", "))
}

/// Drops repeated members of groups; named agents stay as named.
fn once_each(entries: &[Entry], preset: Preset) -> Vec<Entrant> {
    let same = |a: &Entrant, b: &Entrant| a.label(preset) == b.label(preset);
    let is_named = |agent: &Entrant| {
        entries.iter().any(|entry| matches!(entry, Entry::Named(named) if same(named, agent)))
    };
    let mut agents: Vec<Entrant> = Vec::new();
    for entry in entries {
        let (Entry::Named(agent) | Entry::Member(agent)) = entry;
        let is_member = matches!(entry, Entry::Member(_));
        let is_there = || agents.iter().any(|other| same(other, agent));
        if !(is_member && (is_named(agent) || is_there())) {
            agents.push(agent.clone());
        }
    }
    agents
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> String {
        let graph = Graph::complete(2).unwrap();
        let agents = agents(text, Preset::Program, &graph).unwrap();
        agents.iter().map(|agent| agent.label(Preset::Program)).collect::<Vec<_>>().join(" ")
    }

    fn frontier() -> Vec<&'static str> {
        AgentSpec::frontier().iter().map(AgentSpec::name).collect()
    }

    #[test]
    fn groups_stand_for_their_members_in_the_preset() {
        let paper = AgentSpec::paper(Preset::Program);
        let paper: Vec<String> = paper.iter().map(|spec| spec.label(Preset::Program)).collect();
        assert_eq!(labels(" paper "), paper.join(" "));
        assert_eq!(labels("baseline"), "random epsilon-greedy oracle");
        assert_eq!(labels("oracle, g-ucb,baseline"), "oracle g-ucb random epsilon-greedy");
        assert_eq!(labels("local-ts , frontier"), format!("local-ts {}", frontier().join(" ")));
        let list = "ql-eps:alpha=0.3, gamma=0.8,frontier,g-star:growth=2,caution=1";
        let frontier = frontier().join(" ");
        let found = format!("ql-eps:alpha=0.3,gamma=0.8 {frontier} g-star:caution=1.0,growth=2.0");
        assert_eq!(labels(list), found);
    }

    #[test]
    fn groups_do_not_repeat_agents_but_lists_may() {
        let frontier = frontier();
        let (first, others) = frontier.split_first().unwrap();
        assert_eq!(labels(&format!("{first},frontier")), frontier.join(" "));
        assert_eq!(labels("frontier,frontier"), frontier.join(" "));
        assert_eq!(labels(&format!("frontier,{first}")), format!("{} {first}", others.join(" ")));
        assert_eq!(labels("g-ucb,g-ucb"), "g-ucb g-ucb");
    }

    #[test]
    fn errors_name_agents_and_groups() {
        let graph = Graph::complete(2).unwrap();
        let message = |text: &str| agents(text, Preset::Paper, &graph).unwrap_err().to_string();
        for text in ["fronteir", "frontier:growth=2", "frontier,growth=2", "", "paper,", ",paper"] {
            let message = message(text);
            assert!(message.contains("there is no agent"), "{text}: {message}");
            assert!(
                message.ends_with("; paper, frontier, baseline, changing stand for several"),
                "{message}"
            );
        }
        assert!(message("g-ucb:bonsu=1").contains("has no parameter"));
        for name in ["random", "oracle"] {
            let without =
                format!("agents: {name} has no parameters, so leave out \"x=1\"; write {name}");
            assert_eq!(message(&format!("g-ucb,{name}:x=1,paper")), without);
        }
        assert_eq!(
            message("g-star,g-horizon:horizon=20,000"),
            "agents: g-horizon:horizon=20,000 has a comma in a number; write g-horizon:horizon=20000"
        );
        assert!(message("g-star,5").contains("there is no agent \"5\""));
        let code = message("g-ucb,mine.agents:Lazy:rate=0.1,seed=3,paper");
        assert!(
            code.starts_with("agents: mine.agents:Lazy:rate=0.1 is Python code; run it from"),
            "{code}"
        );
    }
}
