//! Presets: whose parameters an agent uses if a paper and its authors' program differ.

use super::text::{name_of, parameters_of};
use super::{Entry, Spec, SpecError};
use serde::{Deserialize, Serialize};

crate::named! {
    /// Which parameters an agent uses where the paper and the authors' program differ.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
    pub enum Preset {
        /// The paper's text.
        #[default]
        Paper = "paper",
        /// The authors' program.
        ///
        /// It made the paper's figures.
        Program = "program",
    }
}

/// An entry whose parameters have a second set of defaults.
pub trait Presets: Entry {
    /// The parameters that differ in the authors' program, such as `doubling=after-arrival`.
    fn program(&self) -> &'static str;
}

impl<E: Presets> Spec<E> {
    /// The agent of this name with the preset's parameters.
    pub fn named(name: &str, preset: Preset) -> Option<Self> {
        Self::preset(name, preset).ok()
    }

    fn preset(name: &str, preset: Preset) -> Result<Self, SpecError> {
        let entry = E::table().find(name)?;
        let spec = Self::of_entry(entry, name)?;
        match preset {
            Preset::Paper => Ok(spec),
            Preset::Program => spec.with(entry.program()),
        }
    }

    /// All agents with the preset's parameters.
    pub fn all(preset: Preset) -> Vec<Self> {
        Self::names().into_iter().filter_map(|name| Self::named(name, preset)).collect()
    }

    /// Reads `NAME` or `NAME:KEY=VALUE,KEY=VALUE..`; missing parameters take the preset's values.
    ///
    /// # Errors
    /// When the agent or parameter does not exist, or a value is out of range.
    pub fn parse(text: &str, preset: Preset) -> Result<Self, SpecError> {
        Self::preset(name_of(text), preset)?.with(parameters_of(text))
    }

    /// Reads several agents separated by commas. A comma followed by `KEY=` continues the
    /// parameters of the current agent: `ql-eps:alpha=0.3,gamma=0.8,g-ucb`.
    ///
    /// # Errors
    /// See [`parse`](Self::parse).
    pub fn parse_list(text: &str, preset: Preset) -> Result<Vec<Self>, SpecError> {
        split_list(text).iter().map(|agent| Self::parse(agent, preset)).collect()
    }

    /// The name and the parameters that differ from the preset's, in the form that
    /// [`parse`](Self::parse) reads.
    pub fn label(&self, preset: Preset) -> String {
        match Self::named(self.name(), preset) {
            Some(usual) => self.label_beside(&usual),
            None => self.to_string(),
        }
    }
}

/// The texts of several agents separated by commas. A comma followed by `KEY=` continues the
/// parameters of the current agent.
pub fn split_list(text: &str) -> Vec<String> {
    let mut agents: Vec<String> = Vec::new();
    for part in text.split(',').map(str::trim) {
        let continues = part.split_once('=').is_some_and(|(key, _)| !key.contains(':'));
        match agents.last_mut() {
            Some(agent) if continues => {
                agent.push(if agent.contains(':') { ',' } else { ':' });
                agent.push_str(part);
            }
            _ => agents.push(part.to_owned()),
        }
    }
    agents
}
