//! How fast the library is, as data: the sections of the program of this crate.
//!
//! It rests on one decision: **a figure is a ratio of two medians, measured in alternation in one
//! process** ([`measure`]). Times depend on the machine and its load. Both sides of a ratio meet
//! the same conditions, and the time that a thread waited for a core is subtracted ([`stopwatch`]).
//! The yardstick for runs is [`plain`], a straightforward implementation that walks exactly the
//! same way. The yardstick for planning is petgraph; `bench/peers` compares three more libraries.

pub mod cpu_time;
pub mod instances;
pub mod measure;
pub mod memory;
pub mod plain;
pub mod planning;
pub mod probe;
pub mod runs;
pub mod scale;
pub mod stopwatch;
pub mod studies;
pub mod teams;

use serde::{Deserialize, Serialize};

/// How long measuring may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effort {
    /// A quick look, some seconds per section.
    Quick,
    /// Figures to quote, about a minute per section.
    Full,
}

/// The measurements; sections not asked for are absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// How long measuring was allowed to take.
    pub effort: Effort,
    /// Cores of the machine.
    pub cores: usize,
    /// The share of time that this thread waited for a core, if the system reports it. It is not
    /// part of the times of runs and planning, which are measured on this thread.
    pub waited: Option<f64>,
    /// Runs of every agent on the paper's graphs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<runs::Runs>,
    /// Shortest paths against petgraph.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planning: Option<planning::Planning>,
    /// Time and memory against the number of nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<scale::Scale>,
    /// Many runs on many cores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub studies: Option<studies::Studies>,
    /// Runs and plans of teams.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub teams: Option<teams::Teams>,
}

impl Report {
    /// Nothing measured yet.
    pub fn new(effort: Effort) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            effort,
            cores,
            waited: None,
            runs: None,
            planning: None,
            scale: None,
            studies: None,
            teams: None,
        }
    }
}
