//! No tell, however odd, leads to an illegal order, and refused tells change nothing.
//! `conformance_suite` checks that an agent walks the same in a session as in a run.

use crate::support::agents::anywhere;
use crate::support::worlds;
use graph_bandit::{
    Agent, AgentSpec, AskTell, Estimates, FieldError, Graph, Init, Leg, LegError, NodeId, Phase,
    Preset, Raised, RunPlan, Seed, SessionPlan, Situation, Stream, Tape, TellError, Time, Visit,
    World, run,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const SEED: Seed = Seed(9);
const GRAPHS: [&str; 9] = [
    "line:1",
    "line:2",
    "line:6",
    "circle:5",
    "star:6",
    "tree:7",
    "grid:3x3",
    "complete:5",
    "erdos-renyi:9,0.4",
];

fn every_spec() -> Vec<AgentSpec> {
    [Preset::Paper, Preset::Program].map(anywhere).concat()
}

fn some_world(graph: &str) -> World {
    worlds::world(graph, "uniform:0.5", "uniform:0.5,3.5", Preset::Paper, SEED)
}

fn session(world: &World, spec: &AgentSpec, start: NodeId, init: Init) -> AskTell {
    let agent = spec.build(world.graph()).unwrap();
    let plan = SessionPlan { start, init, seed: SEED };
    AskTell::new(world.shared_graph(), agent, plan).unwrap()
}

/// The reward of the next visit to `node`.
fn pay(world: &World, session: &AskTell, node: NodeId) -> f64 {
    let tape = Tape::new(SEED).node(node);
    world.law(node).draw(tape, session.estimates().count(node), Time::START).unwrap()
}

/// Obeys one order; returns the node visited.
fn obey(world: &World, session: &mut AskTell) -> NodeId {
    let node = session.ask().unwrap().node;
    let reward = pay(world, session, node);
    session.tell(node, reward).unwrap();
    node
}

fn bits(estimates: &Estimates) -> Vec<(u64, u64, u64)> {
    let samples = estimates.samples().iter();
    samples.map(|s| (s.count, s.sum.to_bits(), s.sum_of_squares.to_bits())).collect()
}

/// An order as plain data.
fn order(session: &mut AskTell) -> (NodeId, Vec<NodeId>, u64, Phase) {
    let order = session.ask().unwrap();
    (order.node, order.path.to_vec(), order.stay, order.phase)
}

/// Asserts that the order can be obeyed from where the walker stands.
fn assert_legal(session: &mut AskTell, what: &str) {
    let mut at = session.at();
    let (node, path, stay, _) = order(session);
    assert!(!path.is_empty() || stay > 0, "{what}");
    assert_eq!(node, path.first().copied().unwrap_or(at), "{what}");
    for to in path {
        assert!(session.graph().allows(at, to), "{what}: {at} to {to}");
        at = to;
    }
}

#[test]
fn deviations_never_lead_to_an_illegal_order() {
    for graph in GRAPHS {
        let world = some_world(graph);
        for (spec, init) in every_spec().iter().flat_map(|spec| {
            [Init::Lowest, Init::Nearest, Init::DepthFirst, Init::None].map(|init| (spec, init))
        }) {
            let what = format!("{spec} on {graph}, {init:?}");
            let mut session = session(&world, spec, 0, init);
            let mut whim = Seed(3).stream();
            for _ in 0..300 {
                assert_legal(&mut session, &what);
                match whim.below(10) {
                    0..=2 => {
                        let near = world.graph().neighborhood(session.at());
                        let node = near[whim.below(near.len() as u64) as usize];
                        let reward = pay(&world, &session, node);
                        session.tell(node, reward).unwrap();
                        assert_eq!(session.at(), node, "{what}");
                    }
                    3 => {
                        let node = whim.below(world.graph().len() as u64) as NodeId;
                        let before = bits(session.estimates());
                        session.move_to(node).unwrap();
                        assert_eq!(session.at(), node, "{what}");
                        assert_eq!(bits(session.estimates()), before, "{what}");
                    }
                    _ => {
                        obey(&world, &mut session);
                    }
                }
            }
            if init != Init::None {
                let samples = session.estimates().samples();
                assert!(samples.iter().all(|sample| sample.count > 0), "{what}");
            }
        }
    }
}

/// Stays five times wherever it is asked, and counts how often it is asked and told.
struct Settler {
    asked: Arc<AtomicU64>,
    told: Arc<AtomicU64>,
}

impl Agent for Settler {
    fn next_leg(&mut self, _: &Situation<'_>, _: &mut Stream, leg: &mut Leg) -> Result<(), Raised> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        leg.path.clear();
        leg.stay = 5;
        Ok(())
    }

    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        self.told.fetch_add(1, Ordering::Relaxed);
        assert_eq!((now.at, visit.sample.count), (visit.node, 1));
        Ok(())
    }
}

