//! The ledger: sentences that the results of a campaign decide. The crate that provides the
//! sentences judges them; the lab stores and shows the verdicts.

use super::Report;
use super::opening::Opening;
use crate::campaign::Results;
use crate::timing::TimedCell;
use crate::window::Window;
use graph_bandit::Preset;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Judges sentences by results, and describes them on the page.
#[derive(Debug, Clone, Copy)]
pub struct Ledger {
    /// An introduction to the claims of a report: the inside of an HTML paragraph.
    pub about: fn(&Report) -> &'static str,
    /// Added to that paragraph if times were measured.
    pub about_times: &'static str,
    /// Judges all sentences these results can decide.
    pub judge: fn(&Results<'_>) -> Vec<ClaimReport>,
    /// Judges sentences about measured times, if these can decide them.
    pub judge_times: fn(&[TimedCell]) -> Option<ClaimReport>,
    /// The opening of a page with these results; `None` if they belong to another crate.
    pub open: fn(&Report) -> Option<Opening>,
    /// The full number of runs of a study, by its name; `None` if it belongs to another crate. A
    /// page with fewer runs is marked as quick beside every verdict.
    pub full_runs: fn(&str) -> Option<u64>,
}

/// The verdict on a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// All of it is true.
    Holds,
    /// Some of it is true: on some graphs, or in one of two respects.
    HoldsInPart,
    /// None of it is true.
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
    /// Which preset the agents followed.
    pub preset: Preset,
    /// Which steps counted; `None` if that does not matter.
    pub window: Option<Window>,
    /// What was measured, with 95% intervals.
    pub figures: String,
    /// The verdict.
    pub verdict: Verdict,
}

/// Whether the words of a claim are those of its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wording {
    /// The source's own words.
    #[default]
    Quoted,
    /// A summary.
    InOurWords,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_quoted(wording: &Wording) -> bool {
    *wording == Wording::Quoted
}

/// A claim, its test, and the result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimReport {
    /// A short name.
    pub id: String,
    /// Where the sentence is.
    pub place: String,
    /// The sentence; `[...]` marks omissions, including references and citations.
    pub sentence: String,
    /// The test that decides it.
    pub test: String,
    /// The studies whose runs decide it.
    pub studies: Vec<String>,
    /// One per preset and window that was run.
    pub judgements: Vec<Judgement>,
    /// Why the cells differ, or do not.
    pub explanation: String,
    /// Whose words the sentence has.
    #[serde(default, skip_serializing_if = "is_quoted")]
    pub wording: Wording,
}

impl ClaimReport {
    /// The sentence, in quotation marks if it is a quotation; omissions become an ellipsis that never begins a line.
    pub fn quotation(&self) -> String {
        if self.wording == Wording::InOurWords {
            return self.sentence.clone();
        }
        format!("“{}”", self.sentence.replace(" [...]", "\u{a0}…").replace("[...]", "…"))
    }
}
