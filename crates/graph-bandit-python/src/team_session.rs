//! Ask and tell for a team, from Python.

use crate::errors::{of_lab, of_team_session, value_error};
use crate::graph::Graph;
use crate::labels::Labels;
use crate::node_estimates::columns;
use crate::registry::named;
use crate::session::Leg;
use crate::team::ShareArgument;
use graph_bandit::spec::TeamSpec;
use graph_bandit::team::{
    Member, SessionError, Sharing, TeamAgent, TeamSession as CoreSession, TeamState, WalkerId,
};
use graph_bandit::{Edge, NodeId, Order, Preset, Seed};
use graph_bandit_lab::{ShareSource, ShareTable, TeamStudy};
use graph_bandit_server::agent::{Knowledge, NodeEstimate, SetAside};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyDict, PyTuple};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The arguments of a team without walkers.
#[derive(FromPyObject)]
struct TeamSetting<'py> {
    graph: Bound<'py, Graph>,
    agent: String,
    preset: String,
    /// How many walkers are to join at once.
    walkers: usize,
    share: ShareArgument<'py>,
    most: usize,
    seats: Option<usize>,
    seed: u64,
}

/// A walker that joins: its start, its speed, and the nodes where it may be if not everywhere.
type Joining<'py> = (Bound<'py, PyAny>, f64, Option<Vec<Bound<'py, PyAny>>>);

/// How a team begins.
#[derive(FromPyObject)]
enum Beginning<'py> {
    /// A graph, and what was dumped there.
    Stored(Bound<'py, Graph>, String),
    New(TeamSetting<'py>),
}

/// What a team is, apart from what happened to it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    agent: String,
    preset: Preset,
    share: Share,
    /// The most walkers at the same time.
    most: usize,
}

/// The shares of a team. Those of a file are stored as rows, since the file may change.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Share {
    Named(String),
    Rows(Vec<Vec<f64>>),
}

/// A stored team, without its graph.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    team: Definition,
    state: TeamState,
}

impl Definition {
    fn agent(&self) -> PyResult<Box<dyn TeamAgent + Send>> {
        Ok(TeamSpec::parse(&self.agent, self.preset).map_err(value_error)?.build())
    }

    fn sharing(&self, nodes: usize) -> PyResult<Sharing> {
        let source = match &self.share {
            Share::Named(text) => ShareSource::parse(text, Path::new("")),
            Share::Rows(rows) => Ok(ShareSource::Table(ShareTable::new(rows.clone()))),
        };
        source.and_then(|source| source.sharing(self.most, nodes)).map_err(|error| of_lab(&error))
    }
}

impl From<ShareSource> for Share {
    fn from(source: ShareSource) -> Self {
        match source {
            ShareSource::Named(spec) => Self::Named(spec.to_string()),
            ShareSource::Table(table) => Self::Rows(table.rows().to_vec()),
        }
    }
}

/// A team whose rewards are reported: every walker asks and tells on its own.
///
/// `graph_bandit.team` makes one.
#[pyclass(frozen, module = "graph_bandit", subclass, weakref)]
pub(crate) struct TeamSession {
    session: Mutex<CoreSession>,
    labels: Arc<Labels>,
    graph: Py<Graph>,
    definition: Definition,
}

impl TeamSession {
    fn of(graph: &Bound<'_, Graph>, session: CoreSession, definition: Definition) -> Self {
        Self {
            session: Mutex::new(session),
            labels: Arc::clone(&graph.get().labels),
            graph: graph.clone().unbind(),
            definition,
        }
    }

    fn begin(setting: &TeamSetting<'_>) -> PyResult<Self> {
        // A team may begin without walkers.
        TeamStudy::sized(setting.walkers.max(1)).map_err(|error| of_lab(&error))?;
        let preset = named("preset", &setting.preset)?;
        let spec = TeamSpec::parse(&setting.agent, preset).map_err(value_error)?;
        let share = setting.share.source()?.into();
        let definition =
            Definition { agent: spec.label(preset), preset, share, most: setting.most };
        let graph = setting.graph.get();
        let sharing = definition.sharing(graph.core.len())?;
        let core = graph.in_preset(preset);
        let made = CoreSession::new(core, definition.agent()?, sharing, Seed(setting.seed));
        let mut session = made.map_err(|error| match error {
            SessionError::StepsTogether => value_error(format!("agent {}: {error}", spec.name())),
            other => of_team_session(setting.graph.py(), graph, &other),
        })?;
        if let Some(seats) = setting.seats {
            session = session.with_seats(seats);
        }
        Ok(Self::of(&setting.graph, session, definition))
    }

