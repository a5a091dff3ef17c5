//! Studies from Python: many runs on all cores while Python stays responsive.

use crate::errors::{of_lab, of_study, value_error};
use crate::graph::Graph;
use crate::labels::Labels;
use crate::own_agent::own_entrant;
use crate::own_rewards::Drawer;
use crate::registry::{named, window};
use crate::road_changes::{ClosuresArgument, road_changes};
use crate::team::{TeamArgument, check_walkers, entrant_of, team_of};
use graph_bandit::run::RegretFrom;
use graph_bandit::{RunPlan, Seed};
use graph_bandit_lab::study::check_memory;
use graph_bandit_lab::{
    ChangesTable, Entrant, FoundBest, Jobs, MeansSource, MeansTable, NoiseSource, RunOutcome,
    Study as LabStudy, Task, TeamStudy, Watch,
};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The most checkpoints of a run.
const MOST_CHECKPOINTS: u64 = 1_000_000;

/// How often signals and progress are checked.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The arguments of a study, as Python keyword arguments.
#[derive(FromPyObject)]
struct Setting<'py> {
    graph: Bound<'py, Graph>,
    agents: Vec<Contender>,
    preset: String,
    means: MeansArgument<'py>,
    noise: NoiseArgument,
    steps: u64,
    runs: u64,
    seed: u64,
    start: Option<Bound<'py, PyAny>>,
    init: String,
    back: String,
    window: String,
    tape: String,
    against: String,
    checkpoints: CheckpointsArgument,
    closures: Option<ClosuresArgument<'py>>,
    travel_noise: Option<f64>,
    team: Option<TeamArgument<'py>>,
    regret_from: Option<String>,
}

/// An agent by its text, or a label and a function that makes a fresh agent.
#[derive(FromPyObject)]
enum Contender {
    Named(String),
    Own(String, Py<PyAny>),
}

/// Means by their text, the rows of a table, or rows that hold one after the other.
#[derive(FromPyObject)]
enum MeansArgument<'py> {
    Text(String),
    Rows(PyReadonlyArray2<'py, f64>),
    /// From when each row holds, and the rows.
    Changes(PyReadonlyArray1<'py, f64>, PyReadonlyArray2<'py, f64>),
}

/// Noise by its text, or a function that draws rewards, and their scale.
#[derive(FromPyObject)]
enum NoiseArgument {
    Text(String),
    Own(Py<PyAny>, f64),
}

/// The number of checkpoints, or their steps.
#[derive(FromPyObject)]
enum CheckpointsArgument {
    Count(u64),
    At(Vec<u64>),
}

/// Some agents, many runs, one graph.
#[pyclass(frozen, module = "graph_bandit._core")]
pub(crate) struct Study {
    pub(crate) study: LabStudy,
    labels: Arc<Labels>,
}

/// The records of runs: one row for every run, one column for every checkpoint.
#[pyclass(frozen, get_all, module = "graph_bandit._core")]
pub(crate) struct Runs {
    regret: Py<PyArray2<f64>>,
    realized_regret: Py<PyArray2<f64>>,
    reward: Py<PyArray2<f64>>,
    legs: Py<PyArray2<i64>>,
    destination: Py<PyArray2<i64>>,
    init_steps: Py<PyArray1<i64>>,
    init_regret: Py<PyArray1<f64>>,
    init_travel: Py<PyArray1<f64>>,
    seconds: Py<PyArray1<f64>>,
    best_node: Py<PyArray1<i64>>,
    best_estimate: Py<PyArray1<f64>>,
    best_radius: Py<PyArray1<f64>>,
    best_settled: Py<PyArray1<bool>>,
    best_right: Py<PyArray1<bool>>,
}

