//! Roads from and to Python arrays, and errors with the user's node labels.

use crate::errors::value_error;
use crate::graph::endpoint;
use graph_bandit::graph::MAX_TRAVEL;
use graph_bandit::{Graph as CoreGraph, GraphError, NodeId, Road};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// The most parts that an error about a disconnected graph names.
const PARTS_NAMED: usize = 4;

/// Roads from an array with one row of two node numbers per road, and the time of each.
pub(crate) fn read(
    nodes: usize,
    ends: &PyReadonlyArray2<'_, i64>,
    times: &PyReadonlyArray1<'_, f64>,
) -> PyResult<Vec<Road>> {
    let (ends, times) = (ends.as_array(), times.as_array());
    if ends.ncols() != 2 || ends.nrows() != times.len() {
        return Err(PyValueError::new_err(format!(
            "{} rows of {} columns and {} times; give two node numbers and one time per road",
            ends.nrows(),
            ends.ncols(),
            times.len()
        )));
    }
    let road = |(row, &time): (usize, &f64)| {
        let (from, to) = (endpoint(ends[[row, 0]], nodes)?, endpoint(ends[[row, 1]], nodes)?);
        Ok(Road { from, to, time })
    };
    times.iter().enumerate().map(road).collect()
}

/// The ends of all roads, one row each.
pub(crate) fn ends<'py>(py: Python<'py>, graph: &CoreGraph) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let both = |road: Road| [i64::from(road.from), i64::from(road.to)];
    let ends: Vec<i64> = graph.all_roads().flat_map(both).collect();
    ends.into_pyarray(py).reshape([graph.road_count(), 2])
}

/// The times of all roads, in the same order.
pub(crate) fn times<'py>(py: Python<'py>, graph: &CoreGraph) -> Bound<'py, PyArray1<f64>> {
    graph.all_roads().map(|road| road.time).collect::<Vec<_>>().into_pyarray(py)
}

/// Whether some road has no counterpart of the same time in the other direction.
pub(crate) fn are_directed(graph: &CoreGraph) -> bool {
    let alike = |road: &Road| graph.travel(road.to, road.from) == Some(road.time);
    graph.roads().is_some() && graph.all_roads().any(|road| !alike(&road))
}

/// What is wrong with a graph; nodes are named by their labels, if there are any.
pub(crate) fn named(error: &GraphError, labels: Option<&Bound<'_, PyList>>) -> PyErr {
    let repr = |node: NodeId| {
        let label = labels.and_then(|labels| labels.get_item(node as usize).ok());
        label.and_then(|label| label.repr().ok()).map_or(node.to_string(), |text| text.to_string())
    };
    let text = match error {
        GraphError::Disconnected { from, cut_off } => format!(
            "node {} is cut off from node {}; a graph bandit needs a connected graph",
            repr(*cut_off),
            repr(*from)
        ),
        GraphError::ImpossibleTime { from, to, time } => format!(
            "the road from node {} to node {} takes {time} beyond the visit; give a number from 0 \
             to {MAX_TRAVEL}",
            repr(*from),
            repr(*to)
        ),
        GraphError::NotStronglyConnected { parts, .. } => {
            let part = |&(node, size): &(NodeId, usize)| match size {
                1 => format!("node {} alone", repr(node)),
                _ => format!("{size} nodes with node {}", repr(node)),
            };
            let mut shown: Vec<String> = parts.iter().take(PARTS_NAMED).map(part).collect();
            if parts.len() > PARTS_NAMED {
                shown.push("and so on".to_owned());
            }
            format!(
                "roads run one way, and not every node can reach every other: there are {} \
                 strongly connected parts, {}; add the missing roads, or keep the largest part (of \
                 a networkx graph: max(networkx.strongly_connected_components(G), key=len)), or \
                 give directed=False",
                parts.len(),
                shown.join(", ")
            )
        }
        other => return value_error(other),
    };
    PyValueError::new_err(text)
}
