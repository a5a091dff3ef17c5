//! Ask and tell from Python.

use crate::errors::{of_tell, value_error};
use crate::graph::Graph;
use crate::labels::Labels;
use crate::registry::named;
use graph_bandit::{
    AgentSpec, AskTell, Init, NodeId, Phase, Preset, Seed, SessionPlan, SessionState, TellError,
};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyTuple;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// From so many nodes on, planning lets other threads of Python run meanwhile.
const LARGE: usize = 5_000;

/// Walk this path, then stay there so many times.
///
/// An agent of your own answers with one; `ask` of a built-in agent gives one.
#[pyclass(frozen, module = "graph_bandit")]
pub(crate) struct Leg {
    /// The nodes to enter in turn.
    #[pyo3(get)]
    pub(crate) path: Py<PyTuple>,
    /// Further visits where the path ends.
    #[pyo3(get)]
    pub(crate) stay: u64,
    node: Option<Py<PyAny>>,
    /// `"cover"` while the graph is being covered, `"learn"` when the agent decides.
    #[pyo3(get)]
    phase: &'static str,
}

#[pymethods]
impl Leg {
    #[new]
    #[pyo3(signature = (path=None, stay=0))]
    fn new(py: Python<'_>, path: Option<&Bound<'_, PyAny>>, stay: u64) -> PyResult<Self> {
        let path = match path {
            Some(path) => path.try_iter()?.collect::<PyResult<Vec<_>>>()?,
            None => Vec::new(),
        };
        let node = path.first().map(|node| node.clone().unbind());
        Ok(Self { path: PyTuple::new(py, path)?.unbind(), stay, node, phase: "learn" })
    }

    /// The next node to enter; the current one when staying.
    #[getter]
    fn node(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.node.as_ref().map(|node| node.clone_ref(py))
    }

    /// How many rewards the leg collects.
    #[getter]
    fn visits(&self, py: Python<'_>) -> u64 {
        self.stay.saturating_add(self.path.bind(py).len() as u64)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        usize::try_from(self.visits(py)).unwrap_or(usize::MAX)
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

/// A session as it is stored, the graph apart.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    agent: AgentSpec,
    preset: Preset,
    state: SessionState,
}

/// An agent on a graph that is asked where to go and told what it got.
///
/// Made by `graph_bandit.agent`.
#[pyclass(frozen, module = "graph_bandit", subclass, weakref)]
pub(crate) struct Session {
    ask_tell: Mutex<AskTell>,
    labels: Arc<Labels>,
    graph: Py<Graph>,
    spec: AgentSpec,
    preset: Preset,
}

impl Session {
    fn of(graph: &Bound<'_, Graph>, session: AskTell, spec: AgentSpec, preset: Preset) -> Self {
        Self {
            ask_tell: Mutex::new(session),
            labels: Arc::clone(&graph.get().labels),
            graph: graph.clone().unbind(),
            spec,
            preset,
        }
    }

    /// Goes on with a session that was dumped on this graph.
    fn resume(graph: &Bound<'_, Graph>, text: &str) -> PyResult<Self> {
        let stored: Stored = serde_json::from_str(text).map_err(value_error)?;
        let core = graph.get().in_preset(stored.preset);
        let agent = stored.agent.build(&core).map_err(value_error)?;
        let session = AskTell::resume(core, agent, stored.state).map_err(value_error)?;
        Ok(Self::of(graph, session, stored.agent, stored.preset))
    }

    fn number(&self, label: &Bound<'_, PyAny>) -> PyResult<NodeId> {
        self.labels.number(label)
    }

    fn refused(&self, py: Python<'_>, error: &TellError) -> PyErr {
        of_tell(py, &self.labels, error)
    }