    /// Resumes a team that was dumped on this graph.
    fn resume(graph: &Bound<'_, Graph>, text: &str) -> PyResult<Self> {
        let Stored { team, state } = serde_json::from_str(text).map_err(value_error)?;
        let core = graph.get().in_preset(team.preset);
        let sharing = team.sharing(core.len())?;
        let session = CoreSession::resume(core, team.agent()?, sharing, state);
        Ok(Self::of(graph, session.map_err(value_error)?, team))
    }

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
        self.with(py, work).map_err(|error| of_team_session(py, self.graph.get(), &error))
    }

    fn member(&self, (start, speed, nodes): &Joining<'_>) -> PyResult<Member> {
        let mut member = Member { speed: *speed, ..Member::at(self.labels.number(start)?) };
        if let Some(nodes) = nodes {
            let mut allowed = vec![false; self.graph.get().core.len()];
            for node in nodes {
                allowed[self.labels.number(node)? as usize] = true;
            }
            member.allowed = Some(Arc::new(allowed));
        }
        Ok(member)
    }

    fn edge(&self, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<Edge> {
        Ok((self.labels.number(a)?, self.labels.number(b)?))
    }
}

#[pymethods]
impl TeamSession {
    #[new]
    fn new(beginning: Beginning<'_>) -> PyResult<Self> {
        match beginning {
            Beginning::Stored(graph, text) => Self::resume(&graph, &text),
            Beginning::New(setting) => Self::begin(&setting),
        }
    }

    /// The graph.
    #[getter]
    fn graph(&self, py: Python<'_>) -> Py<Graph> {
        self.graph.clone_ref(py)
    }

    /// The spec of the agent that leads it, as on the command line.
    #[getter]
    fn spec(&self) -> &str {
        &self.definition.agent
    }

    /// The walkers in the team, in the order in which they joined.
    #[getter]
    fn walkers(&self, py: Python<'_>) -> Vec<WalkerId> {
        self.with(py, |session| session.walkers().to_vec())
    }

    /// Adds walkers, each with its start, its speed and the nodes where it may be, and returns their
    /// numbers. All of them join, or none.
    fn _join(&self, py: Python<'_>, walkers: Vec<Joining<'_>>) -> PyResult<Vec<WalkerId>> {
        let members: Vec<Member> =
            walkers.iter().map(|walker| self.member(walker)).collect::<PyResult<_>>()?;
        self.asked(py, |session| session.join_all(members))
    }

    /// Removes a walker. What it told stays.
    fn leave(&self, py: Python<'_>, walker: WalkerId) -> PyResult<()> {
        self.asked(py, |session| session.leave(walker))
    }

