//! What a local agent or team notes beyond what its decisions need: the changes that it found, and when each node was
//! last visited. The service notes the same.

use crate::errors::value_error;
use graph_bandit::NodeId;
use graph_bandit_server::agent::{FoundChange, FoundChanges, LastVisits};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

/// The notes of an agent or a team.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Notes {
    /// The visits that were told, without rewards that others observed.
    visits: u64,
    found: FoundChanges,
    seen: LastVisits,
}

impl Notes {
    /// The notes of an agent for rewards that change, after this many visits on a graph of this many nodes.
    pub(crate) fn after(visits: u64, nodes: usize) -> Self {
        Self { visits, found: FoundChanges::default(), seen: LastVisits::none_to(nodes) }
    }

    /// The notes stored with an agent, or `fresh` ones if there are none. An error if stored notes do not fit the graph
    /// of `fresh` or the time `now`.
    pub(crate) fn stored(stored: Option<Self>, fresh: Self, now: f64) -> PyResult<Self> {
        let Some(notes) = stored else { return Ok(fresh) };
        let nodes = fresh.seen.nodes();
        if !notes.found.fit(notes.visits, nodes) || !notes.seen.fit(&fresh.seen, now) {
            return Err(value_error(
                "its notes about changes and last visits do not fit its graph and its clock",
            ));
        }
        Ok(notes)
    }

    /// Whether notes are taken.
    pub(crate) fn are_taken(&self) -> bool {
        !self.seen.are_unknown()
    }

    /// A visit that ended now, and whether it showed a change.
    pub(crate) fn visited(&mut self, node: NodeId, now: f64, found_change: bool) {
        if !self.are_taken() {
            return;
        }
        self.visits += 1;
        self.seen.note(node, now);
        if found_change {
            self.found.push(FoundChange { visits: self.visits, node });
        }
    }

    /// A reward that others collected.
    pub(crate) fn observed(&mut self, node: NodeId, now: f64) {
        self.seen.note(node, now);
    }

    /// The newest changes: how many visits had been told, and the node.
    pub(crate) fn changes(&self) -> Vec<(u64, NodeId)> {
        self.found.newest().iter().map(|change| (change.visits, change.node)).collect()
    }

    /// How long ago each node of a graph of this many nodes was last visited.
    pub(crate) fn ages(&self, nodes: usize, now: f64) -> Vec<f64> {
        let nodes = 0..nodes as NodeId;
        nodes.map(|node| self.seen.age(node, now).unwrap_or(f64::NAN)).collect()
    }
}

/// Ages as an array.
pub(crate) fn array(py: Python<'_>, ages: Vec<f64>) -> Bound<'_, PyArray1<f64>> {
    ages.into_pyarray(py)
}
