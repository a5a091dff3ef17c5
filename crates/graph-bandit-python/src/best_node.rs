//! The best node so far of a local agent or team, in the shape of the service's answer.

use crate::errors::value_error;
use graph_bandit::{Best, Bracketed, Certainty, Estimates, NodeId};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Which intervals are asked for; `declared` is the noise scale of the agent.
pub(crate) fn certainty(
    declared: Option<f64>,
    (confidence, noise_scale): (f64, Option<f64>),
) -> PyResult<Certainty> {
    let noise_scale = noise_scale.or(declared).unwrap_or(Certainty::NOISE_SCALE);
    Certainty::new(noise_scale, confidence).map_err(value_error)
}

/// The best node by the rewards that are remembered, and what goes with it.
pub(crate) struct BestNode {
    certainty: Certainty,
    found: Option<Best>,
    /// All visits of each node, also those that are forgotten.
    visits: Vec<u64>,
}

impl BestNode {
    pub(crate) fn of(certainty: Certainty, remembered: &Estimates, all: &Estimates) -> Self {
        let visits = all.samples().iter().map(|sample| sample.count).collect();
        Self { certainty, found: remembered.best(&certainty), visits }
    }

    /// The data behind `best`; `is_aside` says which nodes cannot be reached now.
    pub(crate) fn shown<'py>(
        &self,
        py: Python<'py>,
        is_aside: impl Fn(NodeId) -> bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let Self { certainty, found, visits } = self;
        let shown = PyDict::new(py);
        let node = |known: &Bracketed| -> PyResult<Bound<'py, PyDict>> {
            let node = PyDict::new(py);
            node.set_item("node", known.node)?;
            let visits = visits[known.node as usize];
            node.set_item("visits", visits)?;
            if known.weight != visits as f64 {
                node.set_item("remembered", known.weight)?;
            }
            node.set_item("estimate", known.mean)?;
            node.set_item("interval", (known.low(), known.high()))?;
            node.set_item("set_aside", is_aside(known.node))?;
            Ok(node)
        };
        if let Some(found) = found {
            shown.set_item("best", node(&found.node)?)?;
            if let Some(runner_up) = &found.runner_up {
                shown.set_item("runner_up", node(runner_up)?)?;
            }
            shown.set_item("chance", found.chance)?;
        }
        let unvisited = visits.iter().filter(|&&visits| visits == 0).count();
        let unknown = found.map_or(visits.len(), |found| found.unvisited);
        shown.set_item("unvisited", unvisited)?;
        shown.set_item("forgotten", unknown.saturating_sub(unvisited))?;
        shown.set_item("settled", found.is_some_and(|found| found.is_settled()))?;
        shown.set_item("confidence", certainty.confidence())?;
        shown.set_item("noise_scale", certainty.noise_scale())?;
        Ok(shown)
    }
}
