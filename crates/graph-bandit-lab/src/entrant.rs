//! The participants of a study: an agent of the registry, one of your own, or the oracle.

use graph_bandit::agents::Oracle;
use graph_bandit::spec::TeamSpec;
use graph_bandit::{Agent, AgentSpec, Graph, Preset, Raised, Seed, SpecError, World};
use std::fmt;
use std::sync::Arc;

/// Builds an agent of your own for one run, from the graph and the run's seed.
pub type BuildOwn = dyn Fn(&Graph, Seed) -> Result<Box<dyn Agent + Send>, Raised> + Send + Sync;

/// An agent that takes part in a study.
#[derive(Clone)]
pub enum Entrant {
    /// An agent of the registry.
    Named(AgentSpec),
    /// An agent of your own.
    Own {
        /// Its label.
        label: String,
        /// Makes a fresh agent for each run.
        build: Arc<BuildOwn>,
    },
    /// An agent that leads a team.
    Team(TeamSpec),
    /// The oracle, which knows the means of each run. It is not in the registry: agents there can
    /// also be asked and told where the means are unknown.
    Oracle,
}

impl Entrant {
    /// An agent of your own; `build` makes a fresh one for each run.
    pub fn own<F>(label: impl Into<String>, build: F) -> Self
    where
        F: Fn(&Graph, Seed) -> Result<Box<dyn Agent + Send>, Raised> + Send + Sync + 'static,
    {
        Self::Own { label: label.into(), build: Arc::new(build) }
    }

    /// Reads an agent of the registry as [`AgentSpec::parse`] does, or `oracle`.
    ///
    /// # Errors
    /// As [`AgentSpec::parse`].
    pub fn parse(text: &str, preset: Preset) -> Result<Self, SpecError> {
        match text.trim() {
            Oracle::NAME => Ok(Self::Oracle),
            text => Ok(Self::Named(AgentSpec::parse(text, preset)?)),
        }
    }

    /// Reads an agent for a team of `walkers`: one that leads it, or one that every walker follows by
    /// itself. A team of one is a walker alone, if there is such an agent.
    ///
    /// # Errors
    /// As [`AgentSpec::parse`].
    pub fn parse_for_team(text: &str, preset: Preset, walkers: usize) -> Result<Self, SpecError> {
        let alone = Self::parse(text, preset);
        if walkers == 1 && alone.is_ok() {
            return alone;
        }
        match TeamSpec::parse(text, preset) {
            Ok(spec) => Ok(Self::Team(spec)),
            Err(SpecError::Unknown { known, .. }) => {
                alone.map_err(|error| also_known(error, known))
            }
            Err(error) => Err(error),
        }
    }

    /// Agents of the registry, as [`AgentSpec::parse_list`] reads them.
    ///
    /// # Errors
    /// As [`AgentSpec::parse_list`].
    pub fn parse_list(text: &str, preset: Preset) -> Result<Vec<Self>, SpecError> {
        Ok(AgentSpec::parse_list(text, preset)?.into_iter().map(Self::Named).collect())
    }

    /// Its name with the parameters that differ from the preset's.
    pub fn label(&self, preset: Preset) -> String {
        match self {
            Self::Named(spec) => spec.label(preset),
            Self::Team(spec) => spec.label(preset),
            Self::Own { label, .. } => label.clone(),
            Self::Oracle => Oracle::NAME.to_owned(),
        }
    }

    /// A fresh agent for one run, in the world of that run.
    ///
    /// # Errors
    /// When a parameter is out of range, or your own function fails.
    pub fn build(&self, world: &World, run: Seed) -> Result<Box<dyn Agent + Send>, Raised> {
        match self {
            Self::Named(spec) => Ok(spec.build(world.graph())?),
            Self::Team(spec) => {
                Err(Raised::new(format!("{spec} leads a team, and does not walk alone")))
            }
            Self::Own { build, .. } => build(world.graph(), run),
            Self::Oracle => Ok(Box::new(Oracle::of(world))),
        }
    }
}

/// The error of an unknown agent, with the names of agents that lead teams among the known ones.
fn also_known(error: SpecError, leaders: Vec<String>) -> SpecError {
    match error {
        SpecError::Unknown { kind, name, known } => {
            let others = known.into_iter().filter(|name| !leaders.contains(name));
            let known = others.collect::<Vec<_>>();
            SpecError::Unknown { kind, name, known: leaders.into_iter().chain(known).collect() }
        }
        other => other,
    }
}

impl From<AgentSpec> for Entrant {
    fn from(spec: AgentSpec) -> Self {
        Self::Named(spec)
    }
}

impl fmt::Debug for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(spec) => spec.fmt(f),
            Self::Team(spec) => spec.fmt(f),
            Self::Own { label, .. } => write!(f, "Own({label:?})"),
            Self::Oracle => f.write_str("Oracle"),
        }
    }
}
