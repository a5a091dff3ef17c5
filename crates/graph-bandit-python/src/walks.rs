//! Many walks directed from outside: the basis of the Gymnasium environments.
//!
//! Walk number `k` after a seed is given is run `k` of that seed's study, with the same world and
//! the same tape. A walk directed by hand and a run of an agent thus collect the same rewards.

use crate::errors::{UnknownNodeError, of_lab, of_leg};
use crate::study::Study;
use crate::walk::{Step, Walk};
use graph_bandit::{NodeId, Seed};
use graph_bandit_lab::{LabError, Study as LabStudy};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// The most nodes that all walks together may remember: about four gigabytes.
const MOST_NODES: usize = 1 << 26;

/// One walker: the seed of its study, its next run and its current walk.
#[derive(Clone, Default)]
struct Walker {
    seed: Option<u64>,
    next_run: u64,
    walk: Option<Walk>,
}

impl Walker {
    /// Begins run 0 of the seed's study, or the next run of the current study.
    fn begin(&mut self, study: &mut LabStudy, seed: Option<u64>) -> Result<(), LabError> {
        if let Some(seed) = seed {
            (self.seed, self.next_run) = (Some(seed), 0);
        }
        study.seed = Seed(self.seed.unwrap_or_default());
        let run = self.next_run;
        self.walk = Some(Walk::new(study, run)?);
        self.next_run += 1;
        Ok(())
    }
}

/// Walkers of one study, each in its own world, that go where they are sent.
#[pyclass(module = "graph_bandit._core")]
pub(crate) struct Walks {
    study: LabStudy,
    walkers: Vec<Walker>,
}

/// One step of every walker: nodes, rewards, which walks are over, which actions were illegal,
/// expected regret, and the time that has passed.
type Steps<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
);

#[pymethods]
impl Walks {
    /// This many walkers in worlds of the study, without its agents.
    #[new]
    fn new(study: &Study, walkers: usize) -> PyResult<Self> {
        if walkers == 0 {
            return Err(PyValueError::new_err("there are 0 walkers; give at least 1"));
        }
        let nodes = study.study.graph.len();
        if walkers.saturating_mul(nodes) > MOST_NODES {
            return Err(PyValueError::new_err(format!(
                "{walkers} walks on {nodes} nodes are more than memory holds; ask for at most {}",
                MOST_NODES / nodes
            )));
        }
        Ok(Self { study: study.study.clone(), walkers: vec![Walker::default(); walkers] })
    }

    fn __len__(&self) -> usize {
        self.walkers.len()
    }

