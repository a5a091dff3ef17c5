//! What is measured in a process of its own, because the peak of its memory is asked for.

use crate::{scale, studies};
use anyhow::Result;
use serde::{Deserialize, Serialize};

/// One measurement for a process of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "probe", rename_all = "kebab-case")]
pub enum Probe {
    /// One run on a large grid.
    Scale(scale::Probe),
    /// One study of many runs.
    Study(studies::Probe),
}

/// Carries out a probe in another process and answers what [`Probe::carry_out`] said there.
pub type Launch<'a> = &'a dyn Fn(&Probe) -> Result<String>;

impl Probe {
    /// Measures, in this process; the outcome in JSON.
    ///
    /// # Errors
    /// When a run fails.
    pub fn carry_out(&self) -> Result<String> {
        Ok(match self {
            Self::Scale(probe) => serde_json::to_string(&probe.carry_out()?)?,
            Self::Study(probe) => serde_json::to_string(&probe.carry_out()?)?,
        })
    }
}
