//! One run, visit by visit: what animations and closer looks need.

use crate::errors::of_lab;
use crate::study::{Study, check_agent, watched};
use graph_bandit::{Event, Observer, Phase, Run, RunError, Situation, Status, TapeKind};
use graph_bandit_lab::LabError;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::atomic::Ordering;

/// The most visits that are written down.
const MOST_VISITS: u64 = 100_000_000;

/// One run, visit by visit.
#[pyclass(frozen, get_all, module = "graph_bandit._core")]
pub(crate) struct Trace {
    /// The number of the node of every visit, initialization included.
    nodes: Py<PyArray1<i64>>,
    /// What every visit paid.
    rewards: Py<PyArray1<f64>>,
    /// When every visit ended, in units of one visit since the walker set out.
    times: Py<PyArray1<f64>>,
    /// At which visit every leg begins.
    legs: Py<PyArray1<i64>>,
    /// How many visits initialization made.
    init_steps: u64,
    /// The mean rewards of the run's world, by node number.
    means: Py<PyArray1<f64>>,
}

/// Writes down every visit.
#[derive(Default)]
struct Scribe {
    nodes: Vec<i64>,
    rewards: Vec<f64>,
    times: Vec<f64>,
    legs: Vec<i64>,
    init_steps: usize,
}

impl Observer for Scribe {
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        match event {
            Event::Planned { phase: Phase::Learn, .. } => self.legs.push(self.nodes.len() as i64),
            Event::Visited(visit) => {
                self.nodes.push(i64::from(visit.node));
                self.rewards.push(visit.sample.sum);
                self.times.push(now.clock.now().0);
            }
            Event::Covered => self.init_steps = self.nodes.len(),
            Event::Planned { .. } | Event::SetOut { .. } | Event::Arrived | Event::Ended => {}
        }
    }

    fn patience(&self) -> u64 {
        1
    }
}

/// Makes one run of one agent of a study and writes it down.
#[pyfunction]
pub(crate) fn trace(py: Python<'_>, study: &Study, agent: usize, run: u64) -> PyResult<Trace> {
    let study = &study.study;
    let entrant = check_agent(study, agent)?;
    let plan = &study.plan;
    if plan.steps > MOST_VISITS {
        return Err(PyValueError::new_err(format!(
            "{} steps are too many to write down; the limit is {MOST_VISITS}",
            plan.steps
        )));
    }
    if plan.tape == TapeKind::Sums {
        return Err(PyValueError::new_err("a run is written down on tape \"one-by-one\" only"));
    }
    let made = watched(
        py,
        |_| Ok(()),
        |stop| {
            let (world, mut agent) = study.prepare(entrant, run)?;
            let failed = |error: RunError| study.failed(entrant, run, error.into_raised());
            let mut scribe = Scribe::default();
            let mut going =
                Run::new(&world, agent.as_mut(), plan, study.run_seed(run)).map_err(failed)?;
            while going.step(&mut scribe).map_err(failed)? == Status::Going {
                if stop.load(Ordering::Relaxed) {
                    return Err(LabError::Interrupted);
                }
            }
            Ok((world.means().to_vec(), scribe))
        },
    )?;
    let (means, scribe) = made.map_err(|error| of_lab(&error))?;
    Ok(Trace {
        nodes: scribe.nodes.into_pyarray(py).unbind(),
        rewards: scribe.rewards.into_pyarray(py).unbind(),
        times: scribe.times.into_pyarray(py).unbind(),
        legs: scribe.legs.into_pyarray(py).unbind(),
        init_steps: scribe.init_steps as u64,
        means: means.into_pyarray(py).unbind(),
    })
}