    /// What a walker is to do next; the answer stays the same until it tells something
    /// or fails, or a road is blocked or opened.
    fn ask(&self, py: Python<'_>, walker: WalkerId) -> PyResult<Leg> {
        let asked = |session: &mut CoreSession| -> Result<_, SessionError> {
            let order = session.ask(walker).map(Order::kept)?;
            let times = session.times(walker, &order.path)?;
            Ok((order, (times, session.time(walker)?.0)))
        };
        let (order, times) = self.asked(py, |session| py.detach(|| asked(session)))?;
        Leg::of_order(py, &self.labels, &order)?.timed(py, times)
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

    /// Drops a walker's order: it failed, or was recalled. Its next order is planned from `at`, or from where
    /// it is.
    #[pyo3(signature = (walker, *, at=None))]
    fn failed(
        &self,
        py: Python<'_>,
        walker: WalkerId,
        at: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let at = at.map(|label| self.labels.number(label)).transpose()?;
        // Being moved drops the order, too.
        self.asked(py, |session| match at {
            Some(node) => session.move_to(walker, node),
            None => session.fail(walker),
        })
    }

    /// Places a walker on `node`, however it got there. Its order is dropped.
    fn move_to(&self, py: Python<'_>, walker: WalkerId, node: &Bound<'_, PyAny>) -> PyResult<()> {
        let node = self.labels.number(node)?;
        self.asked(py, |session| session.move_to(walker, node))
    }

    /// Reports that the edge between `a` and `b` is blocked, or the road from `a` to `b`. Orders that
    /// would use it are dropped, and the walkers whose orders these were are returned; all plan
    /// around it until it opens.
    fn block(
        &self,
        py: Python<'_>,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<WalkerId>> {
        let edge = self.edge(a, b)?;
        self.asked(py, |session| session.close(edge))
    }

    /// Reports that the edge between `a` and `b` is open again, or the road from `a` to `b`. Returns
    /// the walkers whose orders were dropped because they can now reach more nodes.
    fn open(
        &self,
        py: Python<'_>,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<WalkerId>> {
        let edge = self.edge(a, b)?;
        self.asked(py, |session| session.open(edge))
    }

    /// The blocked edges; for roads, in the direction in which they run.
    #[getter]
    fn blocked<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let closed = self.with(py, |session| session.field().closed().clone());
        let edges = closed.into_iter().map(|(a, b)| self.labels.tuple(py, &[a, b]));
        PyTuple::new(py, edges.collect::<PyResult<Vec<_>>>()?)
    }

    /// Where a walker stands.
    fn at<'py>(&self, py: Python<'py>, walker: WalkerId) -> PyResult<Bound<'py, PyAny>> {
        let at = self.asked(py, |session| session.at(walker))?;
        self.labels.label(py, at)
    }

    /// The team without its graph, as JSON.
    fn _dump(&self, py: Python<'_>) -> PyResult<String> {
        let state = self.with(py, |session| session.state());
        let stored = Stored { team: self.definition.clone(), state };
        serde_json::to_string(&stored).map_err(value_error)
    }

    /// All rewards so far, how many nodes no walker can reach now, and the most walkers at the same time.
    fn _numbers(&self, py: Python<'_>) -> (u64, u64, usize) {
        self.with(py, |session| {
            (session.estimates().visits(), SetAside::of_team(session).count(), session.most())
        })
    }

    /// A walker now: the rest of its order, its visits, its speed, the nodes where it may be if not everywhere, and
    /// its clock if roads run one way or take time.
    fn _walker<'py>(&self, py: Python<'py>, walker: WalkerId) -> PyResult<WalkerNow<'py>> {
        let look = |session: &mut CoreSession| -> Result<_, SessionError> {
            let order = session.pending(walker)?.kept();
            let (visits, speed) = (session.visits(walker)?, session.speed(walker)?);
            let time = session.time(walker)?.0;
            let time = session.field().map().roads().map(|_| time);
            Ok((order, visits, speed, session.nodes_of(walker)?, time))
        };
        let (order, visits, speed, nodes, time) = self.asked(py, look)?;
        let path = self.labels.tuple(py, &order.path)?;
        let nodes = nodes.map(|nodes| self.labels.tuple(py, &nodes)).transpose()?;
        Ok((path, order.stay, visits, speed, nodes, time))
    }

    /// The columns of `Estimates`, by node number; missing numbers are NaN.
    fn _estimates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let preset = self.definition.preset;
        let spec = TeamSpec::parse(&self.definition.agent, preset).map_err(value_error)?;
        let known: Vec<NodeEstimate> = self.with(py, |session| {
            let knowledge = Knowledge::of_team(spec.noise_scale(), session);
            session.graph().nodes().map(|node| knowledge.node(node)).collect()
        });
        columns(py, &known)
    }
}

/// The path of a walker's order, its stay, visits, speed, nodes and time.
type WalkerNow<'py> =
    (Bound<'py, PyTuple>, u64, u64, f64, Option<Bound<'py, PyTuple>>, Option<f64>);
