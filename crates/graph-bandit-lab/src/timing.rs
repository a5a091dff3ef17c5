//! Measured run times: one run at a time, after everything else, never compared for equality.

use crate::campaign::{Campaign, Entry};
use crate::error::LabError;
use crate::figure_request::Needs;
use graph_bandit::Preset;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

/// The run times of one agent on one case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimedCell {
    /// The study's name.
    pub study: String,
    /// The case's title.
    pub case: String,
    /// The agent.
    pub agent: String,
    /// Which preset it follows.
    pub preset: Preset,
    /// Seconds of each run.
    pub seconds: Vec<f64>,
}

impl TimedCell {
    /// The median time of a run.
    pub fn median(&self) -> f64 {
        crate::statistics::median(self.seconds.clone())
    }
}

/// Times every agent of every study with a figure of run times; the cells left when `stop` is set
/// have no times.
///
/// # Errors
/// When a run fails.
pub fn measure(campaign: &Campaign, stop: &AtomicBool) -> Result<Vec<TimedCell>, LabError> {
    let is_shown = |entry: &&Entry<'_>| {
        entry.study.figures.iter().any(|figure| {
            let mut shown = figure.shown(entry.study);
            figure.entry().needs == Needs::Times && shown.any(|case| case == entry.case)
        })
    };
    let entries = campaign.entries();
    let timed = entries.iter().filter(is_shown);
    let time = |entry: &Entry<'_>| {
        let cell = &campaign.cells[entry.cell];
        let prepared = cell.prepare(&campaign.base, &campaign.graphs)?;
        let runs = (0..cell.runs).take_while(|_| !stop.load(Ordering::Relaxed));
        let seconds = runs.map(|run| {
            let outcome = prepared.run_once(&prepared.agents[0], run)?;
            Ok(outcome.elapsed.as_secs_f64())
        });
        Ok(TimedCell {
            study: entry.study.name.clone(),
            case: entry.case.title().to_owned(),
            agent: cell.agent.clone(),
            preset: entry.preset,
            seconds: seconds.collect::<Result<_, LabError>>()?,
        })
    };
    timed.map(time).collect()
}
