//! Runs of a team directed from outside: the basis of the environment for `PettingZoo`.
//!
//! Walk number `k` after a seed is given is run `k` of that seed's study, with the same world, the
//! same starts and the same tape.

use crate::errors::{UnknownNodeError, of_lab, of_team};
use crate::study::Study;
use crate::team_walk::TeamWalk;
use graph_bandit::team::Post;
use graph_bandit::{NodeId, Seed};
use graph_bandit_lab::Study as LabStudy;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// The team of a study, whose walkers go where they are sent.
#[pyclass(module = "graph_bandit._core")]
pub(crate) struct TeamWalks {
    study: LabStudy,
    next_run: u64,
    walk: Option<TeamWalk>,
}

#[pymethods]
impl TeamWalks {
    /// The team of the study, without its agents.
    #[new]
    fn new(study: &Study) -> PyResult<Self> {
        if study.study.team.is_none() {
            return Err(PyValueError::new_err("the study has no team; give walkers"));
        }
        Ok(Self { study: study.study.clone(), next_run: 0, walk: None })
    }

    /// An independent copy.
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        Self { study: self.study.clone(), next_run: self.next_run, walk: self.walk.clone() }
    }

    /// Begins run 0 of the seed's study, or the next run of the current study.
    #[pyo3(signature = (seed=None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        if let Some(seed) = seed {
            (self.study.seed, self.next_run) = (Seed(seed), 0);
        }
        let walk = py.detach(|| TeamWalk::new(&self.study, self.next_run));
        self.walk = Some(walk.map_err(|error| of_lab(&error))?);
        self.next_run += 1;
        Ok(())
    }

    /// One step of all walkers to the given node numbers: the reward of each, and whether its order
    /// was illegal.
    #[expect(clippy::type_complexity, reason = "two arrays of the same shape")]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: Vec<i64>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<bool>>)> {
        let targets: Vec<NodeId> =
            actions.iter().map(|&action| self.target(action)).collect::<PyResult<_>>()?;
        let horizon = self.study.plan.steps;
        let walk = self.walk.as_mut().ok_or_else(not_begun)?;
        let walkers = walk.team().posts().len();
        if targets.len() != walkers {
            return Err(PyValueError::new_err(format!(
                "{} actions for {walkers} walkers; give exactly one per walker",
                targets.len()
            )));
        }
        if walk.team().step() >= horizon {
            return Err(PyRuntimeError::new_err(format!(
                "the run of {horizon} steps is over; begin another with reset()"
            )));
        }
        // Rewards from the user's function acquire Python themselves.
        match py.detach(|| walk.step(&targets)) {
            Ok(illegal) => Ok((walk.rewards().to_vec().into_pyarray(py), illegal.into_pyarray(py))),
            Err(error) => {
                // Some nodes have drawn and some have not, so the run must restart.
                self.walk = None;
                Err(of_team(&error))
            }
        }
    }

    /// The node of each walker, by number; on a road, the node that it left.
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let posts = self.walk()?.team().posts();
        Ok(posts.iter().map(|post| i64::from(post.at())).collect::<Vec<_>>().into_pyarray(py))
    }

    /// Whether each walker is on a road.
    fn on_road<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let posts = self.walk()?.team().posts();
        Ok(posts.iter().map(Post::is_on_road).collect::<Vec<_>>().into_pyarray(py))
    }

    /// How many walkers are on each node.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let mut counts = vec![0_i64; self.study.graph.len()];
        for post in self.walk()?.team().posts().iter().filter(|post| !post.is_on_road()) {
            counts[post.at() as usize] += 1;
        }
        Ok(counts.into_pyarray(py))
    }

    /// Where one step may send each walker: one row per walker, one column per node.
    fn masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let walk = self.walk()?;
        let (walkers, nodes) = (walk.team().posts().len(), self.study.graph.len());
        let mut masks = vec![0_i8; walkers * nodes];
        for (walker, row) in masks.chunks_exact_mut(nodes).enumerate() {
            for node in walk.targets(walker) {
                row[node as usize] = 1;
            }
        }
        masks.into_pyarray(py).reshape([walkers, nodes])
    }

    /// How often each node was drawn, and the average of its draws (0 without draws).
    #[expect(clippy::type_complexity, reason = "two arrays of the same shape")]
    fn estimates<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>)> {
        let estimates = self.walk()?.team().estimates();
        let visits = estimates.samples().iter().map(|sample| sample.count.cast_signed());
        // Infinite while there is no draw, which learners cannot handle.
        let finite = |mean: f64| if mean.is_finite() { mean } else { 0.0 };
        let means = estimates.all().iter().map(|estimate| finite(estimate.mean));
        let means: Vec<f64> = means.collect();
        Ok((visits.collect::<Vec<_>>().into_pyarray(py), means.into_pyarray(py)))
    }

    /// Expected regret of the run so far, against the best static allocation of every step.
    fn regret(&self) -> PyResult<f64> {
        Ok(self.walk()?.regret())
    }

    /// What the best static allocation earns in the next step.
    fn optimum(&self) -> PyResult<f64> {
        Ok(self.walk()?.optimum())
    }

    /// The number of steps of the run so far, and whether it is over.
    fn time(&self) -> PyResult<(u64, bool)> {
        let step = self.walk()?.team().step();
        Ok((step, step >= self.study.plan.steps))
    }

    /// The mean rewards of the run's world, by node number.
    fn means<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(self.walk()?.means().to_vec().into_pyarray(py))
    }
}

impl TeamWalks {
    fn walk(&self) -> PyResult<&TeamWalk> {
        self.walk.as_ref().ok_or_else(not_begun)
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
}

fn not_begun() -> PyErr {
    PyRuntimeError::new_err("no run has begun yet; call reset() first")
}
