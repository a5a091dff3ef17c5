//! All that a log has come to, in a form that can be kept, exported and imported.

use super::{Curve, ResumeError};
use graph_bandit::{Graph, NodeId, SessionState};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An agent's state after some records of its log.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// How many records it stands for.
    pub sequence: u64,
    /// The edges that are blocked, the lower number first.
    pub blocked: BTreeSet<(NodeId, NodeId)>,
    /// The sum of rewards over time.
    pub curve: Curve,
    /// The session.
    pub state: SessionState,
}

impl Snapshot {
    /// What a session does not check itself, for a snapshot that comes from outside.
    pub(super) fn check(&self, graph: &Graph) -> Result<(), ResumeError> {
        let is_edge =
            |&(a, b): &(NodeId, NodeId)| a < b && (b as usize) < graph.len() && graph.allows(a, b);
        if let Some(&edge) = self.blocked.iter().find(|edge| !is_edge(edge)) {
            return Err(ResumeError::NoSuchEdge { edge });
        }
        // How far the cover walk has come is nobody's to look at but the session's, and its own
        // checks leave it out.
        let state = serde_json::to_value(&self.state).unwrap_or_default();
        let lowest = state["cover"]["lowest"].as_u64();
        match lowest.filter(|&lowest| lowest <= graph.len() as u64) {
            Some(_) => Ok(()),
            None => Err(ResumeError::NoSuchCover { nodes: graph.len() }),
        }
    }
}
