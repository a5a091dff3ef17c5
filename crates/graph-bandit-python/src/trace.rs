//! One run, visit by visit: what animations and closer looks need.

use crate::errors::of_lab;
use crate::study::{Failure, Study, check_agent, number};
use graph_bandit::run::run_observed;
use graph_bandit::{
    Agent, Estimates, Leg, NodeId, Observer, Phase, Seed, Situation, Stream, Tape, TapeKind, Visit,
    Window, World,
};
use graph_bandit_lab::LabError;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The most visits that are written down.
const MOST_VISITS: u64 = 100_000_000;

/// One run, visit by visit.
#[pyclass(frozen, get_all, module = "graph_bandit._core")]
pub(crate) struct Trace {
    /// The number of the node of every visit, initialization included.
    nodes: Py<PyArray1<i64>>,
    /// What every visit paid.
    rewards: Py<PyArray1<f64>>,
    /// At which visit every leg begins.
    legs: Py<PyArray1<i64>>,
    /// How many visits initialization made.
    init_steps: u64,
    /// The mean rewards of the run's world, by node number.
    means: Py<PyArray1<f64>>,
}

/// Writes down where a run goes.
struct Scribe {
    visits: Vec<NodeId>,
    legs: Vec<u64>,
    most: u64,
}

impl Observer for Scribe {
    fn leg(&mut self, at: NodeId, leg: &Leg, _: &Estimates) {
        self.legs.push(self.visits.len() as u64);
        let left = self.most - self.visits.len() as u64;
        self.visits.extend(leg.path.iter().take(usize::try_from(left).unwrap_or(usize::MAX)));
        let left = self.most - self.visits.len() as u64;
        let stay = leg.stay.min(left) as usize;
        self.visits.extend(std::iter::repeat_n(leg.destination(at), stay));
    }
}

/// Makes one run of one agent of a study and writes it down.
#[pyfunction]
pub(crate) fn trace(py: Python<'_>, study: &Study, agent: usize, run: u64) -> PyResult<Trace> {
    let (shell, study) = (study, &study.study);
    let entrant = check_agent(study, agent)?;
    let plan = &study.plan;
    if plan.steps > MOST_VISITS {
        return Err(PyValueError::new_err(format!(
            "{} steps are too many to write down; the limit is {MOST_VISITS}",
            plan.steps
        )));
    }
    if plan.window == Window::Last || plan.tape == TapeKind::Sums {
        return Err(PyValueError::new_err(
            "a run is written down in window \"first\" on tape \"one-by-one\" only",
        ));
    }
    let seed = study.run_seed(run);
    let made = shell.watched(
        py,
        |_| Ok(()),
        || -> Result<_, LabError> {
            let world = study.world(run)?;
            let of_run =
                |reason: String| LabError::Run { agent: entrant.label(study.preset), run, reason };
            let mut built =
                entrant.build(&study.graph, seed).map_err(|error| of_run(error.to_string()))?;
            let mut scribe = Scribe { visits: Vec::new(), legs: Vec::new(), most: plan.steps };
            let mut listening =
                Listening { agent: built.as_mut(), covered: Vec::new(), failure: &shell.failure };
            run_observed(&world, &mut listening, plan, seed, &mut scribe)
                .map_err(|error| of_run(error.to_string()))?;
            let covered = listening.covered;
            let nodes: Vec<NodeId> = covered.iter().chain(&scribe.visits).copied().collect();
            let rewards = rewards_of(&world, &nodes, seed, &shell.failure);
            Ok((world, scribe, covered, nodes, rewards))
        },
    )?;
    let (world, scribe, covered, nodes, rewards) = made.map_err(|error| of_lab(&error))?;
    let init_steps = covered.len() as u64;
    let legs: Vec<i64> = scribe.legs.iter().map(|&leg| (leg + init_steps) as i64).collect();
    Ok(Trace {
        nodes: nodes.into_iter().map(number).collect::<Vec<_>>().into_pyarray(py).unbind(),
        rewards: rewards.into_pyarray(py).unbind(),
        legs: legs.into_pyarray(py).unbind(),
        init_steps,
        means: world.means().to_vec().into_pyarray(py).unbind(),
    })
}

/// The tape, read again along the walk, unless somebody says stop.
fn rewards_of(world: &World, nodes: &[NodeId], seed: Seed, failure: &Failure) -> Vec<f64> {
    let tape = Tape::new(seed);
    let mut visits = vec![0_u64; world.graph().len()];
    let reward = |&node: &NodeId| {
        let k = &mut visits[node as usize];
        *k += 1;
        world.law(node).draw(tape.node(node), *k - 1)
    };
    nodes.iter().take_while(|_| !failure.happened()).map(reward).collect()
}

/// Writes down the visits of initialization, of which an observer does not hear, and ends the run
/// once somebody says stop.
struct Listening<'a> {
    agent: &'a mut dyn Agent,
    covered: Vec<NodeId>,
    failure: &'a Failure,
}

impl Agent for Listening<'_> {
    fn next_leg(&mut self, now: &Situation<'_>, stream: &mut Stream, leg: &mut Leg) {
        if self.failure.happened() {
            *leg = Leg::default();
        } else {
            self.agent.next_leg(now, stream, leg);
        }
    }

    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) {
        if visit.phase == Phase::Cover {
            self.covered.extend(std::iter::repeat_n(visit.node, visit.sample.count as usize));
        }
        self.agent.observe(now, visit);
    }
}
