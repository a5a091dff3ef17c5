//! When each node was last visited, by the agent's clock: how old the knowledge of it is.
//!
//! Agents for rewards that change remember it, and so do agents whose clock follows times. Snapshots of all other
//! agents stay as earlier versions read them, and what is not in snapshots must not be in answers: it would depend on
//! when the service was started.

use super::stamps::ClockKind;
use super::{Definition, Live};
use graph_bandit::{NodeId, Origin};

/// When each node was last visited, `None` if never; empty if the agent does not remember.
pub(super) type Seen = Vec<Option<f64>>;

impl Definition {
    /// Nothing seen yet, on this many nodes.
    pub(super) fn nothing_seen(&self, nodes: usize) -> Seen {
        let remembers = self.agent.origin() == Origin::Changing || self.clock == ClockKind::Stamps;
        if remembers { vec![None; nodes] } else { Seen::new() }
    }
}

impl Live {
    /// Notes a visit that ended now, or a reward that another reported now.
    pub(super) fn see(&mut self, node: NodeId) {
        let now = self.time();
        if let Some(seen) = self.seen.get_mut(node as usize) {
            *seen = Some(now);
        }
    }

    /// How long ago a node was last visited; `None` if never, or if the agent does not remember.
    pub fn age(&self, node: NodeId) -> Option<f64> {
        let seen = self.seen.get(node as usize).copied().flatten()?;
        Some((self.time() - seen).max(0.0))
    }

    /// Whether these times may be those of its nodes.
    pub(super) fn can_have(&self, seen: &Seen) -> bool {
        let is_past =
            |seen: &Option<f64>| seen.is_none_or(|seen| (0.0..=self.time()).contains(&seen));
        seen.len() == self.seen.len() && seen.iter().all(is_past)
    }
}
