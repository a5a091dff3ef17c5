//! The ledger: sentences that the results of a campaign decide. The crate that brings the sentences judges
//! them; the lab keeps and shows what was found.

use super::Report;
use super::opening::Opening;
use crate::campaign::Results;
use crate::timing::TimedCell;
use crate::window::Window;
use graph_bandit::Preset;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Who judges sentences by results, and what the page says of them.
#[derive(Debug, Clone, Copy)]
pub struct Ledger {
    /// What they are: the inside of a paragraph of HTML.
    pub about: &'static str,
    /// What to add to that paragraph where times were measured.
    pub about_times: &'static str,
    /// Judges all that these results can decide.
    pub judge: fn(&Results<'_>) -> Vec<ClaimReport>,
    /// Judges what is said of measured times, if these can decide it.
    pub judge_times: fn(&[TimedCell]) -> Option<ClaimReport>,
    /// How a page of these results begins; `None` where they are somebody else's.
    pub open: fn(&Report) -> Option<Opening>,
    /// How many runs a study makes in full, by its name; `None` where it is somebody else's. A page of fewer runs
    /// says that it is a quick one beside every verdict.
    pub full_runs: fn(&str) -> Option<u64>,
}

/// What became of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// All that it says is so.
    Holds,
    /// Some of it is: on some graphs, or in one of two respects.
    HoldsInPart,
    /// None of it is.
    DoesNotHold,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Holds => "holds",
            Self::HoldsInPart => "holds in part",
            Self::DoesNotHold => "does not hold",
        })
    }
}

/// A claim in one preset and window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// Whose details the agents followed.
    pub preset: Preset,
    /// Which steps counted; `None` where that does not matter.
    pub window: Option<Window>,
    /// What was measured, with 95% intervals.
    pub figures: String,
    /// What follows from it.
    pub verdict: Verdict,
}

/// A claim, how it is tested, and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimReport {
    /// A short name.
    pub id: String,
    /// Where the sentence stands.
    pub place: String,
    /// The sentence; `[...]` for what is left out, references and citations among it.
    pub sentence: String,
    /// The test that decides it.
    pub test: String,
    /// The studies whose runs decide it.
    pub studies: Vec<String>,
    /// One per preset and window that was run.
    pub judgements: Vec<Judgement>,
    /// Why the cells differ, or why they do not.
    pub explanation: String,
}

impl ClaimReport {
    /// The sentence in quotation marks, with an ellipsis that no line begins with for what is left out.
    pub fn quotation(&self) -> String {
        format!("“{}”", self.sentence.replace(" [...]", "\u{a0}…").replace("[...]", "…"))
    }
}
