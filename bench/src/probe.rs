//! Measurements that need their own process, because they measure peak memory.

use crate::{scale, studies};
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::process::{Command, Stdio};

/// One measurement for its own process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "probe", rename_all = "kebab-case")]
pub enum Probe {
    /// One run on a large grid.
    Scale(scale::Probe),
    /// One study of many runs.
    Study(studies::Probe),
}

impl Probe {
    /// Calls this program again with `--probe`; returns the outcome of [`Probe::carry_out`] there.
    pub(crate) fn launch(&self) -> Result<String> {
        let output = Command::new(std::env::current_exe()?)
            .args(["--probe", &serde_json::to_string(self)?])
            .stderr(Stdio::inherit())
            .output()
            .context("cannot call this program again")?;
        ensure!(output.status.success(), "a measurement failed: {self:?}");
        Ok(String::from_utf8(output.stdout)?)
    }

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
