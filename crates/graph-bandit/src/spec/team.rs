//! Agents that lead teams, by name: `multi-g-ucb`, `multi-g-ucb:until=median`.

use super::entry::entry_fields;
use super::{Entry, Look, Parameter, Presets, Spec, SpecError, Table, TextForm, Values};
use crate::team::TeamAgent;
use crate::team::agents::BUILT_IN;

/// Everything known about an agent that leads a team.
#[derive(Debug, Clone, Copy)]
pub struct TeamEntry {
    /// Its name.
    pub name: &'static str,
    /// A one-line summary.
    pub summary: &'static str,
    /// What it does, in a few plain sentences.
    pub about: &'static str,
    /// Its line style; `None` derives it from the name.
    pub look: Option<Look>,
    /// Its parameters, each with a default: the paper's value if the agent is in the paper on teams.
    pub parameters: &'static [&'static dyn Parameter],
    /// The parameters that differ in that paper's program.
    pub program: &'static str,
    /// The declared sub-Gaussian noise scale; `None` if the agent has no such parameter.
    pub noise_scale: fn(Values<'_>) -> Option<f64>,
    /// Builds a fresh agent.
    pub build: fn(Values<'_>) -> Box<dyn TeamAgent + Send>,
}

impl Entry for TeamEntry {
    const KIND: &'static str = "agent for teams";
    const TAG: &'static str = "agent";
    const TEXT: TextForm = TextForm::ByName;

    fn table() -> &'static Table<Self> {
        static TABLE: Table<TeamEntry> = Table::new(BUILT_IN);
        &TABLE
    }

    entry_fields!();

    fn example(&self) -> &'static str {
        self.name
    }

    fn examples(&self) -> Vec<String> {
        vec![self.name.to_owned(), format!("{}:{}", self.name, self.program)]
    }

    fn check(&self, _spec: &Spec<Self>) -> Result<(), SpecError> {
        Ok(())
    }
}

impl Presets for TeamEntry {
    fn program(&self) -> &'static str {
        self.program
    }
}

/// An agent that leads a team, with its parameters: `multi-g-ucb:until=median`.
pub type TeamSpec = Spec<TeamEntry>;

impl TeamSpec {
    /// The declared sub-Gaussian noise scale; `None` if the agent has no such parameter.
    pub fn noise_scale(&self) -> Option<f64> {
        (self.entry.noise_scale)(self.values())
    }

    /// A fresh agent.
    pub fn build(&self) -> Box<dyn TeamAgent + Send> {
        (self.entry.build)(self.values())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Preset;

    #[test]
    fn texts_round_trip_and_presets_differ_only_as_said() {
        for preset in [Preset::Paper, Preset::Program] {
            for spec in TeamSpec::all(preset) {
                let text = spec.to_string();
                assert_eq!(TeamSpec::parse(&text, Preset::Paper), Ok(spec.clone()), "{text}");
                assert_eq!(spec.label(preset), spec.name());
                let _ = spec.build();
            }
        }
        let median = TeamSpec::parse("multi-g-ucb:until=median", Preset::Program).unwrap();
        assert_eq!(median.label(Preset::Program), "multi-g-ucb:until=median");
    }
}
