//! A stored session on a large graph continues bit for bit, as `conformance_suite` shows on small
//! ones; a leg told at once equals its visits told one by one; a state of another session is
//! refused.

use crate::support::agents::anywhere;
use crate::support::worlds;
use graph_bandit::{
    AgentSpec, AskTell, FieldError, Graph, Init, NodeId, Phase, Preset, Seed, SessionPlan,
    SessionState, StateError, Tape, TellError, Time, World,
};

const SEED: Seed = Seed(4);
const GRAPHS: [&str; 6] = ["line:1", "line:6", "star:6", "grid:3x3", "complete:5", "circle:40"];

fn every_spec() -> Vec<AgentSpec> {
    [Preset::Paper, Preset::Program].map(anywhere).concat()
}

fn some_world(graph: &str) -> World {
    worlds::world(graph, "uniform:0.5", "uniform:0.5,3.5", Preset::Paper, SEED)
}

fn session(world: &World, spec: &AgentSpec, init: Init) -> AskTell {
    let agent = spec.build(world.graph()).unwrap();
    let start = world.graph().len() as NodeId / 2;
    AskTell::new(world.shared_graph(), agent, SessionPlan { start, init, seed: SEED }).unwrap()
}

fn stored_and_resumed(session: &AskTell, world: &World, spec: &AgentSpec) -> AskTell {
    let text = serde_json::to_string(&session.state()).unwrap();
    let state: SessionState = serde_json::from_str(&text).unwrap();
    AskTell::resume(world.shared_graph(), spec.build(world.graph()).unwrap(), state).unwrap()
}

/// The reward of the next visit to `node`.
fn pay(world: &World, session: &AskTell, node: NodeId) -> f64 {
    world
        .law(node)
        .draw(Tape::new(SEED).node(node), session.estimates().count(node), Time::START)
        .unwrap()
}

/// Makes one visit as ordered; returns the order and its reward.
fn obey(world: &World, session: &mut AskTell) -> (NodeId, Vec<NodeId>, u64, Phase, u64) {
    let order = session.ask().unwrap();
    let (node, path, stay, phase) = (order.node, order.path.to_vec(), order.stay, order.phase);
    let reward = pay(world, session, node);
    session.tell(node, reward).unwrap();
    (node, path, stay, phase, reward.to_bits())
}

#[test]
fn a_session_resumed_on_a_large_graph_plays_the_tournament_again() {
    let world = some_world("grid:34x34");
    for name in ["g-ucb", "direct-sp", "g-moss"] {
        let spec = AgentSpec::parse(name, Preset::Paper).unwrap();
        let mut whole = session(&world, &spec, Init::DepthFirst);
        let mut broken = session(&world, &spec, Init::DepthFirst);
        for step in 0..12_000 {
            if step % 997 == 0 {
                broken = stored_and_resumed(&broken, &world, &spec);
            }
            let expected = obey(&world, &mut whole);
            assert_eq!(obey(&world, &mut broken), expected, "{name}, step {step}");
        }
    }
}

#[test]
fn a_leg_told_at_once_equals_its_visits_told_one_by_one() {
    for graph in GRAPHS {
        let world = some_world(graph);
        for spec in every_spec() {
            let mut single = session(&world, &spec, Init::Lowest);
            let mut by_leg = session(&world, &spec, Init::Lowest);
            for leg in 0..60 {
                let order = by_leg.ask().unwrap();
                let most = order.path.len() + 5_000;
                // A robot may also report in two parts.
                let visits: Vec<NodeId> = order.nodes().take(most).collect();
                let rewards: Vec<f64> = visits
                    .iter()
                    .map(|&node| {
                        assert_eq!(
                            single.ask().unwrap().node,
                            node,
                            "{spec} on {graph}, leg {leg}"
                        );
                        let reward = pay(&world, &single, node);
                        single.tell(node, reward).unwrap();
                        reward
                    })
                    .collect();
                let (first, rest) = rewards.split_at(rewards.len() / 3);
                by_leg.tell_leg(first).unwrap();
                by_leg.tell_leg(rest).unwrap();
                assert_eq!(single.estimates(), by_leg.estimates(), "{spec} on {graph}");
            }
        }
    }
}

#[test]
fn a_leg_is_told_completely_or_not_at_all() {
    let world = some_world("grid:3x3");
    let spec = AgentSpec::parse("g-ucb", Preset::Paper).unwrap();
    let mut session = session(&world, &spec, Init::DepthFirst);
    let before = session.estimates().clone();
    let visits = session.ask().unwrap().path.len() as u64 + session.ask().unwrap().stay;
    let many = vec![0.5; visits as usize + 1];
    assert_eq!(
        session.tell_leg(&many),
        Err(TellError::TooManyRewards { rewards: many.len(), visits })
    );
    for wrong in [f64::NAN, f64::INFINITY, -1e101] {
        assert!(matches!(
            session.tell_leg(&[wrong]),
            Err(TellError::Field(FieldError::NonFiniteReward { .. }))
        ));
        let at = session.at();
        assert!(matches!(
            session.tell(at, wrong),
            Err(TellError::Field(FieldError::NonFiniteReward { .. }))
        ));
    }
    assert_eq!(session.estimates(), &before);
    session.tell_leg(&[]).unwrap();
    assert_eq!(session.estimates(), &before);
}

#[test]
fn states_of_other_sessions_are_refused() {
    let world = some_world("grid:3x3");
    let ucb = AgentSpec::parse("g-ucb", Preset::Paper).unwrap();
    let ql = AgentSpec::parse("ql-ucb-h", Preset::Paper).unwrap();
    let mut walked = session(&world, &ql, Init::DepthFirst);
    for _ in 0..30 {
        obey(&world, &mut walked);
    }
    let resume = |graph: &Graph, spec: &AgentSpec, state: SessionState| {
        AskTell::resume(graph.clone(), spec.build(graph).unwrap(), state).map(|_| ())
    };
    let line = Graph::line(9).unwrap();
    let small = Graph::line(4).unwrap();
    assert_eq!(
        resume(&small, &ql, walked.state()),
        Err(StateError::OtherGraph { stored: 9, nodes: 4 })
    );
    assert!(matches!(resume(world.graph(), &ucb, walked.state()), Err(StateError::Memory(_))));
    assert!(matches!(resume(&line, &ql, walked.state()), Err(StateError::Memory(_))));
    resume(world.graph(), &ql, walked.state()).unwrap();

    let json = serde_json::to_value(walked.state()).unwrap();
    let changed = |pointer: &str, value: serde_json::Value| {
        let mut json = json.clone();
        *json.pointer_mut(pointer).unwrap() = value;
        serde_json::from_value::<SessionState>(json)
            .map_err(|error| error.to_string())
            .and_then(|state| resume(world.graph(), &ql, state).map_err(|e| e.to_string()))
            .unwrap_err()
    };
    assert!(changed("/at", 9.into()).contains("node 9; the nodes are 0 to 8"));
    assert!(changed("/leg/path", vec![4_000_000_000_u32].into()).contains("4000000000"));
    assert!(changed("/entered", 77.into()).contains("77 entered"));
    assert!(changed("/cover/trail", vec![12].into()).contains("node 12"));
    assert!(changed("/cover/lowest", 99.into()).contains("below 99 are visited"));
    assert!(changed("/estimates/0/count", 0.into()).contains("no"));
    assert!(changed("/memory/counts/0", u64::MAX.into()).contains("the limit is"));
    assert!(changed("/estimates/3/sum", serde_json::Value::Null).contains("null"));
}
