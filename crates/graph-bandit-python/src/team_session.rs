//! Ask and tell for a team, from Python.

use crate::best_node::{BestNode, certainty};
use crate::errors::{of_lab, of_team_session, value_error};
use crate::graph::Graph;
use crate::labels::Labels;
use crate::node_estimates::columns;
use crate::notes::{Notes, array};
use crate::registry::named;
use crate::session::Leg;
use crate::team::ShareArgument;
use graph_bandit::spec::TeamSpec;
use graph_bandit::team::{
    Member, SessionError, Sharing, TeamAgent, TeamSession as CoreSession, TeamState, WalkerId,
};
use graph_bandit::{Edge, NodeId, Order, Preset, Sample, Seed};
use graph_bandit_lab::{ShareSource, ShareTable, TeamStudy};
use graph_bandit_server::agent::{Knowledge, NodeEstimate, SetAside};
use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
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

/// The most walkers that an error lists.
const SHOWN: usize = 10;

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
    notes: Notes,
}

/// A team at work, and what it noted.
struct Noting {
    session: CoreSession,
    notes: Notes,
}

impl Definition {
    fn spec(&self) -> PyResult<TeamSpec> {
        TeamSpec::parse(&self.agent, self.preset).map_err(value_error)
    }

    fn agent(&self) -> PyResult<Box<dyn TeamAgent + Send>> {
        Ok(self.spec()?.build())
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
    noting: Mutex<Noting>,
    labels: Arc<Labels>,
    graph: Py<Graph>,
    definition: Definition,
}

impl TeamSession {
    fn of(
        graph: &Bound<'_, Graph>,
        (session, stored): (CoreSession, Option<Notes>),
        definition: Definition,
    ) -> PyResult<Self> {
        let fresh = if session.listens() {
            Notes::after(session.estimates().visits(), session.graph().len())
        } else {
            Notes::default()
        };
        let notes = Notes::stored(stored, fresh, session.now().0)?;
        Ok(Self {
            noting: Mutex::new(Noting { session, notes }),
            labels: Arc::clone(&graph.get().labels),
            graph: graph.clone().unbind(),
            definition,
        })
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
        Self::of(&setting.graph, (session, None), definition)
    }

    /// Resumes a team that was dumped on this graph.
    fn resume(graph: &Bound<'_, Graph>, text: &str) -> PyResult<Self> {
        let Stored { team, state, notes } = serde_json::from_str(text).map_err(value_error)?;
        let core = graph.get().in_preset(team.preset);
        let sharing = team.sharing(core.len())?;
        let session = CoreSession::resume(core, team.agent()?, sharing, state);
        Self::of(graph, (session.map_err(value_error)?, Some(notes)), team)
    }

    /// Reads or changes the team. It is locked meanwhile, so `work` must not run Python code. Other
    /// Python threads run while one waits.
    fn with<R>(&self, py: Python<'_>, work: impl FnOnce(&mut CoreSession) -> R) -> R {
        self.noted(py, |session, _| work(session))
    }

    /// As [`with`](Self::with), with the notes.
    fn noted<R>(&self, py: Python<'_>, work: impl FnOnce(&mut CoreSession, &mut Notes) -> R) -> R {
        let mut noting = self.noting.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let Noting { session, notes } = &mut *noting;
        work(session, notes)
    }

