//! When each node was last visited, by the agent's clock: how old the knowledge of it is.
//!
//! Agents for rewards that change remember it, and so do agents whose clock follows times. Snapshots of all other
//! agents do not have it, and what is not in snapshots must not be in answers: it would depend on when the service was
//! started.

use super::stamps::ClockKind;
use super::team::LiveTeam;
use super::{Definition, Live};
use graph_bandit::{NodeId, Origin};
use serde::{Deserialize, Serialize};

/// When each node was last visited, if the agent remembers it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LastVisits(Vec<Option<f64>>);

impl LastVisits {
    /// No visit yet to any of this many nodes.
    pub fn none_to(nodes: usize) -> Self {
        Self(vec![None; nodes])
    }

    /// Of an agent that does not remember.
    pub fn unknown() -> Self {
        Self::default()
    }

    /// Whether the agent does not remember.
    pub fn are_unknown(&self) -> bool {
        self.0.is_empty()
    }

    /// How many nodes there are; 0 if the agent does not remember.
    pub fn nodes(&self) -> usize {
        self.0.len()
    }

    /// Notes a visit that ended now, or a reward that another reported now.
    pub fn note(&mut self, node: NodeId, now: f64) {
        if let Some(seen) = self.0.get_mut(node as usize) {
            *seen = Some(now);
        }
    }

    /// How long ago a node was last visited; `None` if never, or if the agent does not remember.
    pub fn age(&self, node: NodeId, now: f64) -> Option<f64> {
        let seen = self.0.get(node as usize).copied().flatten()?;
        Some((now - seen).max(0.0))
    }

    /// Whether these may be visits to the nodes of `others`, by now.
    pub fn fit(&self, others: &Self, now: f64) -> bool {
        let is_past = |seen: &Option<f64>| seen.is_none_or(|seen| (0.0..=now).contains(&seen));
        self.0.len() == others.0.len() && self.0.iter().all(is_past)
    }
}

impl Definition {
    /// Nothing seen yet, on this many nodes.
    pub(super) fn nothing_seen(&self, nodes: usize) -> LastVisits {
        let remembers = self.agent.origin() == Origin::Changing || self.clock == ClockKind::Stamps;
        if remembers { LastVisits::none_to(nodes) } else { LastVisits::unknown() }
    }
}

impl Live {
    /// Notes a visit that ended now, or a reward that another reported now.
    pub(super) fn see(&mut self, node: NodeId) {
        self.seen.note(node, self.time());
    }

    /// How long ago a node was last visited; `None` if never, or if the agent does not remember.
    pub fn age(&self, node: NodeId) -> Option<f64> {
        self.seen.age(node, self.time())
    }
}

impl LiveTeam {
    /// Notes a visit of a walker that ended now, or a reward that another reported now.
    pub(super) fn see(&mut self, node: NodeId) {
        self.seen.note(node, self.session.now().0);
    }

    /// How long ago a node was last visited, by the time of the team; `None` if never, or if its agent does not
    /// remember.
    pub fn age(&self, node: NodeId) -> Option<f64> {
        self.seen.age(node, self.session.now().0)
    }
}
