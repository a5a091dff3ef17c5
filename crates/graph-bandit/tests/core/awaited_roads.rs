//! Roads that are closed for now, in ask/tell: waiting or a detour, and nothing is lost when a
//! session is stored.

use crate::support::agents::anywhere;
use graph_bandit::{
    AgentSpec, AskTell, ChangeError, Edge, EdgeError, Graph, Init, NodeId, Paid, Preset, Road,
    Seed, SessionPlan, SessionState, Stream,
};
use std::collections::BTreeSet;

fn graph(roads: &[(NodeId, NodeId, f64)]) -> Graph {
    let nodes = roads.iter().map(|&(a, b, _)| a.max(b)).max().unwrap() as usize + 1;
    Graph::from_roads(nodes, roads.iter().map(|&(from, to, time)| Road { from, to, time })).unwrap()
}

fn session(graph: &Graph, agent: &str, init: Init) -> AskTell {
    let built = AgentSpec::parse(agent, Preset::Paper).unwrap().build(graph).unwrap();
    AskTell::new(graph.clone(), built, SessionPlan { init, ..SessionPlan::default() }).unwrap()
}

/// Waiting takes `1/b` and a step; the detour takes two steps and their roads. The shorter one
/// wins.
#[test]
fn a_walker_waits_if_that_is_cheaper_than_the_detour() {
    let mut decisions = BTreeSet::new();
    for tenths in 1..=40 {
        for rate in [0.1, 0.25, 0.5, 2.0] {
            let time = f64::from(tenths) / 10.0 + 0.013;
            let roads =
                [(0, 1, 0.0), (1, 0, 0.0), (0, 2, time), (2, 1, time), (1, 2, 0.0), (2, 0, 0.0)];
            let mut session = session(&graph(&roads), "direct-sp", Init::None);
            for (node, reward) in [(0, 0.1), (1, 9.0), (2, 0.1), (0, 0.1)] {
                session.tell(node, reward).unwrap();
            }
            assert_eq!(
                session.ask().unwrap().node,
                1,
                "if open, it is the fastest path to the best node"
            );
            session.close_for_now((0, 1), rate).unwrap();
            let is_waiting = 1.0 / rate + 1.0 < 2.0 + 2.0 * time;
            let order = session.ask().unwrap().kept();
            let expected = if is_waiting { (0, vec![], 1) } else { (2, vec![2, 1], order.stay) };
            assert_eq!((order.node, order.path, order.stay), expected, "{time} {rate}");
            decisions.insert(is_waiting);
            if is_waiting {
                // It is seen closed again after every visit: no wait is too long to be worth it.
                for _ in 0..30 {
                    session.tell(0, 0.1).unwrap();
                    assert_eq!(session.ask().unwrap().node, 0);
                }
                session.open((0, 1)).unwrap();
                assert_eq!(session.ask().unwrap().node, 1);
                assert_eq!(session.graph().travel(0, 1), Some(0.0));
            }
        }
    }
    assert_eq!(decisions.len(), 2);
}

/// A closure seen long ago and far away counts less: `e^(-b t) / b`.
#[test]
fn a_closure_far_away_is_forgotten_with_time() {
    let line = Graph::line(5).unwrap();
    let mut session = session(&line, "direct-sp", Init::None);
    session.tell(0, 1.0).unwrap();
    session.close_for_now((3, 4), 0.5).unwrap();
    assert_eq!(session.reopening_rate((4, 3)), Some(0.5));
    for (k, node) in [0, 0, 0].into_iter().enumerate() {
        session.ask().unwrap();
        let wait = libm::exp(-0.5 * k as f64) / 0.5;
        for (from, to) in [(3, 4), (4, 3)] {
            let found = session.graph().travel(from, to).unwrap();
            assert!((found - wait).abs() < 1e-12, "{k}: {found} {wait}");
        }
        session.visit(node, 1.0).unwrap();
    }
    // Where the walker sees it, it is still closed.
    session.visit(3, 1.0).unwrap();
    session.ask().unwrap();
    assert_eq!(session.graph().travel(3, 4), Some(2.0));
}

