//! Planning when the means are known.

use crate::errors::value_error;
use crate::graph::Graph;
use graph_bandit::plan;
use graph_bandit::{Graph as CoreGraph, NodeId};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

type Numbers<'py> = Bound<'py, PyArray1<i64>>;
type Values<'py> = Bound<'py, PyArray1<f64>>;

/// The largest table of values: a gigabyte, held twice while it is converted.
const MOST_VALUES: usize = 1 << 27;

/// One finite mean for every node.
pub(crate) fn checked_means(
    graph: &CoreGraph,
    means: &PyReadonlyArray1<'_, f64>,
) -> PyResult<Vec<f64>> {
    let means = means.as_array().to_vec();
    if means.len() != graph.len() {
        return Err(PyValueError::new_err(format!(
            "{} means for {} nodes; give exactly one per node",
            means.len(),
            graph.len()
        )));
    }
    match means.iter().position(|mean| !mean.is_finite()) {
        Some(node) => Err(PyValueError::new_err(format!(
            "the mean of node number {node} is {}; give a finite number",
            means[node]
        ))),
        None => Ok(means),
    }
}

fn numbers(py: Python<'_>, nodes: impl Iterator<Item = NodeId>) -> Numbers<'_> {
    nodes.map(i64::from).collect::<Vec<_>>().into_pyarray(py)
}

/// Algorithm 1: the next node from every node, and the cost of the path to the best node.
#[pyfunction]
pub(crate) fn shortest_path<'py>(
    py: Python<'py>,
    graph: &Graph,
    means: PyReadonlyArray1<'py, f64>,
) -> PyResult<(Numbers<'py>, Values<'py>)> {
    let graph = &*graph.core;
    let means = checked_means(graph, &means)?;
    let (policy, costs) = py.detach(|| plan::shortest_path(graph, &means));
    Ok((numbers(py, graph.nodes().map(|node| policy.next(node))), costs.into_pyarray(py)))
}

/// Algorithm 4: the next node from every node, the last values, the sweeps made, and bounds on the
/// best average.
#[pyfunction]
pub(crate) fn value_iteration<'py>(
    py: Python<'py>,
    graph: &Graph,
    means: PyReadonlyArray1<'py, f64>,
    tolerance: f64,
) -> PyResult<(Numbers<'py>, Values<'py>, u64, (f64, f64))> {
    let graph = &*graph.core;
    let means = checked_means(graph, &means)?;
    let made = py.detach(|| plan::value_iteration(graph, &means, tolerance));
    let made = made.map_err(value_error)?;
    let next = numbers(py, graph.nodes().map(|node| made.policy.next(node)));
    Ok((next, made.values.into_pyarray(py), made.sweeps, made.average_reward))
}

/// `V(s, t)` for all nodes, one row for every `t` from 0 to `horizon`, and a best path from node
/// number `start`. `V(s, t)` is the highest total reward of `s` and the best `t` steps from it.
#[pyfunction]
pub(crate) fn finite_horizon<'py>(
    py: Python<'py>,
    graph: &Graph,
    means: PyReadonlyArray1<'py, f64>,
    horizon: usize,
    start: usize,
) -> PyResult<(Bound<'py, PyArray2<f64>>, Numbers<'py>)> {
    let graph = &*graph.core;
    let means = checked_means(graph, &means)?;
    if start >= graph.len() {
        return Err(PyValueError::new_err(format!("there is no node number {start}")));
    }
    let rows = horizon.saturating_add(1);
    if rows.saturating_mul(graph.len()) > MOST_VALUES {
        return Err(PyValueError::new_err(format!(
            "a horizon of {horizon} on {} nodes needs too much memory; \
             give a shorter horizon",
            graph.len()
        )));
    }
    let made = py.detach(|| plan::finite_horizon(graph, &means, horizon)).map_err(value_error)?;
    let (values, path) = py.detach(|| {
        let values: Vec<f64> = (0..rows)
            .flat_map(|t| graph.nodes().map(move |node| (node, t)))
            .map(|(node, t)| made.value(node, t))
            .collect();
        (values, made.path(graph, start as NodeId))
    });
    let values = values.into_pyarray(py).reshape([rows, graph.len()])?;
    Ok((values, numbers(py, path.into_iter())))
}
