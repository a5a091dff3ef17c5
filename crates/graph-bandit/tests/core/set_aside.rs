//! Closed edges that cut nodes off: unreachable nodes are set aside until they are reachable again.

use crate::support::agents::anywhere;
use crate::support::edge_bound::EdgeBound;
use graph_bandit::{
    AgentSpec, AskTell, ChangeError, Edge, EdgeError, Graph, GraphSpec, Init, NodeId, Order,
    Origin, Phase, Preset, Seed, SessionPlan, Stream,
};
use std::collections::BTreeSet;
use std::sync::Arc;

const INITS: [Init; 4] = [Init::Lowest, Init::Nearest, Init::DepthFirst, Init::None];

fn planning_specs() -> impl Iterator<Item = AgentSpec> {
    anywhere(Preset::Paper).into_iter().filter(|spec| !spec.name().starts_with("ql-"))
}

fn session(graph: &Arc<Graph>, spec: &AgentSpec, plan: SessionPlan) -> AskTell {
    AskTell::new(Arc::clone(graph), spec.build(graph).unwrap(), plan).unwrap()
}

fn order(session: &mut AskTell) -> Order {
    session.ask().unwrap().kept()
}

fn reward(node: NodeId, whim: &mut Stream) -> f64 {
    f64::from(node * 7 % 11) + whim.unit()
}

/// The nodes that open edges lead to from `at`, by the simplest search.
fn reached(graph: &Graph, closed: &BTreeSet<Edge>, at: NodeId) -> BTreeSet<NodeId> {
    let mut reached = BTreeSet::from([at]);
    loop {
        let before = reached.len();
        for (a, b) in graph.edges().filter(|edge| !closed.contains(edge)) {
            if reached.contains(&a) || reached.contains(&b) {
                reached.extend([a, b]);
            }
        }
        if reached.len() == before {
            return reached;
        }
    }
}

/// The part of `graph` around `at`, as a graph of its own, and its nodes.
fn alone(graph: &Graph, closed: &BTreeSet<Edge>, at: NodeId) -> (Arc<Graph>, Vec<NodeId>) {
    let nodes: Vec<NodeId> = reached(graph, closed, at).into_iter().collect();
    let number = |node: NodeId| nodes.iter().position(|&n| n == node).map(|n| n as NodeId);
    let open = graph.edges().filter(|edge| !closed.contains(edge));
    let edges: Vec<_> = open.filter_map(|(a, b)| Some((number(a)?, number(b)?))).collect();
    (Arc::new(Graph::from_edges(nodes.len(), edges).unwrap()), nodes)
}

/// In a part, if no other nodes were ever visited, an agent decides as if there were no other
/// nodes.
#[test]
fn a_part_is_walked_as_if_it_were_the_whole_graph() {
    let cases = [
        (
            "grid:5x5",
            12,
            vec![(2, 7), (6, 7), (7, 8), (11, 12), (12, 13), (16, 17), (17, 18), (17, 22)],
        ),
        ("line:30", 20, vec![(3, 4), (9, 10), (24, 25)]),
        ("tree:40,3", 1, vec![(0, 1)]),
        ("circle:12", 7, vec![(3, 4), (9, 10)]),
        // Parts of more than a thousand nodes, whose bounds play in tournaments.
        ("line:2600", 2_000, vec![(1_299, 1_300)]),
    ];
    for (text, start, closed) in cases {
        let graph = text.parse::<GraphSpec>().unwrap();
        let graph = Arc::new(graph.build(Seed(1)).unwrap());
        let closed = BTreeSet::from_iter(closed);
        let (part, nodes) = alone(&graph, &closed, start);
        assert!(part.len() < graph.len(), "{text}");
        for spec in planning_specs() {
            // Parameters that follow from the number of nodes count all of them.
            if spec.origin() == Origin::Changing {
                continue;
            }
            if graph.len() > 1_000 && !["g-ucb", "direct-sp", "g-star"].contains(&spec.name()) {
                continue;
            }
            for init in INITS {
                let plan = SessionPlan { start, init, seed: Seed(3) };
                let mut confined = session(&graph, &spec, plan);
                for &edge in &closed {
                    confined.close(edge).unwrap();
                }
                let inside = nodes.binary_search(&start).unwrap() as NodeId;
                let mut plain = session(&part, &spec, SessionPlan { start: inside, ..plan });
                let mut whim = Seed(5).stream();
                let visits = if graph.len() > 1_000 { 1_700 } else { 150 };
                for step in 0..visits {
                    let what = format!("{spec} on {text}, {init:?}, visit {step}");
                    let expected = order(&mut plain);
                    let found = order(&mut confined);
                    let path: Vec<_> = expected.path.iter().map(|&n| nodes[n as usize]).collect();
                    assert_eq!((&found.path, found.stay), (&path, expected.stay), "{what}");
                    assert_eq!(found.phase, expected.phase, "{what}");
                    let reward = reward(found.node, &mut whim);
                    confined.tell(found.node, reward).unwrap();
                    plain.tell(expected.node, reward).unwrap();
                }
                let scores = confined.scores();
                let expected = plain.scores();
                assert_eq!(scores.is_some(), expected.is_some());
                for (node, score) in graph.nodes().zip(scores.unwrap_or_default()) {
                    match (nodes.binary_search(&node), &expected) {
                        (Ok(inside), Some(expected)) => {
                            assert_eq!(score.to_bits(), expected[inside].to_bits());
                        }
                        _ => assert!(score.is_nan(), "{node} is set aside"),
                    }
                }
            }
        }
    }
}

