//! The state after some records of a log, in a form that can be stored, exported and imported.

use super::team::TeamSnapshot;
use super::{Curve, Format, FoundChanges, LastVisits};
use graph_bandit::{Edge, SessionState};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An agent's state after some records of its log.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// The format of the snapshot.
    pub format: Format,
    /// The seal of the last record it covers. Not in exports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<String>,
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
    /// The changes that the agent found; absent if there were none.
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