#[pymethods]
impl Study {
    #[new]
    fn new(py: Python<'_>, setting: Setting<'_>) -> PyResult<Self> {
        let preset = named("preset", &setting.preset)?;
        let graph = setting.graph.get();
        let own_graph = setting.graph.clone().unbind();
        let team = setting.team.as_ref().map(|team| team_of(graph, team)).transpose()?;
        let agents = setting
            .agents
            .into_iter()
            .map(|contender| match contender {
                Contender::Named(text) => entrant_of(&text, preset, team.as_ref()),
                Contender::Own(label, make) => {
                    Ok(own_entrant(label, make, own_graph.clone_ref(py)))
                }
            })
            .collect::<PyResult<_>>()?;
        let means = match &setting.means {
            MeansArgument::Text(text) => {
                let names = graph.labels.texts(py)?;
                MeansSource::parse(text, Path::new(""))
                    .and_then(|means| means.in_order_of(names.as_deref(), graph.core.len()))
                    .map_err(|error| of_lab(&error))?
            }
            MeansArgument::Rows(rows) => {
                let rows = rows.as_array();
                if rows.nrows() == 0 {
                    return Err(PyValueError::new_err("means has no rows; give at least one"));
                }
                let rows = rows.rows().into_iter().map(|row| row.to_vec()).collect();
                MeansSource::Table(MeansTable::new(rows))
            }
            MeansArgument::Changes(from, rows) => {
                let rows = rows.as_array();
                let rows = rows.rows().into_iter().map(|row| row.to_vec());
                let from = from.as_array();
                MeansSource::Changes(ChangesTable::new(from.iter().copied().zip(rows).collect()))
            }
        };
        let noise = match setting.noise {
            NoiseArgument::Text(text) => text
                .parse::<NoiseSource>()
                .map_err(|error| value_error(format!("noise: {error}")))?,
            NoiseArgument::Own(draw, scale) => Drawer { draw, scale }.into_noise("own"),
        };
        let mut plan = RunPlan::new(setting.steps, 1);
        plan.start = setting.start.map_or(Ok(0), |label| graph.labels.number(&label))?;
        plan.init = named("init", &setting.init)?;
        plan.back = named("return", &setting.back)?;
        plan.tape = named("tape", &setting.tape)?;
        plan.against = named("against", &setting.against)?;
        let usual = team.as_ref().map_or(RegretFrom::Cover, TeamStudy::usual_regret_from);
        let regret_from = setting.regret_from.as_deref().map(|text| named("regret_from", text));
        plan.regret_from = regret_from.transpose()?.unwrap_or(usual);
        plan.checkpoints = match setting.checkpoints {
            CheckpointsArgument::Count(count) if count <= MOST_CHECKPOINTS => {
                RunPlan::new(setting.steps, count).checkpoints
            }
            CheckpointsArgument::Count(count) => {
                return Err(PyValueError::new_err(format!(
                    "checkpoints is {count}; give at most {MOST_CHECKPOINTS}"
                )));
            }
            CheckpointsArgument::At(steps) => steps,
        };
        check_checkpoints(&plan)?;
        let study = LabStudy {
            graph: graph.in_preset(preset),
            agents,
            preset,
            means,
            noise,
            plan,
            window: window(&setting.window)?,
            roads: road_changes(graph, setting.closures, setting.travel_noise)?,
            team,
            runs: setting.runs,
            seed: Seed(setting.seed),
        };
        if let Some(team) = &study.team {
            check_walkers(py, graph, team, study.run_seed(0))?;
        }
        study.check().map_err(|error| of_study(py, &graph.labels, &error))?;
        let (agents, points) = (study.agents.len() as u64, study.plan.checkpoints.len() as u64);
        check_memory(study.runs, agents, points).map_err(|error| of_lab(&error))?;
        Ok(Self { study, labels: Arc::clone(&graph.labels) })
    }

    /// What is probably not as meant: agents that expect less noise than there is, tapes that change
    /// nothing, horizons that are missing or too short.
    fn warnings(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| graph_bandit_lab::warnings(std::slice::from_ref(&self.study)))
    }

    /// The names of the agents.
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.study.agents.iter().map(|agent| agent.label(self.study.preset)).collect()
    }

    /// The steps at which runs are measured.
    #[getter]
    fn checkpoints<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let steps = self.study.plan.checkpoints.iter().map(|&t| t as i64);
        steps.collect::<Vec<_>>().into_pyarray(py)
    }

    /// The mean rewards of a run, by node number; at its start if they change.
    fn means<'py>(&self, py: Python<'py>, run: u64) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let world = py.detach(|| self.study.world(run)).map_err(|error| of_lab(&error))?;
        Ok(world.means().to_vec().into_pyarray(py))
    }

    /// What the best static allocation of the team earns per step in a run.
    fn optimum(&self, py: Python<'_>, run: u64) -> PyResult<f64> {
        let found = py.detach(|| self.study.optimum(run));
        found.map_err(|error| of_study(py, &self.labels, &error))
    }

    /// Makes runs; a task is the number of an agent and the number of a run. `progress` is called
    /// from time to time with the number of runs made.
    #[pyo3(signature = (tasks, jobs=None, progress=None))]
    fn run(
        &self,
        py: Python<'_>,
        tasks: Vec<(usize, u64)>,
        jobs: Option<u16>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Runs> {
        if let Some(&(agent, _)) = tasks.iter().find(|(agent, _)| *agent >= self.study.agents.len())
        {
            return Err(PyValueError::new_err(format!("there is no agent number {agent}")));
        }
        if jobs == Some(0) {
            return Err(PyValueError::new_err("n_jobs is 0; give at least 1"));
        }
        let tasks: Vec<Task> = tasks.into_iter().map(|(agent, run)| Task { agent, run }).collect();
        let done = AtomicU64::new(0);
        let tick = || {
            done.fetch_add(1, Ordering::Relaxed);
        };
        let report = |py: Python<'_>| report(py, progress.as_ref(), done.load(Ordering::Relaxed));
        let made = watched(py, report, |stop| {
            let watch = Watch { tick: &tick, stop };
            self.study.execute_tasks(&tasks, Jobs::from_flag(jobs), watch)
        })?;
        let made = made.map_err(|error| of_study(py, &self.labels, &error))?;
        Runs::of(py, &made, self.study.plan.checkpoints.len())
    }
}