/// Whatever closes and opens, whoever reports and wherever the walker is carried: legs stay within
/// reach, everything within reach is covered first, and a stored session continues the same, as
/// does one that takes all decisions from another.
#[test]
fn legs_stay_within_reach_and_opened_nodes_return() {
    for text in ["grid:4x4", "line:9", "tree:15,2", "circle:8"] {
        let graph = text.parse::<GraphSpec>().unwrap();
        let graph = Arc::new(graph.build(Seed(1)).unwrap());
        let edges: Vec<Edge> = graph.edges().collect();
        for (spec, seed) in planning_specs().zip(10..) {
            let init = INITS[seed as usize % 4];
            let plan = SessionPlan { start: 1, init, seed: Seed(seed) };
            let mut session = self::session(&graph, &spec, plan);
            // It observes the same, takes every decision from the other, and never plans.
            let mut handed = self::session(&graph, &spec, plan);
            let mut whim = Seed(seed).stream();
            let mut cut = 0;
            for step in 0..300 {
                let what = format!("{spec} on {text}, {init:?}, step {step}");
                let any = |whim: &mut Stream| whim.below(graph.len() as u64) as NodeId;
                match whim.below(12) {
                    0..=2 => {
                        let edge = edges[whim.below(edges.len() as u64) as usize];
                        let is_closed = session.field().closed().contains(&edge);
                        for session in [&mut session, &mut handed] {
                            let changed =
                                if is_closed { session.open(edge) } else { session.close(edge) };
                            changed.unwrap();
                        }
                    }
                    3 => {
                        let first = session.field().closed().first().copied();
                        for session in [&mut session, &mut handed] {
                            if let Some(edge) = first {
                                session.open(edge).unwrap();
                            }
                        }
                    }
                    4 => {
                        let node = any(&mut whim);
                        for session in [&mut session, &mut handed] {
                            session.move_to(node).unwrap();
                        }
                    }
                    5 => {
                        let (node, reward) = (any(&mut whim), whim.unit());
                        for session in [&mut session, &mut handed] {
                            session.observe(node, reward).unwrap();
                        }
                    }
                    _ => {}
                }
                let closed = session.field().closed().clone();
                let within = reached(&graph, &closed, session.at());
                let aside: Vec<_> = graph.nodes().filter(|node| !within.contains(node)).collect();
                assert_eq!(session.set_aside(), aside, "{what}");
                cut += u32::from(!aside.is_empty());

                let text = serde_json::to_string(&session.state()).unwrap();
                let state = serde_json::from_str(&text).unwrap();
                let fresh = spec.build(&graph).unwrap();
                let mut again =
                    AskTell::resume_with(Arc::clone(&graph), &closed, fresh, state).unwrap();

                let is_new = session.is_idle();
                let found = order(&mut session);
                assert_eq!(order(&mut again), found, "{what}");
                if is_new {
                    handed.decide(&session.decision()).unwrap();
                }
                let states =
                    [&session, &handed].map(|s| serde_json::to_string(&s.state()).unwrap());
                assert_eq!(states[0], states[1], "{what}");
                let mut from = session.at();
                for &to in &found.path {
                    let edge = (from.min(to), from.max(to));
                    assert!(graph.allows(from, to) && !closed.contains(&edge), "{what}: {edge:?}");
                    from = to;
                }
                let unvisited = within.iter().any(|&n| session.estimates().count(n) == 0);
                if found.phase == Phase::Learn && init != Init::None {
                    assert!(!unvisited, "{what}: not everything within reach is covered");
                }
                let before = session.estimates().clone();
                let reward = reward(found.node, &mut whim);
                session.tell(found.node, reward).unwrap();
                handed.tell(found.node, reward).unwrap();
                for node in graph.nodes().filter(|&node| node != found.node) {
                    assert_eq!(session.estimates().sample(node), before.sample(node), "{what}");
                }
            }
            assert!(cut > 30, "{spec} on {text} was cut {cut} times");
        }
    }
}

