//! Bounds on regret with their constants.

use crate::errors::{of_lab, value_error};
use crate::graph::Graph;
use crate::plan::checked_means;
use crate::team::ShareArgument;
use graph_bandit::agents::SafeRule;
use graph_bandit::divergence::Divergence;
use graph_bandit::theory::{
    self, GapBound, HardNoise, MinimaxBound, NoiseFloor, RoadGapBound, RoadMinimaxBound, SafeBound,
    TeamBound, TravelFloor, longest_path, patrol_time, patrol_walk,
};
use graph_bandit::{AgentSpec, Law, MAX_VISITS, NodeId, Preset, World};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Checks that bounds are finite for these steps.
fn check_time(steps: u64, init_steps: f64) -> PyResult<()> {
    if (1.0..=MAX_VISITS as f64).contains(&(steps as f64 + init_steps)) {
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
    check_time(steps, init_steps as f64)?;
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
    check_time(steps, init_steps as f64)?;
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

/// Checks that a number of the caller is finite and not below 0.
fn check_size(name: &str, number: f64) -> PyResult<()> {
    if number >= 0.0 && number.is_finite() {
        return Ok(());
    }
    let remedy = "give a finite number of at least 0";
    Err(PyValueError::new_err(format!("{name} is {number}; {remedy}")))
}

/// Theorem 10, for g-safe and g-sweep.
#[pyfunction]
pub(crate) fn safe_bound(
    py: Python<'_>,
    graph: &Graph,
    agent: &str,
    worst_step: f64,
    steps: u64,
    init_time: f64,
) -> PyResult<f64> {
    check_size("init_steps", init_time)?;
    check_time(steps, init_time)?;
    check_size("worst_step", worst_step)?;
    let spec = AgentSpec::parse(agent, Preset::Paper).map_err(value_error)?;
    let Some(rule) = SafeRule::of_agent(&spec) else {
        return Err(PyValueError::new_err(format!(
            "the agent is {agent:?}; this bound is about g-safe and g-sweep: give one of them"
        )));
    };
    let (diameter, round) = py.detach(|| {
        let graph = &*graph.core;
        (graph.time_diameter(), patrol_time(graph, &patrol_walk(graph)))
    });
    let nodes = graph.core.len();
    Ok(SafeBound { rule, nodes, worst_step, diameter, round, steps, init_time }.regret())
}

/// Theorem 9, for Multi-G-UCB.
#[pyfunction]
pub(crate) fn team_bound(
    py: Python<'_>,
    graph: &Graph,
    walkers: usize,
    share: ShareArgument<'_>,
    steps: u64,
) -> PyResult<f64> {
    check_time(steps, 0.0)?;
    if graph.core.roads().is_some() {
        return Err(PyValueError::new_err(
            "the graph has roads that run one way or take time; the bound on the regret of teams \
             does not cover them: give a graph of plain edges",
        ));
    }
    let sharing = share.source()?.sharing(walkers, graph.core.len());
    let sharing = sharing.map_err(|error| of_lab(&error))?;
    Ok(py.detach(|| TeamBound::of(&graph.core, &sharing, steps)).regret())
}

/// Theorem L1; `None` where it says nothing.
#[pyfunction]
pub(crate) fn noise_floor(
    nodes: usize,
    noise: &str,
    scale: f64,
    steps: u64,
    init_steps: u64,
) -> PyResult<Option<f64>> {
    check_time(steps, init_steps as f64)?;
    check_size("noise_scale", scale)?;
    let noise = match noise {
        "two-values" => HardNoise::TwoValues,
        "gaussian" => HardNoise::Gaussian,
        _ => {
            let remedy = "give \"two-values\" or \"gaussian\"";
            return Err(PyValueError::new_err(format!("noise is {noise:?}; {remedy}")));
        }
    };
    Ok(NoiseFloor { nodes, scale, noise, steps, init_steps }.regret())
}

/// Theorem L2; `None` where it says nothing.
#[pyfunction]
pub(crate) fn travel_floor(
    contenders: usize,
    apart: u64,
    gap: f64,
    rate: f64,
    first: u64,
    last: u64,
) -> PyResult<Option<f64>> {
    check_size("gap", gap)?;
    if !(rate > 0.0 && rate.is_finite()) {
        return Err(PyValueError::new_err(format!("rate is {rate}; give a finite number above 0")));
    }
    if first.max(last) > MAX_VISITS {
        return Err(PyValueError::new_err(format!(
            "first is {first} and last is {last}; neither may be above 2**53"
        )));
    }
    let Ok(apart) = u32::try_from(apart) else {
        return Err(PyValueError::new_err(format!(
            "apart is {apart}; give the number of hops, which is below 2**32"
        )));
    };
    Ok(TravelFloor { contenders, apart, gap, rate, first, last }.regret())
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