    /// An independent copy.
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        Self { study: self.study.clone(), walkers: self.walkers.clone() }
    }

    /// Restarts the walks of all walkers, or of the `chosen` ones. A walker with a seed begins run
    /// 0 of that seed's study; a walker without a seed begins the next run of its current study.
    #[pyo3(signature = (seeds, chosen=None))]
    fn reset(
        &mut self,
        py: Python<'_>,
        seeds: Vec<Option<u64>>,
        chosen: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<()> {
        self.check_one_each("seeds", seeds.len())?;
        let chosen = chosen.map(|chosen| chosen.as_array().to_vec());
        if let Some(chosen) = &chosen {
            self.check_one_each("choices", chosen.len())?;
        }
        let Self { study, walkers, .. } = self;
        py.detach(|| -> Result<(), LabError> {
            for (i, (walker, seed)) in walkers.iter_mut().zip(seeds).enumerate() {
                if chosen.as_ref().is_none_or(|chosen| chosen[i]) {
                    walker.begin(study, seed)?;
                }
            }
            Ok(())
        })
        .map_err(|error| of_lab(&error))
    }

    /// One step of every walker to the given node numbers. A walker whose walk was over begins its
    /// next one instead, wherever it was sent, and gets no reward.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: &Bound<'py, PyArray1<i64>>,
    ) -> PyResult<Steps<'py>> {
        let actions = actions.readonly();
        let actions = actions.as_array();
        self.check_one_each("actions", actions.len())?;
        let targets: Vec<NodeId> =
            actions.iter().map(|&action| self.target(action)).collect::<PyResult<_>>()?;
        let horizon = self.study.plan.steps;
        let Self { study, walkers, .. } = self;
        let steps = py.detach(|| -> PyResult<Vec<Step>> {
            let mut steps = Vec::with_capacity(targets.len());
            for (walker, &to) in walkers.iter_mut().zip(&targets) {
                let walk = walker.walk.as_mut().ok_or_else(not_begun)?;
                if walk.is_over(horizon) {
                    walker.begin(study, None).map_err(|error| of_lab(&error))?;
                    steps.push(Step { node: study.plan.start, ..Step::default() });
                } else {
                    steps.push(walk.step(to, horizon).map_err(|error| of_leg(&error))?);
                }
            }
            Ok(steps)
        });
        let steps = self.or_restart_all(steps)?;
        let nodes = steps.iter().map(|step| i64::from(step.node)).collect::<Vec<_>>();
        let rewards = steps.iter().map(|step| step.reward).collect::<Vec<_>>();
        let over = steps.iter().map(|step| step.is_over).collect::<Vec<_>>();
        let illegal = steps.iter().map(|step| step.is_illegal).collect::<Vec<_>>();
        let regret = steps.iter().map(|step| step.regret).collect::<Vec<_>>();
        let times = steps.iter().map(|step| step.time).collect::<Vec<_>>();
        Ok((
            nodes.into_pyarray(py),
            rewards.into_pyarray(py),
            over.into_pyarray(py),
            illegal.into_pyarray(py),
            regret.into_pyarray(py),
            times.into_pyarray(py),
        ))
    }

    /// One step of the only walker: node, reward, whether the walk is over, whether the action was
    /// illegal, expected regret, and the time that has passed.
    fn step_one(
        &mut self,
        py: Python<'_>,
        action: i64,
    ) -> PyResult<(NodeId, f64, bool, bool, f64, f64)> {
        let to = self.target(action)?;
        let horizon = self.study.plan.steps;
        let walk = self.walkers[0].walk.as_mut().ok_or_else(not_begun)?;
        if walk.is_over(horizon) {
            return Err(PyRuntimeError::new_err(format!(
                "the walk of {horizon} steps is over; begin another with reset()"
            )));
        }
        // Rewards from the user's function acquire Python themselves.
        let step = py.detach(|| walk.step(to, horizon).map_err(|error| of_leg(&error)));
        let step = self.or_restart_all(step)?;
        Ok((step.node, step.reward, step.is_over, step.is_illegal, step.regret, step.time))
    }

    /// The nodes of the walkers, by number.
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let nodes = self.walks().map(|walk| walk.map(|walk| i64::from(walk.trajectory.at())));
        Ok(nodes.collect::<PyResult<Vec<_>>>()?.into_pyarray(py))
    }

    /// Expected regret of the walks so far.
    fn regret<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let regret = self.walks().map(|walk| walk.map(|walk| walk.regret));
        Ok(regret.collect::<PyResult<Vec<_>>>()?.into_pyarray(py))
    }

    /// The time that has passed on the walks, in units of one visit.
    fn times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let horizon = self.study.plan.steps;
        let times = self.walks().map(|walk| walk.map(|walk| walk.time(horizon)));
        Ok(times.collect::<PyResult<Vec<_>>>()?.into_pyarray(py))
    }

    /// Where one step leads each walker: 1 for its node and the neighbours it can reach, else 0; a
    /// road that is closed now also gives 0. One row per walker, one column per node.
    fn masks<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let nodes = self.study.graph.len();
        let mut masks = vec![0_i8; self.walkers.len() * nodes];
        for (row, walker) in masks.chunks_exact_mut(nodes).zip(&mut self.walkers) {
            let walk = walker.walk.as_mut().ok_or_else(not_begun)?;
            for node in walk.steps() {
                row[node as usize] = 1;
            }
        }
        masks.into_pyarray(py).reshape([self.walkers.len(), nodes])
    }

    /// The number of each walker's visits to each node, and the average reward there (0 without
    /// visits). One row per walker, one column per node.
    #[expect(clippy::type_complexity, reason = "two arrays of the same shape")]
    fn estimates<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray2<i64>>, Bound<'py, PyArray2<f64>>)> {
        let shape = [self.walkers.len(), self.study.graph.len()];
        let mut visits = Vec::with_capacity(shape[0] * shape[1]);
        let mut means = Vec::with_capacity(shape[0] * shape[1]);
        for walk in self.walks() {
            let estimates = walk?.trajectory.estimates();
            visits.extend(estimates.samples().iter().map(|sample| sample.count.cast_signed()));
            // Infinite while there is no visit, which learners cannot handle.
            let finite = |mean: f64| if mean.is_finite() { mean } else { 0.0 };
            means.extend(estimates.all().iter().map(|estimate| finite(estimate.mean)));
        }
        Ok((visits.into_pyarray(py).reshape(shape)?, means.into_pyarray(py).reshape(shape)?))
    }

    /// The mean rewards of a walker's world, by node number.
    fn means<'py>(&self, py: Python<'py>, walker: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let last = self.walkers.len() - 1;
        let walk = self.walks().nth(walker).ok_or_else(|| {
            PyValueError::new_err(format!(
                "there is no walker {walker}; the walkers are 0 to {last}"
            ))
        })??;
        Ok(walk.world().means().to_vec().into_pyarray(py))
    }
}

impl Walks {
    /// If a step failed, some walks have made it and some have not, so all must restart.
    fn or_restart_all<T>(&mut self, made: PyResult<T>) -> PyResult<T> {
        if made.is_err() {
            self.walkers.iter_mut().for_each(|walker| walker.walk = None);
        }
        made
    }

    fn walks(&self) -> impl Iterator<Item = PyResult<&Walk>> {
        self.walkers.iter().map(|walker| walker.walk.as_ref().ok_or_else(not_begun))
    }

    fn target(&self, action: i64) -> PyResult<NodeId> {
        let nodes = self.study.graph.len();
        let node = usize::try_from(action).ok().filter(|&node| node < nodes);
        node.map(|node| node as NodeId).ok_or_else(|| {
            UnknownNodeError::new_err(format!(
                "there is no node number {action}; actions are the numbers 0 to {}",
                nodes - 1
            ))
        })
    }

    fn check_one_each(&self, what: &str, given: usize) -> PyResult<()> {
        let walkers = self.walkers.len();
        if given == walkers {
            return Ok(());
        }
        Err(PyValueError::new_err(format!(
            "{given} {what} for {walkers} walkers; give exactly one per walker"
        )))
    }
}

fn not_begun() -> PyErr {
    PyRuntimeError::new_err("no walk has begun yet; call reset() first")
}
