//! Ask and tell from Python.

use crate::best_node::{BestNode, certainty};
use crate::errors::{of_change, of_leg, of_tell, value_error};
use crate::graph::{Graph, counted};
use crate::labels::Labels;
use crate::notes::{Notes, array};
use crate::registry::named;
use graph_bandit::{
    AgentSpec, AskTell, Edge, Graph as CoreGraph, Init, NodeId, Order, Origin, Paid, Phase, Preset,
    Seed, SessionPlan, SessionState, TellError,
};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyDict, PyTuple};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// From this many nodes on, other Python threads run during planning.
const LARGE: usize = 5_000;

/// A path to walk, and how many further visits to make at its end.
///
/// `ask` returns one, and your own agents return one.
#[pyclass(frozen, module = "graph_bandit", subclass)]
pub(crate) struct Leg {
    /// The nodes to enter, in order.
    #[pyo3(get)]
    pub(crate) path: Py<PyTuple>,
    /// Further visits at the end of the path.
    #[pyo3(get)]
    pub(crate) stay: u64,
    node: Option<Py<PyAny>>,
    /// `"cover"` during initialization, `"learn"` when the agent decides. In a team: `"cover"` if no reward of the
    /// leg's destination was known when the leg was planned, otherwise `"learn"`.
    #[pyo3(get)]
    phase: &'static str,
    /// The expected time of each step of the path, travel and visit together, in units of one visit. `None` for a leg
    /// of your own. Also `None` if no road runs one way or takes time (by the map or by reports), and no blocked edge
    /// is expected to reopen.
    #[pyo3(get)]
    times: Option<Py<PyTuple>>,
    /// When the first visit at the end of the path is expected to end, on the agent's clock, or on the walker's in a
    /// team. If the path is empty, this is the present time. `None` if `times` is.
    #[pyo3(get)]
    arrival: Option<f64>,
}

#[pymethods]
impl Leg {
    #[new]
    #[pyo3(signature = (path=None, stay=None))]
    fn new(
        py: Python<'_>,
        path: Option<&Bound<'_, PyAny>>,
        stay: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let whole = |stay: &Bound<'_, PyAny>| {
            stay.extract::<u64>().map_err(|_| {
                let text = stay.repr().map_or_else(|_| String::new(), |text| text.to_string());
                PyValueError::new_err(format!("stay is {text}; give a whole number of at least 0"))
            })
        };
        let stay = stay.map_or(Ok(0), whole)?;
        let path = match path {
            Some(path) => path.try_iter()?.collect::<PyResult<Vec<_>>>()?,
            None => Vec::new(),
        };
        let node = path.first().map(|node| node.clone().unbind());
        let path = PyTuple::new(py, path)?.unbind();
        Ok(Self { path, stay, node, phase: "learn", times: None, arrival: None })
    }

    /// The next node to enter; the current one if staying, but `None` in a leg of your own with an empty path.
    #[getter]
    fn node(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.node.as_ref().map(|node| node.clone_ref(py))
    }

    /// The number of rewards the leg collects.
    #[getter]
    fn visits(&self, py: Python<'_>) -> u64 {
        self.stay.saturating_add(self.path.bind(py).len() as u64)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        // Python's `len` cannot return more.
        self.visits(py).min(isize::MAX as u64) as usize
    }

    fn __getnewargs__(&self, py: Python<'_>) -> (Py<PyTuple>, u64) {
        (self.path.clone_ref(py), self.stay)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        let other = other.get();
        Ok(self.stay == other.stay && self.path.bind(py).eq(other.path.bind(py))?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.path.bind(py).hash()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Leg(path={}, stay={})", self.path.bind(py).repr()?, self.stay))
    }
}

impl Leg {
    /// What an order says, without times.
    pub(crate) fn of_order(py: Python<'_>, labels: &Labels, order: &Order) -> PyResult<Self> {
        Ok(Self {
            path: labels.tuple(py, &order.path)?.unbind(),
            stay: order.stay,
            node: Some(labels.label(py, order.node)?.unbind()),
            phase: match order.phase {
                Phase::Cover => "cover",
                Phase::Learn => "learn",
            },
            times: None,
            arrival: None,
        })
    }
}

