//! Agents written in Python, in the same studies as the built-in ones.

use crate::errors::{IllegalMoveError, UnknownNodeError};
use crate::graph::Graph;
use crate::labels::Labels;
use crate::session::Leg;
use graph_bandit::{
    Agent, Hearing, Leg as CoreLeg, NodeId, Phase, Raised, Sample as CoreSample, Seed,
    Situation as CoreSituation, Stream, Visit as CoreVisit,
};
use graph_bandit_lab::Entrant;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The totals of consecutive rewards of one node.
#[pyclass(frozen, get_all, module = "graph_bandit")]
pub(crate) struct Sample {
    /// The number of rewards.
    count: u64,
    /// Their sum.
    sum: f64,
    /// The sum of their squares.
    sum_of_squares: f64,
}

#[pymethods]
impl Sample {
    /// Their average.
    #[getter]
    fn mean(&self) -> f64 {
        CoreSample { count: self.count, sum: self.sum, sum_of_squares: self.sum_of_squares }.mean()
    }

    fn __repr__(&self) -> String {
        format!("Sample(count={}, sum={})", self.count, self.sum)
    }
}

/// Consecutive visits to one node, and their rewards.
#[pyclass(frozen, get_all, module = "graph_bandit")]
pub(crate) struct Visit {
    /// The node that the agent came from; `node` itself if it stayed.
    came_from: Py<PyAny>,
    /// The node visited.
    node: Py<PyAny>,
    /// The rewards of these visits.
    sample: Py<Sample>,
    /// `"cover"` during initialization, `"learn"` when the agent decides.
    phase: &'static str,
}

/// What an agent knows when it decides: the place, and the rewards so far.
///
/// The arrays are by node number. They are live and read-only: copy what you want to keep.
#[pyclass(frozen, module = "graph_bandit")]
pub(crate) struct Situation {
    graph: Py<Graph>,
    labels: Arc<Labels>,
    at: AtomicU32,
    visits: AtomicU64,
    /// The bits of the time: there are no atomic floating-point numbers.
    time: AtomicU64,
    counts: Py<PyArray1<i64>>,
    sums: Py<PyArray1<f64>>,
    squares: Py<PyArray1<f64>>,
    means: Py<PyArray1<f64>>,
    /// The same arrays, as Python sees them.
    views: [Py<PyAny>; 4],
}

#[pymethods]
impl Situation {
    /// The graph.
    #[getter]
    fn graph(&self, py: Python<'_>) -> Py<Graph> {
        self.graph.clone_ref(py)
    }

    /// The label of the node where the agent is.
    #[getter]
    fn at<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.labels.label(py, self.at.load(Ordering::Relaxed))
    }

    /// The number of the node where the agent is.
    #[getter]
    fn at_number(&self) -> u32 {
        self.at.load(Ordering::Relaxed)
    }

    /// All visits so far.
    #[getter]
    fn visits(&self) -> u64 {
        self.visits.load(Ordering::Relaxed)
    }

    /// How much time has passed, in units of one visit: one for every visit, plus the travel times.
    #[getter]
    fn time(&self) -> f64 {
        f64::from_bits(self.time.load(Ordering::Relaxed))
    }

    /// Visits per node.
    #[getter]
    fn counts(&self, py: Python<'_>) -> Py<PyAny> {
        self.views[0].clone_ref(py)
    }

    /// The sum of the rewards of every node.
    #[getter]
    fn sums(&self, py: Python<'_>) -> Py<PyAny> {
        self.views[1].clone_ref(py)
    }

    /// The sum of the squares of the rewards of every node.
    #[getter]
    fn sums_of_squares(&self, py: Python<'_>) -> Py<PyAny> {
        self.views[2].clone_ref(py)
    }

    /// The average reward of every node; infinite before its first visit.
    #[getter]
    fn means(&self, py: Python<'_>) -> Py<PyAny> {
        self.views[3].clone_ref(py)
    }
}

impl Situation {
    fn new(py: Python<'_>, graph: &Py<Graph>, labels: &Arc<Labels>) -> PyResult<Self> {
        let nodes = graph.get().core.len();
        let counts = PyArray1::<i64>::zeros(py, nodes, false);
        let floats = || PyArray1::<f64>::zeros(py, nodes, false);
        let (sums, squares, means) = (floats(), floats(), floats());
        means.readwrite().as_array_mut().fill(f64::INFINITY);
        let view = |array: &Bound<'_, PyAny>| -> PyResult<Py<PyAny>> {
            let view = array.call_method0("view")?;
            view.call_method1("setflags", (false,))?;
            Ok(view.unbind())
        };
        let views = [
            view(counts.as_any())?,
            view(sums.as_any())?,
            view(squares.as_any())?,
            view(means.as_any())?,
        ];
        Ok(Self {
            graph: graph.clone_ref(py),
            labels: Arc::clone(labels),
            at: AtomicU32::new(0),
            visits: AtomicU64::new(0),
            time: AtomicU64::new(0),
            counts: counts.unbind(),
            sums: sums.unbind(),
            squares: squares.unbind(),
            means: means.unbind(),
            views,
        })
    }

    /// Only the visited node has changed.
    fn update(&self, py: Python<'_>, now: &CoreSituation<'_>, node: NodeId) {
        let estimates = now.estimates;
        self.time.store(now.clock.now().0.to_bits(), Ordering::Relaxed);
        let (sample, place) = (estimates.sample(node), node as usize);
        self.counts.bind(py).readwrite().as_array_mut()[place] = sample.count as i64;
        self.sums.bind(py).readwrite().as_array_mut()[place] = sample.sum;
        self.squares.bind(py).readwrite().as_array_mut()[place] = sample.sum_of_squares;
        self.means.bind(py).readwrite().as_array_mut()[place] = sample.mean();
        self.visits.store(estimates.visits(), Ordering::Relaxed);
    }
}

