//! The state after some records of a log, in a form that can be stored, exported and imported.

use super::event::{first_format, is_false, is_first_format};
use super::team::TeamSnapshot;
use super::{Curve, FoundChanges, LastVisits};
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
    /// The seal of the last record it covers. Not in the first format, nor in exports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<String>,
    /// Whether the log lacks the present order.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_order_unsaid: bool,
    /// Whether that order was planned again.
    #[serde(default, skip_serializing_if = "is_false")]
    pub planned_anew: bool,
    /// How many records it covers.
    pub sequence: u64,
    /// The blocked edges, each with its lower node number first; roads in their direction.
    pub blocked: BTreeSet<Edge>,
    /// The sum of rewards over time.
    pub curve: Curve,
    /// The session; absent if it is a team's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<SessionState>,
    /// When the last visit ended; only if the agent's clock follows times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_time: Option<f64>,
    /// The changes that the agent found; absent if there were none, as before agents could find any.
    #[serde(default, skip_serializing_if = "FoundChanges::is_empty")]
    pub found: FoundChanges,
    /// When each node was last visited, by the agent's clock; only of agents for rewards that change, and of agents
    /// whose clock follows times.
    #[serde(default, skip_serializing_if = "LastVisits::are_unknown")]
    pub seen: LastVisits,
    /// The session, numbers and names of a team; absent if it is an agent alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Box<TeamSnapshot>>,
}

impl Snapshot {
    /// Converts to the first format, for programs that read no other. What they do not know stays: only agents that
    /// they cannot read have it.
    #[must_use]
    pub fn in_first_format(self) -> Self {
        Self { format: 1, seal: None, is_order_unsaid: false, planned_anew: false, ..self }
    }
}