impl Leg {
    /// The same leg with the expected times of its steps, if there are roads; `now` is the clock before them.
    pub(crate) fn timed(
        self,
        py: Python<'_>,
        (times, now): (Option<Vec<f64>>, f64),
    ) -> PyResult<Self> {
        let arrival = times.as_ref().map(|times| now + times.iter().sum::<f64>());
        let times = times.map(|times| PyTuple::new(py, times)).transpose()?;
        Ok(Self { times: times.map(Bound::unbind), arrival, ..self })
    }
}

/// The expected time of each step of an order, if there are roads.
fn times_of(graph: &CoreGraph, order: &Order) -> Option<Vec<f64>> {
    graph.roads()?;
    let begins = [order.at].into_iter().chain(order.path.iter().copied());
    let steps = begins.zip(&order.path);
    Some(steps.map(|(from, &to)| 1.0 + graph.travel(from, to).unwrap_or(0.0)).collect())
}

fn shown(object: &Bound<'_, PyAny>) -> String {
    object.repr().map_or_else(|_| String::new(), |text| text.to_string())
}

/// The rewards of a leg: several, or one.
fn rewards_of(rewards: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    match rewards.extract::<f64>() {
        Ok(reward) => Ok(vec![reward]),
        Err(_) => rewards.extract::<Vec<f64>>(),
    }
}

/// Rewards and the times of their steps.
fn timed(rewards: Vec<f64>, took: &Bound<'_, PyAny>) -> PyResult<Vec<Paid>> {
    let times = match took.extract::<f64>() {
        Ok(time) => vec![Some(time)],
        Err(_) => took.extract::<Vec<Option<f64>>>().map_err(|_| {
            PyTypeError::new_err(format!(
                "took is {}; give one number for each reward, and None for those not measured",
                shown(took)
            ))
        })?,
    };
    if times.len() != rewards.len() {
        return Err(PyValueError::new_err(format!(
            "took has {} numbers for {} rewards; give one for each, and None for those not measured",
            times.len(),
            rewards.len()
        )));
    }
    Ok(rewards.into_iter().zip(times).map(|(reward, took)| Paid { reward, took }).collect())
}

/// Notes a visit that the agent has just learned from.
fn note(notes: &mut Notes, session: &AskTell, node: NodeId) {
    notes.visited(node, session.clock().now().0, session.found_change());
}

/// Tells the rewards of the next visits of the leg.
fn tell_leg(session: &mut AskTell, notes: &mut Notes, rewards: &[f64]) -> Result<(), TellError> {
    if notes.are_taken() {
        let paid: Vec<Paid> = rewards.iter().map(|&reward| reward.into()).collect();
        return session.tell_leg_watched(&paid, |session, node| note(notes, session, node));
    }
    session.tell_leg(rewards)
}

/// A stored session, without its graph.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    agent: AgentSpec,
    preset: Preset,
    state: SessionState,
    /// The blocked edges.
    blocked: BTreeSet<Edge>,
    notes: Notes,
}

/// A session, and what it noted.
struct Noting {
    session: AskTell,
    notes: Notes,
}

/// An agent on a graph: ask it where to go, and tell it what it got.
///
/// `graph_bandit.agent` makes one.
#[pyclass(frozen, module = "graph_bandit", subclass, weakref)]
pub(crate) struct Session {
    noting: Mutex<Noting>,
    labels: Arc<Labels>,
    graph: Py<Graph>,
    pub(crate) spec: AgentSpec,
    preset: Preset,
}

impl Session {
    fn of(
        graph: &Bound<'_, Graph>,
        (session, stored): (AskTell, Option<Notes>),
        spec: AgentSpec,
        preset: Preset,
    ) -> PyResult<Self> {
        let clock = session.clock();
        let fresh = match spec.origin() {
            Origin::Changing => Notes::after(clock.visits(), session.graph().len()),
            _ => Notes::default(),
        };
        let notes = Notes::stored(stored, fresh, clock.now().0)?;
        Ok(Self {
            noting: Mutex::new(Noting { session, notes }),
            labels: Arc::clone(&graph.get().labels),
            graph: graph.clone().unbind(),
            spec,
            preset,
        })
    }

