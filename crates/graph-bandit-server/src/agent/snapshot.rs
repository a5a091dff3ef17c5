//! All that a log has come to, in a form that can be kept, exported and imported.

use super::Curve;
use super::event::{first_format, is_false, is_first_format};
use graph_bandit::{Edge, SessionState};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An agent's state after some records of its log.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// The format of the snapshot.
    #[serde(default = "first_format", skip_serializing_if = "is_first_format")]
    pub format: u32,
    /// The seal of the last record that it stands for. Not in the first format, nor in exports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<String>,
    /// Whether the log does not say what is ordered.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_order_unsaid: bool,
    /// Whether that order was planned anew.
    #[serde(default, skip_serializing_if = "is_false")]
    pub planned_anew: bool,
    /// How many records it stands for.
    pub sequence: u64,
    /// The edges that are blocked, the lower number first; roads, as they run.
    pub blocked: BTreeSet<Edge>,
    /// The sum of rewards over time.
    pub curve: Curve,
    /// The session.
    pub state: SessionState,
}

impl Snapshot {
    /// As the first format has it, for programs that read no other.
    #[must_use]
    pub fn in_first_format(self) -> Self {
        Self { format: 1, seal: None, is_order_unsaid: false, planned_anew: false, ..self }
    }
}
