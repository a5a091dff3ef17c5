//! The meaning of texts in a study: agents and noise of the registry, or your own by import path.

use crate::entrant::Entrant;
use crate::imported::{ImportPath, importer};
use crate::noise::NoiseSource;
use graph_bandit::agents::Oracle;
use graph_bandit::{AgentSpec, Graph, Preset, RewardSpec};
use std::sync::Arc;

/// The meaning of an agent's text.
pub(super) enum AgentText {
    Known(Entrant),
    Imported(ImportPath),
}

impl AgentText {
    /// Reads an agent's text; imports nothing yet.
    pub(super) fn parse(text: &str, preset: Preset) -> Result<Self, String> {
        let is_known = |name: &str| name == Oracle::NAME || AgentSpec::names().contains(&name);
        match path_unless(text, is_known)? {
            Some(path) => Ok(Self::Imported(path)),
            None => {
                Entrant::parse(text, preset).map(Self::Known).map_err(|error| error.to_string())
            }
        }
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

/// The noise of a text on `graph`.
pub(super) fn noise(text: &str, graph: &Arc<Graph>) -> Result<NoiseSource, String> {
    match path_of_noise(text)? {
        Some(path) => importer(&path)?.rewards(&path, graph),
        None => text.parse().map_err(|error: graph_bandit::SpecError| error.to_string()),
    }
}

/// The code that the texts of an agent and of noise name, with its fingerprint.
pub(super) fn code_of(
    agent: &str,
    preset: Preset,
    noise: &str,
) -> Result<Vec<(String, String)>, String> {
    let agent = match AgentText::parse(agent, preset)? {
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