    /// Resumes a session that was dumped on this graph.
    fn resume(graph: &Bound<'_, Graph>, text: &str) -> PyResult<Self> {
        let stored: Stored = serde_json::from_str(text).map_err(value_error)?;
        let core = graph.get().in_preset(stored.preset);
        let agent = stored.agent.build(&core).map_err(value_error)?;
        let session = AskTell::resume_with(core, &stored.blocked, agent, stored.state);
        let session = session.map_err(value_error)?;
        Self::of(graph, (session, Some(stored.notes)), stored.agent, stored.preset)
    }

    fn number(&self, label: &Bound<'_, PyAny>) -> PyResult<NodeId> {
        self.labels.number(label)
    }

    /// Reads or changes the session. It is locked meanwhile, so `work` must not run Python code,
    /// which might call back here. Other Python threads run while one waits.
    pub(crate) fn with<R>(&self, py: Python<'_>, work: impl FnOnce(&mut AskTell) -> R) -> R {
        self.noted(py, |session, _| work(session))
    }

    /// As [`with`](Self::with), with the notes.
    fn noted<R>(&self, py: Python<'_>, work: impl FnOnce(&mut AskTell, &mut Notes) -> R) -> R {
        let mut noting = self.noting.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let Noting { session, notes } = &mut *noting;
        work(session, notes)
    }

    /// A tell; its refusal uses the user's node labels.
    fn told(
        &self,
        py: Python<'_>,
        tell: impl FnOnce(&mut AskTell, &mut Notes) -> Result<(), TellError>,
    ) -> PyResult<()> {
        self.noted(py, tell).map_err(|error| of_tell(py, &self.labels, &error))
    }