/// The tournament of one part says nothing about another part, even if both have equally many nodes
/// and all visits are known.
#[test]
fn a_part_of_the_same_size_is_a_different_part() {
    let graph = Arc::new(Graph::line(2_400).unwrap());
    for name in ["g-ucb", "direct-sp"] {
        let spec = AgentSpec::parse(name, Preset::Paper).unwrap();
        let plan = SessionPlan { start: 0, init: Init::None, seed: Seed(1) };
        let mut session = session(&graph, &spec, plan);
        let mut whim = Seed(6).stream();
        for node in graph.nodes() {
            session.observe(node, reward(node, &mut whim)).unwrap();
        }
        session.close((1_199, 1_200)).unwrap();
        for round in 0..6 {
            session.move_to(if round % 2 == 0 { 600 } else { 1_900 }).unwrap();
            let closed = session.field().closed().clone();
            let fresh = spec.build(&graph).unwrap();
            let again = AskTell::resume_with(Arc::clone(&graph), &closed, fresh, session.state());
            let mut again = again.unwrap();
            for _ in 0..20 {
                let found = order(&mut session);
                assert_eq!(order(&mut again), found, "{name}, round {round}");
                let reward = reward(found.node, &mut whim);
                session.tell(found.node, reward).unwrap();
                again.tell(found.node, reward).unwrap();
            }
        }
    }
}

/// An edge that closes and opens while nothing else happens leaves no trace.
#[test]
fn closing_and_opening_leaves_no_trace() {
    let graph = Arc::new(Graph::grid(4, 4).unwrap());
    for spec in planning_specs() {
        for init in INITS {
            let plan = SessionPlan { start: 5, init, seed: Seed(2) };
            let mut closing = session(&graph, &spec, plan);
            let mut plain = session(&graph, &spec, plan);
            let mut whim = Seed(9).stream();
            for step in 0..120 {
                if step % 7 == 3 {
                    // The corner, with its two edges, is cut off and then reconnected.
                    for edge in [(14, 15), (11, 15)] {
                        closing.close(edge).unwrap();
                    }
                    assert!(!closing.set_aside().is_empty());
                    for edge in [(14, 15), (11, 15)] {
                        closing.open(edge).unwrap();
                    }
                    plain.abandon();
                }
                let expected = order(&mut plain);
                assert_eq!(order(&mut closing), expected, "{spec}, {init:?}, visit {step}");
                let reward = reward(expected.node, &mut whim);
                closing.tell(expected.node, reward).unwrap();
                plain.tell(expected.node, reward).unwrap();
            }
            let states =
                [closing.state(), plain.state()].map(|s| serde_json::to_string(&s).unwrap());
            assert_eq!(states[0], states[1], "{spec}, {init:?}");
        }
    }
}

#[test]
fn a_walker_walks_the_dead_end_that_closes_behind_it() {
    let graph = Arc::new(Graph::line(4).unwrap());
    let spec = AgentSpec::parse("g-star", Preset::Paper).unwrap();
    let plan = SessionPlan { start: 0, init: Init::Nearest, seed: Seed(0) };
    let mut session = session(&graph, &spec, plan);
    session.tell(0, 1.0).unwrap();
    session.tell(1, 5.0).unwrap();
    session.move_to(0).unwrap();
    session.close((1, 0)).unwrap();
    assert_eq!(session.set_aside(), [1, 2, 3]);
    let only = order(&mut session);
    assert_eq!((only.path, only.phase), (vec![], Phase::Learn));
    session.tell(0, 1.0).unwrap();
    // Carried across, it has the other part and covers it.
    session.move_to(1).unwrap();
    assert_eq!(session.set_aside(), [0]);
    let next = order(&mut session);
    assert_eq!((next.path, next.phase), (vec![2], Phase::Cover));
    assert_eq!(session.estimates().count(0), 2);
    session.open((0, 1)).unwrap();
    assert_eq!(session.set_aside(), [0_u32; 0]);
}

/// An agent that remembers by edge needs all nodes, as does one about which nothing is known.
#[test]
fn an_agent_that_needs_all_nodes_is_not_cut_off() {
    let graph = Arc::new(Graph::line(4).unwrap());
    let agent = Box::new(EdgeBound::new(&graph));
    let mut session = AskTell::new(Arc::clone(&graph), agent, SessionPlan::default()).unwrap();
    let cut = EdgeError::CutsOff { edge: (1, 2), cut_off: 2 };
    assert_eq!(session.close((2, 1)), Err(ChangeError::Edge(cut)));
    let fresh = Box::new(EdgeBound::new(&graph));
    let closed = BTreeSet::from([(1, 2)]);
    let resumed = AskTell::resume_with(graph, &closed, fresh, session.state());
    assert!(resumed.err().unwrap().to_string().contains("falls apart"));
}