/// Which visits a Python agent wants to observe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hears {
    Nothing,
    Blocks,
    EveryVisit,
}

impl Hears {
    fn named(name: &str) -> PyResult<Self> {
        match name {
            "nothing" => Ok(Self::Nothing),
            "blocks" => Ok(Self::Blocks),
            "every visit" => Ok(Self::EveryVisit),
            other => Err(PyValueError::new_err(format!(
                "hears is {other:?}; give 'nothing', 'blocks' or 'every visit'"
            ))),
        }
    }
}

/// A Python agent in one run.
pub(crate) struct OwnAgent {
    agent: Py<PyAny>,
    now: Py<Situation>,
    labels: Arc<Labels>,
    hears: Hears,
}

impl OwnAgent {
    /// A fresh agent for a run: `make(graph, seed)` returns an agent that knows its position, and
    /// which visits it wants to observe.
    pub(crate) fn new(
        py: Python<'_>,
        make: &Py<PyAny>,
        graph: &Py<Graph>,
        seed: Seed,
    ) -> PyResult<Self> {
        let labels = &graph.get().labels;
        let (agent, hears): (Py<PyAny>, String) =
            make.bind(py).call1((graph, seed.0))?.extract()?;
        Ok(Self {
            agent,
            now: Py::new(py, Situation::new(py, graph, labels)?)?,
            labels: Arc::clone(labels),
            hears: Hears::named(&hears)?,
        })
    }

    fn ask(&self, py: Python<'_>, leg: &mut CoreLeg, at: NodeId) -> PyResult<()> {
        self.now.get().at.store(at, Ordering::Relaxed);
        let answer = self.agent.bind(py).call_method1(intern!(py, "next_leg"), (&self.now,))?;
        if let Ok(answer) = answer.cast::<Leg>() {
            let answer = answer.get();
            leg.path.clear();
            for node in answer.path.bind(py).iter() {
                leg.path.push(self.labels.number(&node)?);
            }
            leg.stay = answer.stay;
            if leg.visits() == 0 {
                return Err(PyValueError::new_err(format!(
                    "the agent returned an empty leg on node {}; a leg needs at least one visit",
                    self.labels.repr(py, at)
                )));
            }
        } else {
            let node = self.labels.number(&answer).map_err(|error| {
                if error.is_instance_of::<UnknownNodeError>(py) {
                    PyTypeError::new_err(format!(
                        "an agent must return a node or a graph_bandit.Leg: {}",
                        error.value(py)
                    ))
                } else {
                    error
                }
            })?;
            leg.visit_once(at, node);
        }
        self.check_walk(py, leg, at)
    }

    /// Checks that a leg stays on the graph; the error names nodes by their labels.
    fn check_walk(&self, py: Python<'_>, leg: &CoreLeg, at: NodeId) -> PyResult<()> {
        let graph = &self.now.get().graph.get().core;
        let mut from = at;
        for &to in &leg.path {
            if !graph.allows(from, to) {
                return Err(IllegalMoveError::new_err(format!(
                    "the leg of the agent steps from node {} to node {}, which is not its neighbour",
                    self.labels.repr(py, from),
                    self.labels.repr(py, to)
                )));
            }
            from = to;
        }
        Ok(())
    }

    fn hear(&self, py: Python<'_>, now: &CoreSituation<'_>, visit: &CoreVisit) -> PyResult<()> {
        self.now.get().update(py, now, visit.node);
        if self.hears == Hears::Nothing {
            return Ok(());
        }
        let CoreSample { count, sum, sum_of_squares } = visit.sample;
        let told = Visit {
            came_from: self.labels.label(py, visit.from)?.unbind(),
            node: self.labels.label(py, visit.node)?.unbind(),
            sample: Py::new(py, Sample { count, sum, sum_of_squares })?,
            phase: match visit.phase {
                Phase::Cover => "cover",
                Phase::Learn => "learn",
            },
        };
        self.agent.bind(py).call_method1(intern!(py, "observe"), (told,))?;
        Ok(())
    }
}

impl Agent for OwnAgent {
    fn next_leg(
        &mut self,
        now: &CoreSituation<'_>,
        _stream: &mut Stream,
        leg: &mut CoreLeg,
    ) -> Result<(), Raised> {
        Ok(Python::attach(|py| self.ask(py, leg, now.at))?)
    }

    fn observe(&mut self, now: &CoreSituation<'_>, visit: &CoreVisit) -> Result<(), Raised> {
        Ok(Python::attach(|py| self.hear(py, now, visit))?)
    }

    fn hearing(&self) -> Hearing {
        match self.hears {
            Hears::EveryVisit => Hearing::EveryVisit,
            Hears::Nothing | Hears::Blocks => Hearing::Blocks,
        }
    }
}

/// An entrant of a study made by Python: `make(graph, seed)`, as in [`OwnAgent::new`].
pub(crate) fn own_entrant(label: String, make: Py<PyAny>, graph: Py<Graph>) -> Entrant {
    Entrant::own(label, move |_, seed| {
        let agent = Python::attach(|py| OwnAgent::new(py, &make, &graph, seed))?;
        Ok(Box::new(agent) as Box<dyn Agent + Send>)
    })
}
