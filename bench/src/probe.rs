//! Measurements that need their own process, because they measure peak memory.

use crate::{scale, studies};
use anyhow::Result;
use serde::{Deserialize, Serialize};

/// One measurement for its own process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "probe", rename_all = "kebab-case")]
pub enum Probe {
    /// One run on a large grid.
    Scale(scale::Probe),
    /// One study of many runs.
    Study(studies::Probe),
}

/// Runs a probe in another process and returns the output of [`Probe::carry_out`] there.
pub type Launch<'a> = &'a dyn Fn(&Probe) -> Result<String>;

impl Probe {
    /// Measures in this process; returns the outcome in JSON.
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