/// A leg told at once equals its visits told one by one.
#[test]
fn a_leg_told_at_once_equals_its_visits() {
    let line = Graph::line(6).unwrap();
    let [mut at_once, mut one_by_one] = [(); 2].map(|()| session(&line, "g-star", Init::Lowest));
    for session in [&mut at_once, &mut one_by_one] {
        for node in 0..6 {
            session.tell(node, f64::from(node)).unwrap();
        }
        session.close_for_now((1, 2), 0.3).unwrap();
    }
    for round in 0..40 {
        let nodes: Vec<_> = at_once.ask().unwrap().nodes().take(7).collect();
        let paid: Vec<Paid> =
            nodes.iter().map(|&node| f64::from(node + round % 3).into()).collect();
        at_once.tell_leg_timed(&paid).unwrap();
        for (&node, &paid) in nodes.iter().zip(&paid) {
            one_by_one.tell(node, paid).unwrap();
        }
        let states = [&at_once, &one_by_one].map(|s| serde_json::to_string(&s.state()).unwrap());
        assert_eq!(states[0], states[1], "{round}");
        at_once.move_to(round % 6).unwrap();
        one_by_one.move_to(round % 6).unwrap();
    }
}

/// Sessions with all agents, random closures and drives: no order enters a closed road, and a
/// session that is stored after every step, or that follows another's decisions, equals one that
/// never was stored.
#[test]
fn closures_for_now_survive_storing() {
    let ring: Vec<_> =
        (0..8_u32).flat_map(|s| [(s, (s + 1) % 8, 0.5), (s, (s + 3) % 8, 1.25)]).collect();
    let roads = graph(&ring);
    let grid = Graph::grid(3, 3).unwrap();
    let agents: Vec<&str> = anywhere(Preset::Paper).iter().map(AgentSpec::name).collect();
    let (mut waited, mut cut, mut plain) = (0, 0, 0);
    for (map, edges) in [(&roads, roads_of(&roads)), (&grid, grid.edges().collect())] {
        for (k, agent) in agents.iter().enumerate() {
            for init in [Init::None, Init::Lowest, Init::Nearest, Init::DepthFirst] {
                let mut whim = Seed(k as u64).stream();
                let mut live = session(map, agent, init);
                let mut stored = session(map, agent, init);
                let mut told = session(map, agent, init);
                for round in 0..60 {
                    let change = change(&mut whim, &edges, live.closed().as_ref());
                    for session in [&mut live, &mut stored, &mut told] {
                        change.make(session);
                    }
                    let planned = live.is_idle();
                    let order = live.ask().unwrap().kept();
                    assert_eq!(order, stored.ask().unwrap().kept(), "{agent} {init} {round}");
                    if planned {
                        told.decide(&live.decision()).unwrap();
                    }
                    let begins = [order.at].into_iter().chain(order.path.iter().copied());
                    for (from, &to) in begins.zip(&order.path) {
                        let listed = if map.roads().is_some() {
                            (from, to)
                        } else {
                            (from.min(to), from.max(to))
                        };
                        assert!(
                            !live.closed().contains(&listed),
                            "{agent} {init} {round}: {order:?}"
                        );
                    }
                    waited += u32::from(order.path.is_empty() && order.stay == 1);
                    cut += u32::from(!order.path.is_empty() && order.stay == 0);
                    let took = (k % 2 == 0 && round % 3 == 0).then(|| 1.0 + whim.unit());
                    let paid = Paid { reward: whim.unit(), took };
                    for session in [&mut live, &mut stored, &mut told] {
                        session.tell(order.node, paid).unwrap();
                    }
                    let closed = stored.closed().into_owned();
                    let text = serde_json::to_string(&stored.state()).unwrap();
                    let state: SessionState = serde_json::from_str(&text).unwrap();
                    let built = AgentSpec::parse(agent, Preset::Paper).unwrap().build(map).unwrap();
                    stored = AskTell::resume_with(map.clone(), &closed, built, state).unwrap();
                    let states =
                        [&live, &stored, &told].map(|s| serde_json::to_string(&s.state()).unwrap());
                    assert!(
                        states[0] == states[1] && states[0] == states[2],
                        "{agent} {init} {round}"
                    );
                    let kind = |session: &AskTell| session.graph().roads().is_some();
                    assert_eq!(kind(&live), kind(&stored), "{agent} {init} {round}");
                    plain += u32::from(!kind(&live) && round > 30);
                    assert_eq!(
                        live.graph().all_roads().collect::<Vec<_>>(),
                        stored.graph().all_roads().collect::<Vec<_>>()
                    );
                }
            }
        }
    }
    assert!(waited > 100 && cut > 100 && plain > 100, "{waited} {cut} {plain}");
}

