//! The lines of an export, in JSON. Texts are copied from the store, seals included, so an export need not
//! interpret them.

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
    /// The base that replaces the removed beginning of its log. The records start with the last one that the
    /// base covers.
    Base { sequence: u64, body: String },
    /// Its next record.
    Record(String),
    /// Its snapshot.
    Snapshot { sequence: u64, body: String },
    /// The agent is complete.
    Complete { id: String },
    /// The rest of the agent cannot be read.
    Damaged { id: String, reason: String },
    /// The last line: the export is complete.
    End { agents: u64 },
}