#[test]
fn a_leg_is_planned_once_and_again_after_a_deviation() {
    let (asked, told) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let agent = Settler { asked: Arc::clone(&asked), told: Arc::clone(&told) };
    let graph = some_world("line:6").shared_graph();
    let plan = SessionPlan { start: 2, init: Init::None, seed: SEED };
    let mut session = AskTell::new(graph, Box::new(agent), plan).unwrap();
    let plans = || asked.load(Ordering::Relaxed);
    for visit in 0..10 {
        assert_eq!(session.ask().unwrap().stay, 5 - visit % 5);
        session.tell(2, 1.0).unwrap();
    }
    assert_eq!(plans(), 2);
    session.tell(2, 1.0).unwrap();
    assert_eq!((session.ask().unwrap().stay, plans()), (4, 3));
    session.tell(3, 1.0).unwrap();
    assert_eq!((session.ask().unwrap().stay, plans()), (5, 4));
    session.move_to(3).unwrap();
    assert_eq!((session.ask().unwrap().stay, plans()), (5, 4));
    session.move_to(0).unwrap();
    assert_eq!((session.ask().unwrap().node, plans()), (0, 5));
    assert_eq!(told.load(Ordering::Relaxed), 12);
}

#[test]
fn refused_tells_change_nothing() {
    for graph in ["line:6", "star:6", "grid:3x3"] {
        let world = some_world(graph);
        let last = world.graph().len() as NodeId - 1;
        for spec in every_spec() {
            let mut calm = session(&world, &spec, 0, Init::Lowest);
            let mut pestered = session(&world, &spec, 0, Init::Lowest);
            for _ in 0..200 {
                let at = pestered.at();
                let unknown = FieldError::UnknownNode { node: last + 1, last };
                assert_eq!(pestered.tell(last + 1, 1.0), Err(unknown.clone().into()));
                assert_eq!(pestered.move_to(last + 1), Err(unknown));
                let far = world.graph().nodes().find(|&v| !world.graph().allows(at, v));
                if let Some(to) = far {
                    let illegal = Err(TellError::IllegalMove { from: at, to });
                    assert_eq!(pestered.tell(to, 1.0), illegal);
                }
                for reward in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                    let refused = pestered.tell(at, reward).unwrap_err();
                    assert!(
                        matches!(refused, TellError::Field(FieldError::NonFiniteReward { node, .. }) if node == at)
                    );
                }
                assert_eq!(pestered.at(), at);
                assert_eq!(order(&mut pestered), order(&mut calm), "{spec} on {graph}");
                obey(&world, &mut calm);
                obey(&world, &mut pestered);
                assert_eq!(bits(pestered.estimates()), bits(calm.estimates()), "{spec}");
            }
        }
    }
}

#[test]
fn a_session_starts_on_a_node() {
    let world = some_world("line:6");
    let agent = every_spec()[0].build(world.graph()).unwrap();
    let plan = SessionPlan { start: 6, ..SessionPlan::default() };
    let outside = AskTell::new(world.shared_graph(), agent, plan);
    let unknown = FieldError::UnknownNode { node: 6, last: 5 };
    assert_eq!(outside.err(), Some(unknown));
}

/// Returns the leg it was made with.
struct Stubborn(Leg);

impl Agent for Stubborn {
    fn next_leg(
        &mut self,
        _now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        *leg = self.0.clone();
        Ok(())
    }
}

#[test]
fn an_agent_s_illegal_leg_never_reaches_the_walker() {
    let graph = Graph::line(6).unwrap();
    let answer = |path: Vec<u32>, stay: u64| {
        let plan = SessionPlan { init: Init::None, ..SessionPlan::default() };
        let agent = Box::new(Stubborn(Leg { path, stay }));
        let mut session = AskTell::new(graph.clone(), agent, plan).unwrap();
        let told = session.tell(0, 1.0).map(drop);
        let asked = session.ask().map(|order| (order.path.to_vec(), order.stay));
        // A refused leg is not told either, and nothing is half done.
        assert_eq!(told.is_err(), asked.is_err());
        assert_eq!(session.estimates().visits(), u64::from(told.is_ok()));
        asked
    };
    let illegal = |from, to| Err(LegError::IllegalStep { from, to });
    assert_eq!(answer(vec![1, 2], 3), Ok((vec![1, 2], 3)));
    assert_eq!(answer(vec![1], u64::MAX), Ok((vec![1], u64::MAX)));
    assert_eq!(answer(vec![1, 4, 5], 3), illegal(1, 4));
    assert_eq!(answer(vec![5], 0), illegal(0, 5));
    assert_eq!(answer(vec![99], u64::MAX), illegal(0, 99));
    assert_eq!(answer(vec![], 0), Err(LegError::EmptyLeg { at: 0 }));
}

#[test]
fn an_endless_leg_is_cut_by_a_run() {
    let world = some_world("line:6");
    let mut agent = Stubborn(Leg { path: vec![1], stay: u64::MAX });
    let plan = RunPlan { init: Init::None, ..RunPlan::new(50, 5) };
    let record = run(&world, &mut agent, &plan, Seed(1)).unwrap();
    assert_eq!(record.visits[1], 50);
    assert_eq!(record.overshoot, u64::MAX - 49);
}
