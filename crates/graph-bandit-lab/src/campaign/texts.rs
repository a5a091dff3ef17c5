//! The meaning of texts in a study: agents and noise of the registry, or your own by import path.

use crate::entrant::Entrant;
use crate::imported::{ImportPath, importer};
use crate::noise::NoiseSource;
use crate::study_file::TeamKeys;
use graph_bandit::agents::Oracle;
use graph_bandit::spec::TeamSpec;
use graph_bandit::{AgentSpec, Graph, Preset, RewardSpec, SpecError};
use std::sync::Arc;

/// Whether an agent walks alone or with others: some names mean one agent here, another there.
#[derive(Debug, Clone, Copy)]
pub(super) enum Walking {
    Alone,
    /// So many share the graph.
    Team(usize),
}

impl Walking {
    /// What the keys say. A file of walkers that is not read yet counts as several.
    pub(super) fn of(team: Option<&TeamKeys>) -> Self {
        team.map_or(Self::Alone, |team| Self::Team(team.walkers.number().unwrap_or(2)))
    }
}

/// The meaning of an agent's text.
pub(super) enum AgentText {
    Known(Entrant),
    Imported(ImportPath),
}

impl AgentText {
    /// Reads an agent's text; imports nothing yet.
    pub(super) fn parse(text: &str, preset: Preset, walking: Walking) -> Result<Self, String> {
        let is_known = |name: &str| {
            let leads = TeamSpec::names().contains(&name);
            leads || name == Oracle::NAME || AgentSpec::names().contains(&name)
        };
        if let Some(path) = path_unless(text, is_known)? {
            return Ok(Self::Imported(path));
        }
        let agent = match walking {
            Walking::Alone => Entrant::parse(text, preset),
            Walking::Team(walkers) => Entrant::parse_for_team(text, preset, walkers),
        };
        agent.map(Self::Known).map_err(|error| mistake(text, walking, &error))
    }

    /// The agent's label, which [`parse`](Self::parse) reads back.
    pub(super) fn label(&self, preset: Preset) -> String {
        match self {
            Self::Known(agent) => agent.label(preset),
            Self::Imported(path) => path.to_string(),
        }
    }

    /// The agent itself, for `graph`.
    pub(super) fn entrant(self, graph: &Arc<Graph>) -> Result<Entrant, String> {
        match self {
            Self::Known(agent) => Ok(agent),
            Self::Imported(path) => importer(&path)?.agent(&path, graph),
        }
    }
}

/// The message about an agent that cannot be read.
fn mistake(text: &str, walking: Walking, error: &SpecError) -> String {
    match error {
        // If an agent alone has this name, too, the name is known, and its parameters are wrong.
        SpecError::Unknown { name, .. }
            if matches!(walking, Walking::Alone) && TeamSpec::names().contains(&name.as_str()) =>
        {
            format!("{text} leads a team; say how many walkers it has, as in walkers = 5")
        }
        _ => error.to_string(),
    }
}

/// The noise of a text on `graph`.
pub(super) fn noise(text: &str, graph: &Arc<Graph>) -> Result<NoiseSource, String> {
    match path_of_noise(text)? {
        Some(path) => importer(&path)?.rewards(&path, graph),
        None => text.parse().map_err(|error: graph_bandit::SpecError| error.to_string()),
    }
}

/// The code that the texts of an agent and of noise name, with its fingerprint.
pub(super) fn code_of(
    (agent, walking): (&str, Walking),
    preset: Preset,
    noise: &str,
) -> Result<Vec<(String, String)>, String> {
    let agent = match AgentText::parse(agent, preset, walking)? {
        AgentText::Imported(path) => Some(path),
        AgentText::Known(_) => None,
    };
    let paths = agent.into_iter().chain(path_of_noise(noise)?);
    paths.map(|path| Ok((path.to_string(), importer(&path)?.fingerprint(&path)?))).collect()
}

fn path_of_noise(text: &str) -> Result<Option<ImportPath>, String> {
    path_unless(text, |name| RewardSpec::names().contains(&name))
}

/// Reads an import path, unless the first name is in the registry.
fn path_unless(text: &str, is_known: impl Fn(&str) -> bool) -> Result<Option<ImportPath>, String> {
    if is_known(text.split(':').next().unwrap_or_default().trim()) {
        return Ok(None);
    }
    ImportPath::of(text).map_err(|error| error.to_string())
}
