//! One run of a team, step by step, for animations and closer inspection.

use crate::errors::of_lab;
use crate::study::{Study, check_agent, watched};
use crate::trace::check_visits;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// One run of a team: one row per step, one column per walker.
#[pyclass(frozen, get_all, module = "graph_bandit._core")]
pub(crate) struct TeamTrace {
    /// The number of the node of every walker; the one it left last if it is on a road.
    nodes: Py<PyArray2<i64>>,
    /// What every walker drew; NaN on a road.
    draws: Py<PyArray2<f64>>,
    /// Every walker's part of what the team got.
    rewards: Py<PyArray2<f64>>,
    /// What the team got in every step, in expectation.
    expected: Py<PyArray1<f64>>,
    /// For every step, what the best static allocation of that step earns, in expectation.
    best: Py<PyArray1<f64>>,
    /// For every walker, the steps made when each of its legs began.
    legs: Vec<Py<PyArray1<i64>>>,
    /// The steps until every node had a draw.
    cover_steps: usize,
    /// The steps before the first one that counts.
    began: usize,
    /// The mean rewards of the run's world, by node number; if they change, those at the start.
    means: Py<PyArray1<f64>>,
    /// What the best static allocation earns per step under these means.
    optimum: f64,
}

/// Makes one run of one agent of a study of teams and records it.
#[pyfunction]
pub(crate) fn team_trace(
    py: Python<'_>,
    study: &Study,
    agent: usize,
    run: u64,
) -> PyResult<TeamTrace> {
    let study = &study.study;
    let entrant = check_agent(study, agent)?;
    let walkers = study.several().map_or(1, |team| team.walkers);
    check_visits(study.plan.steps.saturating_mul(walkers as u64))?;
    let made = watched(py, |_| Ok(()), |stop| study.record_team(entrant, run, stop))?;
    let recorded = made.map_err(|error| of_lab(&error))?;
    let shape = [recorded.steps(), walkers];
    let numbers: Vec<i64> = recorded.nodes.iter().map(|&node| i64::from(node)).collect();
    let legs = |legs: Vec<usize>| {
        let legs: Vec<i64> = legs.into_iter().map(|step| step as i64).collect();
        legs.into_pyarray(py).unbind()
    };
    Ok(TeamTrace {
        nodes: numbers.into_pyarray(py).reshape(shape)?.unbind(),
        draws: recorded.draws.into_pyarray(py).reshape(shape)?.unbind(),
        rewards: recorded.rewards.into_pyarray(py).reshape(shape)?.unbind(),
        expected: recorded.expected.into_pyarray(py).unbind(),
        best: recorded.best.into_pyarray(py).unbind(),
        legs: recorded.legs.into_iter().map(legs).collect(),
        cover_steps: recorded.cover_steps,
        began: recorded.began,
        means: recorded.means.into_pyarray(py).unbind(),
        optimum: recorded.optimum,
    })
}
