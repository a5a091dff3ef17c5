//! The Bayes-optimal agent on tiny graphs.

use crate::errors::value_error;
use crate::graph::Graph;
use crate::study::watched;
use graph_bandit::NodeId;
use graph_bandit::bayes::{BayesProblem, Keep, Seen};
use pyo3::prelude::*;
use std::sync::atomic::Ordering;

/// The value, the regret, and every first visit with its value; the best of them.
type Optimum = (f64, f64, Vec<(NodeId, f64)>, NodeId);

/// The Bayes optimum after the rewards `seen`: for every node, how many ones and how many zeros it
/// paid. The computation uses at most `memory` bytes.
#[pyfunction]
#[pyo3(signature = (graph, steps, start, seen, memory))]
pub(crate) fn bayes(
    py: Python<'_>,
    graph: &Graph,
    steps: u64,
    start: NodeId,
    seen: Vec<(u32, u32)>,
    memory: u64,
) -> PyResult<Optimum> {
    let problem = BayesProblem::new(&graph.core, start, steps).map_err(value_error)?;
    let seen = seen.into_iter().map(|(ones, zeros)| Seen { ones, zeros }).collect();
    let problem = problem.after(seen).map_err(value_error)?;
    let work = |stop: &std::sync::atomic::AtomicBool| {
        problem.solve(Keep::Values, memory, &mut |_| !stop.load(Ordering::Relaxed))
    };
    let optimum = watched(py, |_| Ok(()), work)?.map_err(value_error)?;
    let first = optimum.first().iter().map(|choice| (choice.node, choice.value)).collect();
    Ok((optimum.value(), optimum.regret(), first, optimum.first_move()))
}
