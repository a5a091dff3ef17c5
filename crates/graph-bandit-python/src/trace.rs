//! One run, visit by visit, for animations and closer inspection.

use crate::errors::of_lab;
use crate::study::{Study, check_agent, watched};
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The most visits that are recorded.
const MOST_VISITS: u64 = 100_000_000;

/// One run, visit by visit.
#[pyclass(frozen, get_all, module = "graph_bandit._core")]
pub(crate) struct Trace {
    /// The number of the node of every visit, initialization included.
    nodes: Py<PyArray1<i64>>,
    /// The reward of every visit.
    rewards: Py<PyArray1<f64>>,
    /// When every visit ended, in units of one visit since the walker started.
    times: Py<PyArray1<f64>>,
    /// The first visit of every leg.
    legs: Py<PyArray1<i64>>,
    /// The number of visits of initialization.
    init_steps: u64,
    /// The mean rewards of the run's world, by node number.
    means: Py<PyArray1<f64>>,
}

/// Makes one run of one agent of a study and records it.
#[pyfunction]
pub(crate) fn trace(py: Python<'_>, study: &Study, agent: usize, run: u64) -> PyResult<Trace> {
    let study = &study.study;
    let entrant = check_agent(study, agent)?;
    check_visits(study.plan.steps)?;
    let made = watched(py, |_| Ok(()), |stop| study.record(entrant, run, stop))?;
    let recorded = made.map_err(|error| of_lab(&error))?;
    let nodes: Vec<i64> = recorded.nodes.iter().map(|&node| i64::from(node)).collect();
    let legs: Vec<i64> = recorded.legs.iter().map(|&visit| visit as i64).collect();
    Ok(Trace {
        nodes: nodes.into_pyarray(py).unbind(),
        rewards: recorded.rewards.into_pyarray(py).unbind(),
        times: recorded.times.into_pyarray(py).unbind(),
        legs: legs.into_pyarray(py).unbind(),
        init_steps: recorded.init_visits as u64,
        means: recorded.means.into_pyarray(py).unbind(),
    })
}

/// Refuses runs with too many visits to record.
pub(crate) fn check_visits(visits: u64) -> PyResult<()> {
    if visits > MOST_VISITS {
        return Err(PyValueError::new_err(format!(
            "{visits} steps are too many to record; the limit is {MOST_VISITS}"
        )));
    }
    Ok(())
}