fn roads_of(graph: &Graph) -> Vec<Edge> {
    graph.all_roads().map(|road| (road.from, road.to)).collect()
}

enum Change {
    Nothing,
    CloseForNow(Edge, f64),
    Open(Edge),
}

fn change(whim: &mut Stream, edges: &[Edge], closed: &BTreeSet<Edge>) -> Change {
    if let Some(&edge) = closed.first().filter(|_| whim.below(4) == 0) {
        return Change::Open(edge);
    }
    let edge = edges[whim.below(edges.len() as u64) as usize];
    match (whim.below(4), closed.contains(&edge)) {
        (0, false) => Change::CloseForNow(edge, [0.1, 0.7, 3.0][whim.below(3) as usize]),
        (_, true) => Change::Open(edge),
        _ => Change::Nothing,
    }
}

impl Change {
    fn make(&self, session: &mut AskTell) {
        match *self {
            Self::Nothing => {}
            Self::CloseForNow(edge, rate) => session.close_for_now(edge, rate).unwrap(),
            Self::Open(edge) => session.open(edge).unwrap(),
        }
    }
}

#[test]
fn bad_closures_are_refused_and_change_nothing() {
    let mut session = session(&Graph::line(3).unwrap(), "g-star", Init::Lowest);
    let before = serde_json::to_string(&session.state()).unwrap();
    for rate in [-0.1, f64::NAN, f64::INFINITY, 1e-9, 1001.0] {
        let refused = session.close_for_now((0, 1), rate).unwrap_err();
        assert!(matches!(refused, ChangeError::Rate(_)), "{refused}");
        assert!(refused.to_string().contains("per unit of time"), "{refused}");
    }
    let no_edge = session.close_for_now((0, 2), 0.5).unwrap_err();
    assert_eq!(no_edge, ChangeError::Edge(EdgeError::NoSuchEdge { edge: (0, 2) }));
    assert_eq!(serde_json::to_string(&session.state()).unwrap(), before);
    session.close_for_now((1, 0), 0.5).unwrap();
    let closed = ChangeError::Edge(EdgeError::AlreadyClosed { edge: (0, 1) });
    assert_eq!(session.close_for_now((0, 1), 0.7).unwrap_err(), closed);
    assert_eq!(session.close((0, 1)).unwrap_err(), closed);
    assert_eq!(*session.closed(), BTreeSet::from([(0, 1)]));
    assert!(session.set_aside().is_empty(), "the walker waits for it");
    // A rate of 0 means closed for good.
    session.close_for_now((1, 2), 0.0).unwrap();
    assert_eq!((session.set_aside(), session.reopening_rate((1, 2))), (vec![2], None));
    session.open((1, 2)).unwrap();
    session.open((0, 1)).unwrap();
    assert_eq!(
        session.open((0, 1)).unwrap_err(),
        ChangeError::Edge(EdgeError::AlreadyOpen { edge: (0, 1) })
    );
    // States that no session can have.
    session.close_for_now((0, 1), 0.5).unwrap();
    let text = serde_json::to_string(&session.state()).unwrap();
    for (was, is) in
        [("\"rate\":0.5", "\"rate\":-1.0"), ("\"wait\":2.0", "\"wait\":3.0"), ("[0,1,{", "[0,2,{")]
    {
        assert!(text.contains(was), "{text}");
        let state: SessionState = serde_json::from_str(&text.replace(was, is)).unwrap();
        let line = Graph::line(3).unwrap();
        let agent = AgentSpec::parse("g-star", Preset::Paper).unwrap().build(&line).unwrap();
        assert!(AskTell::resume(line, agent, state).is_err(), "{is}");
    }
}
