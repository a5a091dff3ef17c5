//! The paper's bounds with their constants.

use crate::errors::value_error;
use crate::graph::Graph;
use crate::plan::checked_means;
use graph_bandit::divergence::Divergence;
use graph_bandit::theory::{
    self, GapBound, MinimaxBound, RoadGapBound, RoadMinimaxBound, longest_path,
};
use graph_bandit::{Law, MAX_VISITS, NodeId, World};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Checks that bounds are finite for these steps.
fn check_time(steps: u64, init_steps: u64) -> PyResult<()> {
    if steps.checked_add(init_steps).is_some_and(|time| (1..=MAX_VISITS).contains(&time)) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!(
        "steps is {steps} and init_steps is {init_steps}; together they must be from 1 to 2**53"
    )))
}

/// Theorem 1; on roads, with the time diameter.
#[pyfunction]
pub(crate) fn minimax_bound(
    py: Python<'_>,
    graph: &Graph,
    steps: u64,
    init_steps: u64,
) -> PyResult<f64> {
    check_time(steps, init_steps)?;
    let nodes = graph.core.len();
    if graph.core.roads().is_some() {
        let time_diameter = py.detach(|| graph.core.time_diameter());
        let bound = RoadMinimaxBound { nodes, time_diameter, steps, init_visits: init_steps };
        return Ok(bound.regret());
    }
    let diameter = py.detach(|| graph.core.diameter());
    Ok(MinimaxBound { nodes, diameter, steps, init_steps }.regret())
}

/// Theorem 2; on roads, with the time diameter; `None` if several nodes are best.
#[pyfunction]
pub(crate) fn gap_bound(
    py: Python<'_>,
    graph: &Graph,
    means: PyReadonlyArray1<'_, f64>,
    steps: u64,
    init_steps: u64,
) -> PyResult<Option<f64>> {
    check_time(steps, init_steps)?;
    let world = constant_world(graph, &means)?;
    let longest_path = py.detach(|| longest_path(&graph.core));
    let gaps = world.gaps();
    if graph.core.roads().is_some() {
        let time_diameter = py.detach(|| graph.core.time_diameter());
        let init_visits = init_steps;
        let bound = RoadGapBound { gaps, longest_path, time_diameter, steps, init_visits };
        return Ok(bound.regret());
    }
    Ok(GapBound { gaps, longest_path, steps, init_steps }.regret())
}

/// The regret, in this many steps from node `start`, of a walker that knows the means.
#[pyfunction]
pub(crate) fn regret_floor(
    py: Python<'_>,
    graph: &Graph,
    means: PyReadonlyArray1<'_, f64>,
    start: usize,
    steps: u64,
) -> PyResult<f64> {
    if start >= graph.core.len() {
        return Err(PyValueError::new_err(format!("there is no node number {start}")));
    }
    let world = constant_world(graph, &means)?;
    py.detach(|| theory::regret_floor(&world, start as NodeId, steps)).map_err(value_error)
}

/// The least regret for each unit of ln T: of rewards 0 and 1, or of Gaussian ones with this variance.
#[pyfunction]
#[pyo3(signature = (means, variance=None))]
pub(crate) fn least_regret_rate(
    means: PyReadonlyArray1<'_, f64>,
    variance: Option<f64>,
) -> PyResult<f64> {
    let means = means.as_array().to_vec();
    let lowest_and_highest = match variance {
        None => 0.0..=1.0,
        Some(_) => f64::MIN..=f64::MAX,
    };
    if let Some(mean) = means.iter().find(|mean| !lowest_and_highest.contains(*mean)) {
        let remedy = match variance {
            None => "give numbers from 0 to 1, or a variance",
            Some(_) => "give finite numbers",
        };
        return Err(PyValueError::new_err(format!("a mean is {mean}; {remedy}")));
    }
    match variance {
        Some(variance) if !(variance > 0.0 && variance.is_finite()) => Err(PyValueError::new_err(
            format!("variance is {variance}; give a finite number above 0"),
        )),
        Some(variance) => Ok(theory::least_regret_rate(&means, Divergence::Gaussian { variance })),
        None => Ok(theory::least_regret_rate(&means, Divergence::Bernoulli)),
    }
}

/// A world whose nodes always pay their means.
fn constant_world(graph: &Graph, means: &PyReadonlyArray1<'_, f64>) -> PyResult<World> {
    let means = checked_means(&graph.core, means)?;
    let laws = means.into_iter().map(Law::constant).collect::<Result<_, _>>();
    World::new(Arc::clone(&graph.core), laws.map_err(value_error)?).map_err(value_error)
}
