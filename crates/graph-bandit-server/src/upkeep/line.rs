//! An export: lines of JSON. Texts are those of the store, seals included, so nothing needs to be
//! understood to be exported.

use serde::{Deserialize, Serialize};

/// The format of the lines.
pub(super) const FORMAT: u32 = 1;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Line {
    /// The first.
    Store { format: u32 },
    /// An agent begins.
    Agent { id: String, label: String, definition: String, end: u64 },
    /// What stands for the beginning of its log, which was let go: its records begin with the last one
    /// that this stands for.
    Base { sequence: u64, body: String },
    /// The next of its records.
    Record(String),
    /// Its snapshot.
    Snapshot { sequence: u64, body: String },
    /// All of the agent was there.
    Whole { id: String },
    /// The rest of the agent cannot be read.
    Damaged { id: String, reason: String },
    /// The last: the export is whole.
    End { agents: u64 },
}
