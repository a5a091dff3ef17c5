//! Ask and tell for a team, from Python.

use crate::errors::of_team_session;
use crate::graph::Graph;
use crate::labels::Labels;
use crate::registry::named;
use crate::session::Leg;
use crate::team::{ShareArgument, leader_of};
use graph_bandit::team::{Member, SessionError, TeamSession as CoreSession, WalkerId};
use graph_bandit::{NodeId, Order, Seed};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::sync::{Arc, Mutex, PoisonError};

/// The arguments of a team without walkers.
#[derive(FromPyObject)]
struct TeamSetting<'py> {
    graph: Bound<'py, Graph>,
    agent: String,
    preset: String,
    share: ShareArgument<'py>,
    most: usize,
    seats: Option<usize>,
    seed: u64,
}

/// A team whose rewards are reported: every walker asks and tells on its own.
///
/// `graph_bandit.team` makes one.
#[pyclass(frozen, module = "graph_bandit", subclass, weakref)]
pub(crate) struct TeamSession {
    session: Mutex<CoreSession>,
    labels: Arc<Labels>,
    graph: Py<Graph>,
}

impl TeamSession {
    /// Reads or changes the team. It is locked meanwhile, so `work` must not run Python code. Other
    /// Python threads run while one waits.
    fn with<R>(&self, py: Python<'_>, work: impl FnOnce(&mut CoreSession) -> R) -> R {
        let mut session = self.session.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        work(&mut session)
    }

    /// A report or a question; its refusal uses the user's node labels.
    fn asked<R>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut CoreSession) -> Result<R, SessionError>,
    ) -> PyResult<R> {
        self.with(py, work).map_err(|error| of_team_session(py, &self.labels, &error))
    }
}

#[pymethods]
impl TeamSession {
    #[new]
    fn new(setting: TeamSetting<'_>) -> PyResult<Self> {
        let preset = named("preset", &setting.preset)?;
        let graph = setting.graph.get();
        let agent = leader_of(&setting.agent, preset)?;
        let sharing = setting.share.sharing(setting.most, graph.core.len())?;
        let made = CoreSession::new(graph.in_preset(preset), agent, sharing, Seed(setting.seed));
        let py = setting.graph.py();
        let mut session = made.map_err(|error| of_team_session(py, &graph.labels, &error))?;
        if let Some(seats) = setting.seats {
            session = session.with_seats(seats);
        }
        Ok(Self {
            session: Mutex::new(session),
            labels: Arc::clone(&graph.labels),
            graph: setting.graph.unbind(),
        })
    }

    /// The graph.
    #[getter]
    fn graph(&self, py: Python<'_>) -> Py<Graph> {
        self.graph.clone_ref(py)
    }

    /// The walkers in the team, in the order in which they joined.
    #[getter]
    fn walkers(&self, py: Python<'_>) -> Vec<WalkerId> {
        self.with(py, |session| session.walkers().to_vec())
    }

    /// Adds a walker that may be on `nodes` (default: everywhere), and returns its number.
    #[pyo3(signature = (start, speed=1.0, nodes=None))]
    fn _join(
        &self,
        py: Python<'_>,
        start: &Bound<'_, PyAny>,
        speed: f64,
        nodes: Option<Vec<Bound<'_, PyAny>>>,
    ) -> PyResult<WalkerId> {
        let mut member = Member { speed, ..Member::at(self.labels.number(start)?) };
        if let Some(nodes) = nodes {
            let mut allowed = vec![false; self.graph.get().core.len()];
            for node in &nodes {
                allowed[self.labels.number(node)? as usize] = true;
            }
            member.allowed = Some(Arc::new(allowed));
        }
        self.asked(py, |session| session.join(member))
    }

    /// Removes a walker. What it told stays.
    fn leave(&self, py: Python<'_>, walker: WalkerId) -> PyResult<()> {
        self.asked(py, |session| session.leave(walker))
    }

    /// What a walker is to do next; the answer stays the same until it tells something or fails.
    fn order(&self, py: Python<'_>, walker: WalkerId) -> PyResult<Leg> {
        let order = self.asked(py, |session| py.detach(|| session.ask(walker).map(Order::kept)))?;
        Leg::of_order(py, &self.labels, &order)
    }

    /// Reports that a walker visited `node` and what that paid. The default is the next node of its
    /// order. If it visited another one, the rest of its order is dropped: the walker is where it
    /// says.
    #[pyo3(signature = (walker, reward, node=None))]
    fn tell(
        &self,
        py: Python<'_>,
        walker: WalkerId,
        reward: f64,
        node: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let node = node.map(|label| self.labels.number(label)).transpose()?;
        self.asked(py, |session| {
            let next = |session: &mut CoreSession| -> Result<NodeId, SessionError> {
                session.ask(walker).map(|order| order.node)
            };
            let node = node.map_or_else(|| next(session), Ok)?;
            session.tell(walker, node, reward)
        })
    }

    /// Reports a reward that nobody in the team collected, such as that of a fixed sensor.
    fn observe(&self, py: Python<'_>, node: &Bound<'_, PyAny>, reward: f64) -> PyResult<()> {
        let node = self.labels.number(node)?;
        self.asked(py, |session| session.observe(node, reward))
    }

    /// Drops a walker's order: it failed, or was recalled. Its next order is planned from where it
    /// is.
    fn fail(&self, py: Python<'_>, walker: WalkerId) -> PyResult<()> {
        self.asked(py, |session| session.fail(walker))
    }

    /// Places a walker on `node`, however it got there. Its order is dropped.
    fn move_to(&self, py: Python<'_>, walker: WalkerId, node: &Bound<'_, PyAny>) -> PyResult<()> {
        let node = self.labels.number(node)?;
        self.asked(py, |session| session.move_to(walker, node))
    }

    /// The number of rewards of every node, and their average (NaN without rewards).
    fn _estimates<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>) {
        let (visits, means): (Vec<i64>, Vec<f64>) = self.with(py, |session| {
            let samples = session.estimates().samples().iter();
            let visits = samples.map(|sample| sample.count.cast_signed());
            let finite = |mean: f64| if mean.is_finite() { mean } else { f64::NAN };
            let means = session.estimates().all().iter().map(|estimate| finite(estimate.mean));
            visits.zip(means).unzip()
        });
        (visits.into_pyarray(py), means.into_pyarray(py))
    }
}
