//! All that a log has come to, in a form that can be kept, exported and imported.

use super::Curve;
use graph_bandit::{Edge, SessionState};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An agent's state after some records of its log.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// How many records it stands for.
    pub sequence: u64,
    /// The edges that are blocked, the lower number first.
    pub blocked: BTreeSet<Edge>,
    /// The sum of rewards over time.
    pub curve: Curve,
    /// The session.
    pub state: SessionState,
}
