//! What a session or a team knows about its nodes, in the numbers of the service.

use crate::session::Session;
use graph_bandit_server::agent::{Knowledge, NodeEstimate};
use numpy::{Element, IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The columns of `Estimates`, by node number; missing numbers are NaN.
#[pyfunction]
pub(crate) fn node_estimates<'py>(
    py: Python<'py>,
    session: &Session,
) -> PyResult<Bound<'py, PyDict>> {
    let known: Vec<NodeEstimate> = session.with(py, |asked| {
        let scores = asked.node_scores();
        let knowledge = Knowledge::new(&session.spec, asked.field(), asked.at(), scores)
            .remembering(asked.remembered());
        asked.graph().nodes().map(|node| knowledge.node(node)).collect()
    });
    columns(py, &known)
}

/// The columns of `Estimates`, by node number; missing numbers are NaN.
pub(crate) fn columns<'py>(
    py: Python<'py>,
    known: &[NodeEstimate],
) -> PyResult<Bound<'py, PyDict>> {
    let or_nan = |number: Option<f64>| number.unwrap_or(f64::NAN);
    let columns = PyDict::new(py);
    columns.set_item("visits", column(py, known, |node| node.visits as i64))?;
    let remembered = |node: &NodeEstimate| node.remembered.unwrap_or(node.visits as f64);
    columns.set_item("remembered", column(py, known, remembered))?;
    columns.set_item("estimate", column(py, known, |node| or_nan(node.estimate)))?;
    columns.set_item("radius", column(py, known, |node| or_nan(node.radius)))?;
    columns.set_item("bound", column(py, known, |node| or_nan(node.bound)))?;
    columns.set_item("score", column(py, known, |node| or_nan(node.score)))?;
    columns.set_item("set_aside", column(py, known, |node| node.set_aside))?;
    Ok(columns)
}

fn column<'py, T: Element>(
    py: Python<'py>,
    known: &[NodeEstimate],
    of: impl Fn(&NodeEstimate) -> T,
) -> Bound<'py, PyArray1<T>> {
    known.iter().map(of).collect::<Vec<T>>().into_pyarray(py)
}