/// Works on another thread while this one handles signals and reports progress. If one of these
/// raises, the work is stopped and the exception raised, whatever the work returned.
pub(crate) fn watched<R: Send>(
    py: Python<'_>,
    report: impl Fn(Python<'_>) -> PyResult<()> + Sync,
    work: impl FnOnce(&AtomicBool) -> R + Send,
) -> PyResult<R> {
    let stop = AtomicBool::new(false);
    let (made, raised) = py.detach(|| {
        let (finished, wait) = channel();
        std::thread::scope(|scope| {
            let working = scope.spawn(|| {
                let made = work(&stop);
                // Sending fails only if this thread no longer wants the result.
                let _ = finished.send(());
                made
            });
            let mut raised = None;
            while !working.is_finished() {
                if wait.recv_timeout(LOOK_EVERY) != Err(RecvTimeoutError::Timeout) {
                    break;
                }
                let looked = Python::attach(|py| {
                    py.check_signals()?;
                    report(py)
                });
                if let Err(error) = looked {
                    stop.store(true, Ordering::Relaxed);
                    raised = Some(error);
                    break;
                }
            }
            (working.join(), raised)
        })
    });
    if let Some(error) = raised {
        return Err(error);
    }
    report(py)?;
    made.map_err(|_| PyRuntimeError::new_err("a run panicked, which is a bug of graph-bandit"))
}

/// Checks that there are checkpoints, in order and in range.
fn check_checkpoints(plan: &RunPlan) -> PyResult<()> {
    if plan.checkpoints.is_empty() {
        return Err(PyValueError::new_err("checkpoints is empty; give at least one"));
    }
    let mut after = 0;
    for &t in &plan.checkpoints {
        if t <= after || t > plan.steps {
            return Err(PyValueError::new_err(format!(
                "checkpoints: {t} must be above {after} and at most {}",
                plan.steps
            )));
        }
        after = t;
    }
    Ok(())
}

fn report(py: Python<'_>, progress: Option<&Py<PyAny>>, done: u64) -> PyResult<()> {
    progress.map_or(Ok(()), |progress| progress.call1(py, (done,)).map(|_| ()))
}

impl Runs {
    fn of(py: Python<'_>, runs: &[RunOutcome], checkpoints: usize) -> PyResult<Self> {
        let rows = runs.len();
        let points = || runs.iter().flat_map(|run| &run.checkpoints);
        let floats = |values: Vec<f64>| -> PyResult<Py<PyArray2<f64>>> {
            Ok(values.into_pyarray(py).reshape([rows, checkpoints])?.unbind())
        };
        let counts = |values: Vec<i64>| -> PyResult<Py<PyArray2<i64>>> {
            Ok(values.into_pyarray(py).reshape([rows, checkpoints])?.unbind())
        };
        let of_run = |values: Vec<f64>| values.into_pyarray(py).unbind();
        let of_best = |number: &dyn Fn(&FoundBest) -> f64| {
            of_run(runs.iter().map(|run| run.best.as_ref().map_or(f64::NAN, number)).collect())
        };
        let whether = |holds: &dyn Fn(&FoundBest) -> bool| {
            let holds: Vec<bool> =
                runs.iter().map(|run| run.best.as_ref().is_some_and(holds)).collect();
            holds.into_pyarray(py).unbind()
        };
        Ok(Self {
            regret: floats(points().map(|point| point.regret).collect())?,
            realized_regret: floats(points().map(|point| point.realized_regret).collect())?,
            reward: floats(points().map(|point| point.reward).collect())?,
            legs: counts(points().map(|point| point.legs as i64).collect())?,
            destination: counts(points().map(|point| i64::from(point.destination)).collect())?,
            init_steps: runs
                .iter()
                .map(|run| run.init.steps as i64)
                .collect::<Vec<_>>()
                .into_pyarray(py)
                .unbind(),
            init_regret: of_run(runs.iter().map(|run| run.init.regret).collect()),
            init_travel: of_run(runs.iter().map(|run| run.init.travel).collect()),
            seconds: of_run(runs.iter().map(|run| run.elapsed.as_secs_f64()).collect()),
            best_node: runs
                .iter()
                .map(|run| run.best.map_or(-1, |found| i64::from(found.best.node.node)))
                .collect::<Vec<_>>()
                .into_pyarray(py)
                .unbind(),
            best_estimate: of_best(&|found| found.best.node.mean),
            best_radius: of_best(&|found| found.best.node.radius),
            best_settled: whether(&|found| found.best.is_settled()),
            best_right: whether(&|found| found.is_true),
        })
    }
}

/// The agent of this number.
pub(crate) fn check_agent(study: &LabStudy, agent: usize) -> PyResult<&Entrant> {
    study
        .agents
        .get(agent)
        .ok_or_else(|| PyValueError::new_err(format!("there is no agent number {agent}")))
}