    /// The session itself; other threads of Python run while one waits for it.
    fn open(&self, py: Python<'_>) -> MutexGuard<'_, AskTell> {
        self.ask_tell.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this is what `ask` answers now.
    fn is_current(&self, py: Python<'_>, leg: &Leg) -> PyResult<bool> {
        let mut session = self.open(py);
        let order = session.ask();
        Ok(leg.stay == order.stay && leg.path.bind(py).eq(self.labels.tuple(py, order.path)?)?)
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
        let built = spec.build(&core).map_err(value_error)?;
        let plan = SessionPlan { start, init, seed: Seed(seed) };
        let session = AskTell::new(core, built, plan).map_err(value_error)?;
        Ok(Self::of(graph, session, spec, preset))
    }

    /// What to do next: the same answer until something is told.
    fn ask(&self, py: Python<'_>) -> PyResult<Leg> {
        let mut session = self.open(py);
        if session.graph().len() >= LARGE {
            let session = &mut *session;
            py.detach(|| {
                session.ask();
            });
        }
        let order = session.ask();
        Ok(Leg {
            path: self.labels.tuple(py, order.path)?.unbind(),
            stay: order.stay,
            node: Some(self.labels.label(py, order.node)?.unbind()),
            phase: match order.phase {
                Phase::Cover => "cover",
                Phase::Learn => "learn",
            },
        })
    }

    /// A visit to `node` paid `reward`; or, when `node` is the leg that was asked for, its visits
    /// paid the rewards of a list or array, in order.
    fn tell(
        &self,
        py: Python<'_>,
        node: &Bound<'_, PyAny>,
        reward: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        if let Ok(leg) = node.cast::<Leg>() {
            if !self.is_current(py, leg.get())? {
                return Err(PyValueError::new_err(
                    "this leg is not the one that was asked for last; ask again",
                ));
            }
            return self.tell_leg(py, reward);
        }
        let node = self.number(node)?;
        let reward = reward.extract::<f64>().map_err(|_| {
            PyTypeError::new_err(format!(
                "reward {} is no number; several rewards are told with the leg they belong to",
                reward.repr().map_or_else(|_| String::new(), |text| text.to_string())
            ))
        })?;
        self.open(py).tell(node, reward).map_err(|error| self.refused(py, &error))
    }

    /// The next visits of the leg that was asked for paid these rewards, in order.
    fn tell_leg(&self, py: Python<'_>, rewards: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut session = self.open(py);
        let told = if let Ok(array) = rewards.extract::<PyReadonlyArray1<'_, f64>>() {
            match array.as_slice() {
                Ok(rewards) => session.tell_leg(rewards),
                Err(_) => session.tell_leg(&array.as_array().to_vec()),
            }
        } else if let Ok(reward) = rewards.extract::<f64>() {
            session.tell_leg(&[reward])
        } else {
            session.tell_leg(&rewards.extract::<Vec<f64>>()?)
        };
        told.map_err(|error| self.refused(py, &error))
    }

    /// The walker stands on `node` now, however it got there; nothing was collected.
    fn move_to(&self, py: Python<'_>, node: &Bound<'_, PyAny>) -> PyResult<()> {
        let node = self.number(node)?;
        self.open(py).move_to(node).map_err(|error| self.refused(py, &error))
    }

    /// Where the walker stands.
    #[getter]
    fn at<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.labels.label(py, self.open(py).at())
    }

    /// The graph it walks.
    #[getter]
    fn graph(&self, py: Python<'_>) -> Py<Graph> {
        self.graph.clone_ref(py)
    }

    /// The agent, as the command line writes it.
    #[getter]
    fn spec(&self) -> String {
        self.spec.label(self.preset)
    }

    /// All visits so far.
    #[getter]
    fn visits(&self, py: Python<'_>) -> u64 {
        self.open(py).estimates().visits()
    }

    /// Visits per node, by number.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let session = self.open(py);
        let samples = session.estimates().samples().iter();
        samples.map(|sample| sample.count as i64).collect::<Vec<_>>().into_pyarray(py)
    }

    /// The average reward of every node, by number; not a number where there was none.
    #[getter]
    fn means<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let session = self.open(py);
        let samples = session.estimates().samples().iter();
        samples.map(graph_bandit::Sample::mean).collect::<Vec<_>>().into_pyarray(py)
    }

    /// How promising every node looks now, by number: the upper confidence bounds of G-UCB, and
    /// what other agents have in their place; `None` for agents that have no such numbers.
    fn scores<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.open(py).scores().map(|scores| scores.into_pyarray(py))
    }

    /// The session without its graph, as JSON: what the constructor takes as `stored`.
    fn _dump(&self, py: Python<'_>) -> PyResult<String> {
        let stored =
            Stored { agent: self.spec.clone(), preset: self.preset, state: self.open(py).state() };
        serde_json::to_string(&stored).map_err(value_error)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let session = self.open(py);
        let at = self.labels.repr(py, session.at());
        format!("<{} at {at} after {} visits>", self.spec(), session.estimates().visits())
    }
}