    /// A report or a question; its refusal uses the user's node labels.
    fn asked<R>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut CoreSession) -> Result<R, SessionError>,
    ) -> PyResult<R> {
        self.with(py, work).map_err(|error| self.refused(py, &error))
    }

    fn refused(&self, py: Python<'_>, error: &SessionError) -> PyErr {
        of_team_session(py, self.graph.get(), error)
    }

    /// The number of the walker that a method was called with. `call` shows how to call it, with `{}` for the walker.
    fn walker(&self, given: Option<&Bound<'_, PyAny>>, call: &str) -> PyResult<WalkerId> {
        if let Some(Ok(walker)) = given.map(PyAnyMethods::extract::<WalkerId>) {
            return Ok(walker);
        }
        Err(PyTypeError::new_err(match given {
            None => format!("the number of the walker is missing; {}", self.as_in(call)),
            Some(given) => format!(
                "{} is not the number of a walker; give the number first, {}",
                given.repr().map_or_else(|_| "this".to_owned(), |text| text.to_string()),
                self.as_in(call)
            ),
        }))
    }

    /// How to call a method, and for which walkers.
    fn as_in(&self, call: &str) -> String {
        let walkers = Python::attach(|py| self.with(py, |session| session.walkers().to_vec()));
        let call = call.replace("{}", &walkers.first().copied().unwrap_or(0).to_string());
        let walkers = match walkers.as_slice() {
            [] => "the team has no walkers; let one join first".to_owned(),
            [only] => format!("the only walker is {only}"),
            [first, .., last] if walkers.len() > SHOWN => {
                format!("there are {} walkers, {first} to {last}", walkers.len())
            }
            some => {
                let some: Vec<String> = some.iter().map(ToString::to_string).collect();
                format!("the walkers are {}", some.join(", "))
            }
        };
        format!("as in `{call}` ({walkers})")
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

    fn roads<'py>(
        &self,
        py: Python<'py>,
        roads: impl IntoIterator<Item = Edge>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let labelled = roads.into_iter().map(|(a, b)| self.labels.tuple(py, &[a, b]));
        PyTuple::new(py, labelled.collect::<PyResult<Vec<_>>>()?)
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
    #[pyo3(signature = (walker=None), text_signature = "($self, walker)")]
    fn leave(&self, py: Python<'_>, walker: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let walker = self.walker(walker, "team.leave({})")?;
        self.asked(py, |session| session.leave(walker))
    }

    /// The order of a walker: the leg that it is to make next. The answer stays the same until the
    /// walker tells something, fails or is moved, or a road is blocked or opened.
    #[pyo3(signature = (walker=None), text_signature = "($self, walker)")]
    fn ask(&self, py: Python<'_>, walker: Option<&Bound<'_, PyAny>>) -> PyResult<Leg> {
        let walker = self.walker(walker, "team.ask({})")?;
        let asked = |session: &mut CoreSession| -> Result<_, SessionError> {
            let order = session.ask(walker).map(Order::kept)?;
            let times = session.times(walker, &order.path)?;
            Ok((order, (times, session.time(walker)?.0)))
        };
        let (order, times) = self.asked(py, |session| py.detach(|| asked(session)))?;
        Leg::of_order(py, &self.labels, &order)?.timed(py, times)
    }

    /// Reports that a walker visited `node` and what the node paid, not the walker's part of it. The
    /// default of `node` is the next node of its order. If it visited another one, the rest of its order
    /// is dropped, and the next order is planned from `node`.
    #[pyo3(
        signature = (walker=None, reward=None, node=None),
        text_signature = "($self, walker, reward, node=None)"
    )]
    fn tell(
        &self,
        py: Python<'_>,
        walker: Option<&Bound<'_, PyAny>>,
        reward: Option<&Bound<'_, PyAny>>,
        node: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        const CALL: &str = "team.tell({}, reward=0.7)";
        const CALL_AT: &str = "team.tell({}, reward=0.7, node=..)";
        let walker = self.walker(walker, if node.is_some() { CALL_AT } else { CALL })?;
        let missing =
            || PyTypeError::new_err(format!("the reward is missing; {}", self.as_in(CALL)));
        let given = reward.ok_or_else(missing)?;
        let reward = given.extract::<f64>().map_err(|_| {
            let given = given.repr().map_or_else(|_| "this".to_owned(), |text| text.to_string());
            PyTypeError::new_err(format!("reward {given} is not a number; {}", self.as_in(CALL_AT)))
        })?;
        let node = node.map(|label| self.labels.number(label)).transpose()?;
        let told = self.noted(py, |session, notes| {
            let next = |session: &mut CoreSession| -> Result<NodeId, SessionError> {
                session.ask(walker).map(|order| order.node)
            };
            let node = node.map_or_else(|| next(session), Ok)?;
            session.tell(walker, node, reward)?;
            notes.visited(node, session.now().0, session.found_change());
            Ok(())
        });
        told.map_err(|error| self.refused(py, &error))
    }

    /// Reports a reward that nobody in the team collected, such as that of a fixed sensor.
    fn observe(&self, py: Python<'_>, node: &Bound<'_, PyAny>, reward: f64) -> PyResult<()> {
        let node = self.labels.number(node)?;
        let observed = self.noted(py, |session, notes| {
            session.observe(node, reward)?;
            notes.observed(node, session.now().0);
            Ok(())
        });
        observed.map_err(|error| self.refused(py, &error))
    }

    /// Drops a walker's order: it failed, or was recalled. Its next order is planned from `at`, or from where
    /// it is.
    #[pyo3(signature = (walker=None, *, at=None), text_signature = "($self, walker, *, at=None)")]
    fn failed(
        &self,
        py: Python<'_>,
        walker: Option<&Bound<'_, PyAny>>,
        at: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let call = if at.is_some() { "team.failed({}, at=..)" } else { "team.failed({})" };
        let walker = self.walker(walker, call)?;
        let at = at.map(|label| self.labels.number(label)).transpose()?;
        // Being moved drops the order, too.
        self.asked(py, |session| match at {
            Some(node) => session.move_to(walker, node),
            None => session.fail(walker),
        })
    }

    /// Places a walker on `node`, however it got there. Its order is dropped.
    #[pyo3(signature = (walker=None, node=None), text_signature = "($self, walker, node)")]
    fn move_to(
        &self,
        py: Python<'_>,
        walker: Option<&Bound<'_, PyAny>>,
        node: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        const CALL: &str = "team.move_to({}, node)";
        let walker = self.walker(walker, CALL)?;
        let missing = || PyTypeError::new_err(format!("the node is missing; {}", self.as_in(CALL)));
        let node = self.labels.number(node.ok_or_else(missing)?)?;
        self.asked(py, |session| session.move_to(walker, node))
    }

    /// Reports that the edge between `a` and `b` is blocked, or the road from `a` to `b`. All walkers
    /// plan around it until it opens. Orders that would use it are dropped. Returns the walkers that
    /// had these orders.
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
        self.roads(py, closed)
    }

    /// Where a walker stands.
    #[pyo3(signature = (walker=None), text_signature = "($self, walker)")]
    fn at<'py>(
        &self,
        py: Python<'py>,
        walker: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let walker = self.walker(walker, "team.at({})")?;
        let at = self.asked(py, |session| session.at(walker))?;
        self.labels.label(py, at)
    }

    /// The team without its graph, as JSON.
    fn _dump(&self, py: Python<'_>) -> PyResult<String> {
        let (state, notes) = self.noted(py, |session, notes| (session.state(), notes.clone()));
        let stored = Stored { team: self.definition.clone(), state, notes };
        serde_json::to_string(&stored).map_err(value_error)
    }

    /// Everything that `status` shows, of one moment.
    fn _status<'py>(&self, py: Python<'py>) -> PyResult<StatusNow<'py>> {
        let look = |session: &mut CoreSession| -> Result<_, SessionError> {
            let walkers: Vec<Look> = session
                .walkers()
                .iter()
                .map(|&walker| Look::at(session, walker))
                .collect::<Result<_, _>>()?;
            let is_unseen = |sample: &Sample| sample.count == 0;
            let is_covering = session.estimates().samples().iter().any(is_unseen);
            let closed = session.field().closed().clone();
            let visits = session.estimates().visits();
            let set_aside = SetAside::of_team(session).count();
            Ok((walkers, closed, (visits, is_covering, set_aside, session.most())))
        };
        let (walkers, closed, numbers) = self.asked(py, look)?;
        let walkers = walkers.into_iter().map(|walker| self.walker_now(py, walker));
        Ok((walkers.collect::<PyResult<_>>()?, self.roads(py, closed)?, numbers))
    }

    /// The data behind `best`.
    fn _best<'py>(
        &self,
        py: Python<'py>,
        confidence: f64,
        noise_scale: Option<f64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let declared = self.definition.spec()?.noise_scale();
        let certainty = certainty(declared, (confidence, noise_scale))?;
        let (best, aside) = self.with(py, |session| {
            let best = BestNode::of(certainty, &session.remembered(), session.estimates());
            (best, SetAside::of_team(session))
        });
        best.shown(py, |node| aside.has(node))
    }

    /// The newest changes of rewards that the team found: how many visits its walkers had told, and the number of the
    /// node.
    fn _changes(&self, py: Python<'_>) -> Vec<(u64, NodeId)> {
        self.noted(py, |_, notes| notes.changes())
    }

    /// How long ago each node was last visited, by number; NaN if never, or if the agent does not remember.
    fn _ages<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let ages =
            self.noted(py, |session, notes| notes.ages(session.graph().len(), session.now().0));
        array(py, ages)
    }

    /// The columns of `Estimates`, by node number; missing numbers are NaN.
    fn _estimates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let spec = self.definition.spec()?;
        let known: Vec<NodeEstimate> = self.with(py, |session| {
            let knowledge = Knowledge::of_team(spec.noise_scale(), session);
            session.graph().nodes().map(|node| knowledge.node(node)).collect()
        });
        columns(py, &known)
    }
}