    /// The next order.
    fn order(&self, py: Python<'_>) -> PyResult<Order> {
        let order = self.with(py, |session| {
            let large = session.graph().len() >= LARGE;
            let kept = |session: &mut AskTell| session.ask().map(Order::kept);
            if large { py.detach(|| kept(session)) } else { kept(session) }
        });
        order.map_err(|error| of_leg(&error))
    }
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (
        graph, agent, start=None, seed=0, init="lowest", preset="paper", stored=None
    ))]
    fn new(
        graph: &Bound<'_, Graph>,
        agent: &str,
        start: Option<&Bound<'_, PyAny>>,
        seed: u64,
        init: &str,
        preset: &str,
        stored: Option<&str>,
    ) -> PyResult<Self> {
        if let Some(text) = stored {
            return Self::resume(graph, text);
        }
        let preset: Preset = named("preset", preset)?;
        let init: Init = named("init", init)?;
        let spec = AgentSpec::parse(agent, preset).map_err(value_error)?;
        let this = graph.get();
        let start = start.map_or(Ok(0), |label| this.labels.number(label))?;
        let core = this.in_preset(preset);
        let built = spec.build_for_use(&core).map_err(value_error)?;
        let plan = SessionPlan { start, init, seed: Seed(seed) };
        let session = AskTell::new(core, built, plan).map_err(value_error)?;
        Self::of(graph, (session, None), spec, preset)
    }

    /// What to do next; the answer stays the same until you tell a visit, move the walker, drop the leg, or
    /// block or open an edge.
    fn ask(&self, py: Python<'_>) -> PyResult<Leg> {
        let order = self.order(py)?;
        let (times, now) =
            self.with(py, |session| (times_of(session.graph(), &order), session.clock().now().0));
        Leg::of_order(py, &self.labels, &order)?.timed(py, (times, now))
    }

    /// Reports that a visit to `node` paid `reward`. `node` may also be the leg that you asked for; `reward` then has
    /// the rewards of its visits, in order. `took` is how long the step took, travel and visit together, in units of
    /// one visit; the agent learns from it how long the road takes. For a leg it has one number for each reward,
    /// and `None` for those not measured.
    #[pyo3(signature = (node, reward, took=None))]
    fn tell(
        &self,
        py: Python<'_>,
        node: &Bound<'_, PyAny>,
        reward: &Bound<'_, PyAny>,
        took: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        if let Ok(leg) = node.cast::<Leg>() {
            let order = self.order(py)?;
            let same_path = leg.get().path.bind(py).eq(self.labels.tuple(py, &order.path)?)?;
            if !same_path || leg.get().stay != order.stay {
                return Err(PyValueError::new_err(
                    "this leg is not the one that you asked for last; ask again",
                ));
            }
            return self.tell_leg(py, reward, took);
        }
        let node = self.number(node)?;
        let reward = reward.extract::<f64>().map_err(|_| {
            PyTypeError::new_err(format!(
                "reward {} is not a number; tell several rewards together with their leg",
                reward.repr().map_or_else(|_| String::new(), |text| text.to_string())
            ))
        })?;
        let number = |took: &Bound<'_, PyAny>| {
            took.extract::<f64>().map_err(|_| {
                PyTypeError::new_err(format!(
                    "took {} is not a number; tell the times of several visits together with their leg",
                    shown(took)
                ))
            })
        };
        let took = took.map(number).transpose()?;
        self.told(py, |session, notes| {
            session.tell(node, Paid { reward, took })?;
            note(notes, session, node);
            Ok(())
        })
    }

    /// Reports the rewards of the next visits of the leg that you asked for, in order. `took` has one number for
    /// each: how long its step took, or `None` if not measured.
    #[pyo3(signature = (rewards, took=None))]
    fn tell_leg(
        &self,
        py: Python<'_>,
        rewards: &Bound<'_, PyAny>,
        took: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        if let Some(took) = took {
            let paid = timed(rewards_of(rewards)?, took)?;
            return self.told(py, |session, notes| {
                if notes.are_taken() {
                    return session
                        .tell_leg_watched(&paid, |session, node| note(notes, session, node));
                }
                session.tell_leg_timed(&paid)
            });
        }
        if let Ok(array) = rewards.extract::<PyReadonlyArray1<'_, f64>>() {
            return if let Ok(rewards) = array.as_slice() {
                self.told(py, |session, notes| tell_leg(session, notes, rewards))
            } else {
                let rewards = array.as_array().to_vec();
                self.told(py, |session, notes| tell_leg(session, notes, &rewards))
            };
        }
        let rewards = rewards_of(rewards)?;
        self.told(py, |session, notes| tell_leg(session, notes, &rewards))
    }

    /// Reports that the walker is on `node` now, without a visit; no reward was collected.
    fn move_to(&self, py: Python<'_>, node: &Bound<'_, PyAny>) -> PyResult<()> {
        let node = self.number(node)?;
        self.told(py, |session, _| Ok(session.move_to(node)?))
    }

    /// Drops the leg; the next one is planned from where the walker is.
    fn abandon(&self, py: Python<'_>) {
        self.with(py, AskTell::abandon);
    }

    /// Reports that the leg failed; the walker is `at` (default: where it was last), and the next leg is
    /// planned from there.
    #[pyo3(signature = (*, at=None))]
    fn failed(&self, py: Python<'_>, at: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let at = at.map(|node| self.number(node)).transpose()?;
        self.with(py, AskTell::abandon);
        at.map_or(Ok(()), |node| self.told(py, |session, _| Ok(session.move_to(node)?)))
    }

    /// Reports a reward on `node` that came from elsewhere: another robot, or a sensor. The walker does not move, and
    /// its leg goes on.
    fn observe(&self, py: Python<'_>, node: &Bound<'_, PyAny>, reward: f64) -> PyResult<()> {
        let node = self.number(node)?;
        self.told(py, |session, notes| {
            session.observe(node, reward)?;
            notes.observed(node, session.clock().now().0);
            Ok(())
        })
    }

    /// Reports that the edge between `a` and `b` is blocked, or the road from `a` to `b`; the agent plans around it.
    /// Nodes that can no longer be reached are set aside until an edge opens. `reopening_rate` is the rate per unit
    /// of time at which you expect it to reopen: with 0.25, after 4 units on average. The agent waits if that is
    /// cheaper than the way around.
    #[pyo3(signature = (a, b, reopening_rate=None))]
    fn block(
        &self,
        py: Python<'_>,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        reopening_rate: Option<f64>,
    ) -> PyResult<()> {
        let edge = (self.number(a)?, self.number(b)?);
        let rate = reopening_rate.unwrap_or(0.0);
        let closed = self.with(py, |session| session.close_for_now(edge, rate));
        closed.map_err(|error| of_change(py, self.graph.get(), &error))
    }

    /// Reports that the edge between `a` and `b` is open again, or the road from `a` to `b`.
    fn open(&self, py: Python<'_>, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<()> {
        let edge = (self.number(a)?, self.number(b)?);
        let opened = self.with(py, |session| session.open(edge));
        opened.map_err(|error| of_change(py, self.graph.get(), &error))
    }

    /// The blocked edges; for roads, in the direction in which they run.
    #[getter]
    fn blocked<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let closed = self.with(py, |session| session.closed().into_owned());
        let edges = closed.into_iter().map(|(a, b)| self.labels.tuple(py, &[a, b]));
        PyTuple::new(py, edges.collect::<PyResult<Vec<_>>>()?)
    }

    /// The nodes that are unreachable now because edges are blocked.
    #[getter]
    fn set_aside<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let aside = self.with(py, |session| session.set_aside());
        self.labels.tuple(py, &aside)
    }

    /// The data behind `best`.
    fn _best<'py>(
        &self,
        py: Python<'py>,
        confidence: f64,
        noise_scale: Option<f64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let certainty = certainty(self.spec.noise_scale(), (confidence, noise_scale))?;
        let (best, aside) = self.with(py, |session| {
            let best = BestNode::of(certainty, &session.remembered(), session.estimates());
            (best, session.set_aside())
        });
        best.shown(py, |node| aside.binary_search(&node).is_ok())
    }

    /// The newest changes of rewards that the agent found: how many visits of its own it had made, and the number of
    /// the node.
    fn _changes(&self, py: Python<'_>) -> Vec<(u64, NodeId)> {
        self.noted(py, |_, notes| notes.changes())
    }

    /// How long ago each node was last visited, by number; NaN if never, or if the agent does not remember.
    fn _ages<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let ages = self
            .noted(py, |session, notes| notes.ages(session.graph().len(), session.clock().now().0));
        array(py, ages)
    }

    /// Where the walker stands.
    #[getter]
    fn at<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let at = self.with(py, |session| session.at());
        self.labels.label(py, at)
    }

    /// The graph that it walks.
    #[getter]
    fn graph(&self, py: Python<'_>) -> Py<Graph> {
        self.graph.clone_ref(py)
    }

    /// The agent's spec, as on the command line.
    #[getter]
    fn spec(&self) -> String {
        self.spec.label(self.preset)
    }

    /// How many rewards are known, including those of others.
    #[getter]
    fn visits(&self, py: Python<'_>) -> u64 {
        self.with(py, |session| session.estimates().visits())
    }

    /// How much time has passed, in units of one visit: one for every visit of the walker, plus the travel times.
    #[getter]
    fn time(&self, py: Python<'_>) -> f64 {
        self.with(py, |session| session.clock().now().0)
    }

    /// How many rewards of each node are known, by number, including those of others.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let counts: Vec<i64> = self.with(py, |session| {
            session.estimates().samples().iter().map(|sample| sample.count as i64).collect()
        });
        counts.into_pyarray(py)
    }

    /// The average reward of every node, by number; NaN before its first reward is known.
    #[getter]
    fn means<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let means: Vec<f64> = self.with(py, |session| {
            session.estimates().samples().iter().map(graph_bandit::Sample::mean).collect()
        });
        means.into_pyarray(py)
    }

    /// How promising every node looks now, by number: the agent's own scores; for G-UCB, these are its upper
    /// confidence bounds. `None` if the agent has no scores.
    fn scores<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.with(py, AskTell::scores).map(|scores| scores.into_pyarray(py))
    }

    /// The session without its graph, as JSON, for the constructor's `stored`.
    fn _dump(&self, py: Python<'_>) -> PyResult<String> {
        let (state, blocked, notes) = self.noted(py, |session, notes| {
            (session.state(), session.closed().into_owned(), notes.clone())
        });
        let stored =
            Stored { agent: self.spec.clone(), preset: self.preset, state, blocked, notes };
        serde_json::to_string(&stored).map_err(value_error)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (at, visits) = self.with(py, |session| (session.at(), session.estimates().visits()));
        let visits = counted(visits, "visit");
        format!("<{} at {} after {visits}>", self.spec(), self.labels.repr(py, at))
    }
}