/// A walker at one moment.
struct Look {
    number: WalkerId,
    at: NodeId,
    order: Order,
    visits: u64,
    speed: f64,
    nodes: Option<Vec<NodeId>>,
    /// Its clock, if roads run one way or take time.
    time: Option<f64>,
}

impl Look {
    fn at(session: &CoreSession, walker: WalkerId) -> Result<Self, SessionError> {
        let time = session.time(walker)?.0;
        Ok(Self {
            number: walker,
            at: session.at(walker)?,
            order: session.pending(walker)?.kept(),
            visits: session.visits(walker)?,
            speed: session.speed(walker)?,
            nodes: session.nodes_of(walker)?,
            time: session.field().map().roads().map(|_| time),
        })
    }
}

impl TeamSession {
    fn walker_now<'py>(&self, py: Python<'py>, look: Look) -> PyResult<WalkerNow<'py>> {
        let Look { number, at, order, visits, speed, nodes, time } = look;
        let path = self.labels.tuple(py, &order.path)?;
        let nodes = nodes.map(|nodes| self.labels.tuple(py, &nodes)).transpose()?;
        Ok((number, self.labels.label(py, at)?, path, order.stay, visits, speed, nodes, time))
    }
}

/// The fields of `TeamWalkerStatus`.
type WalkerNow<'py> = (
    WalkerId,
    Bound<'py, PyAny>,
    Bound<'py, PyTuple>,
    u64,
    u64,
    f64,
    Option<Bound<'py, PyTuple>>,
    Option<f64>,
);

/// The walkers, the blocked edges, and numbers: all rewards so far, whether some node was never visited, how many nodes
/// no walker can reach now, and the most walkers at the same time.
type StatusNow<'py> = (Vec<WalkerNow<'py>>, Bound<'py, PyTuple>, (u64, bool, u64, usize));
