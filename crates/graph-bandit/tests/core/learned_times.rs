//! Told travel times are learned, road by road.

use crate::support::agents::anywhere;
use crate::support::edge_bound::EdgeBound;
use graph_bandit::{
    Agent, AgentSpec, AskTell, FieldError, Graph, Hearing, Init, Leg, NodeId, Paid, Preset, Raised,
    Road, RoadTimes, Seed, SessionPlan, SessionState, Situation, Stream, TellError, Visit,
};
use std::sync::{Arc, Mutex};

fn paid(reward: f64, took: f64) -> Paid {
    Paid { reward, took: Some(took) }
}

fn agent(spec: &str, graph: &Graph) -> Box<dyn Agent + Send> {
    AgentSpec::parse(spec, Preset::Paper).unwrap().build(graph).unwrap()
}

/// From 0 to 1 directly, or over 2; from 1 straight back.
fn two_ways(direct: f64, over: f64) -> Arc<Graph> {
    let roads =
        [(0, 1, direct), (0, 2, over), (2, 1, over), (1, 0, 0.0), (1, 2, over), (2, 0, over)];
    let roads = roads.map(|(from, to, time)| Road { from, to, time });
    Arc::new(Graph::from_roads(3, roads).unwrap())
}

#[test]
fn the_clock_follows_told_times_and_means_match_by_hand() {
    let graph = two_ways(2.0, 1.0);
    let mut session =
        AskTell::new(Arc::clone(&graph), agent("g-star", &graph), SessionPlan::default()).unwrap();
    session.tell(0, 1.0).unwrap();
    session.tell(1, paid(1.0, 6.0)).unwrap();
    assert_eq!((session.clock().now().0, session.clock().travel()), (7.0, 5.0));
    // The map says 2; the drive took 5.
    assert_eq!(session.graph().travel(0, 1), Some(3.5));
    assert_eq!(session.field().times_of((0, 1)), RoadTimes { count: 1, sum: 5.0 });
    assert_eq!(session.field().map().travel(0, 1), Some(2.0), "the map does not change");
    // A longer stay passes time and says nothing about roads.
    session.tell(1, paid(1.0, 2.5)).unwrap();
    assert_eq!(session.clock().now().0, 9.5);
    // Nothing told: the road takes its expected time, and nothing is learned.
    session.tell(0, 1.0).unwrap();
    session.tell(1, 1.0).unwrap();
    assert_eq!(session.clock().now().0, 9.5 + 1.0 + 4.5);
    assert_eq!(session.field().times_of((0, 1)).count, 1);
    // Clocks are rounded: slightly less than a visit counts as a visit.
    session.visit(0, paid(1.0, 1.0 - 1e-9)).unwrap();
    session.visit(1, paid(1.0, 1.5)).unwrap();
    assert_eq!(session.graph().travel(0, 1), Some((2.0 + 5.0 + 0.5) / 3.0));
    assert_eq!(session.graph().travel(1, 0), Some(0.0));
    // Carried where no road leads: time passes, and no road is learned.
    let before = session.clock().now().0;
    session.visit(2, 0.5).unwrap();
    assert_eq!(session.clock().now().0, before + 2.0);
}

/// Stays, and notes when each visit ended.
struct Watchful(Arc<Mutex<Vec<f64>>>);

impl Agent for Watchful {
    fn next_leg(
        &mut self,
        _now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        *leg = Leg { path: vec![], stay: 3 };
        Ok(())
    }

    fn observe(&mut self, now: &Situation<'_>, _visit: &Visit) -> Result<(), Raised> {
        self.0.lock().unwrap().push(now.clock.now().0);
        Ok(())
    }

    fn hearing(&self) -> Hearing {
        Hearing::EveryVisit
    }
}

/// The agent observes a visit at the time at which it ended, also if it waited without a move.
#[test]
fn agents_observe_visits_when_they_end() {
    let ended = Arc::new(Mutex::new(Vec::new()));
    let agent = Box::new(Watchful(Arc::clone(&ended)));
    let plan = SessionPlan { init: Init::None, ..SessionPlan::default() };
    let mut session = AskTell::new(Graph::line(3).unwrap(), agent, plan).unwrap();
    session.tell(0, paid(1.0, 10.0)).unwrap();
    session.tell_leg_timed(&[paid(1.0, 5.0), paid(1.0, 1.0)]).unwrap();
    session.visit(0, paid(1.0, 4.0)).unwrap();
    session.visit(1, paid(1.0, 3.0)).unwrap();
    assert_eq!(*ended.lock().unwrap(), [10.0, 15.0, 16.0, 20.0, 23.0]);
    assert_eq!(session.clock().now().0, 23.0);
}

#[test]
fn bad_times_change_nothing() {
    let graph = two_ways(2.0, 1.0);
    let mut session =
        AskTell::new(Arc::clone(&graph), agent("g-ucb", &graph), SessionPlan::default()).unwrap();
    session.tell(0, 1.0).unwrap();
    session.ask().unwrap();
    let before = serde_json::to_string(&session.state()).unwrap();
    for took in [0.9, -1.0, f64::NAN, f64::INFINITY, 1e12] {
        let refused = [
            session.tell(1, paid(1.0, took)).unwrap_err(),
            session.visit(1, paid(1.0, took)).unwrap_err(),
            session.tell_leg_timed(&[paid(1.0, took)]).unwrap_err(),
        ];
        for error in refused {
            assert!(
                matches!(error, TellError::Field(FieldError::ImpossibleTime { .. })),
                "{error}"
            );
            let text = error.to_string();
            assert!(text.contains(&format!("took {took}")) && text.contains("from 1 to"), "{text}");
        }
    }
    assert_eq!(serde_json::to_string(&session.state()).unwrap(), before);
}

#[test]
fn an_agent_with_a_wrong_map_ends_on_the_faster_path() {
    // The map says that the direct road takes 1, but it takes 20. The path over 2 takes 6.
    let graph = two_ways(1.0, 2.0);
    for spec in ["g-ucb", "g-star", "direct-sp", "ucrl2", "g-klucb"] {
        let plan = SessionPlan { init: Init::Nearest, ..SessionPlan::default() };
        let mut session = AskTell::new(Arc::clone(&graph), agent(spec, &graph), plan).unwrap();
        let reward = |node: NodeId| [0.1, 1.0, 0.05][node as usize];
        let mut ways = Vec::new();
        for _ in 0..60 {
            // Whenever it reaches 1, it is carried back.
            session.move_to(0).unwrap();
            session.abandon();
            let mut way = Vec::new();
            for _ in 0..50 {
                let (at, node) = (session.at(), session.ask().unwrap().node);
                let time =
                    if (at, node) == (0, 1) { 20.0 } else { graph.travel(at, node).unwrap() };
                session.tell(node, paid(reward(node), 1.0 + time)).unwrap();
                way.push(node);
                if node == 1 {
                    break;
                }
            }
            ways.push(way);
        }
        // One drive of 20 turns the map's 1 into 10.5.
        assert!(session.field().times_of((0, 1)).count >= 1, "{spec}");
        let last = ways.iter().rev().find(|way| way.last() == Some(&1)).unwrap();
        assert!(last.ends_with(&[2, 1]), "{spec}: {last:?}");
        assert!(session.graph().travel(0, 1).unwrap() > 10.0, "{spec}");
    }
}

/// Unit graphs become graphs of roads with the first road that took time.
#[test]
fn all_agents_learn_times_and_are_resumed_with_them() {
    let road_map = two_ways(0.5, 1.5);
    let unit_map = Arc::new(Graph::grid(3, 3).unwrap());
    for (map, took) in [(&road_map, 1.0), (&unit_map, 0.3), (&unit_map, 0.0)] {
        for spec in anywhere(Preset::Paper) {
            for init in [Init::Lowest, Init::DepthFirst, Init::Tour, Init::None] {
                let plan = SessionPlan { init, seed: Seed(3), start: 1 };
                let fresh = || spec.build(map).unwrap();
                let mut session = AskTell::new(Arc::clone(map), fresh(), plan).unwrap();
                let mut other = AskTell::new(Arc::clone(map), fresh(), plan).unwrap();
                let mut whim = Seed(8).stream();
                for round in 0..40 {
                    let order = session.ask().unwrap().kept();
                    let visits = order.visits().min(6) as usize;
                    let rewards: Vec<Paid> = order
                        .nodes()
                        .take(visits)
                        .map(|node| {
                            paid(f64::from(node % 4) + whim.unit(), 1.0 + took * whim.unit())
                        })
                        .collect();
                    // Telling the whole leg equals telling visit by visit.
                    let nodes: Vec<NodeId> = order.nodes().take(visits).collect();
                    session.tell_leg_timed(&rewards).unwrap();
                    for (&node, &paid) in nodes.iter().zip(&rewards) {
                        other.ask().unwrap();
                        other.tell(node, paid).unwrap();
                    }
                    let text = serde_json::to_string(&session.state()).unwrap();
                    assert_eq!(text, serde_json::to_string(&other.state()).unwrap(), "{spec}");
                    if round % 7 == 0 {
                        let state: SessionState = serde_json::from_str(&text).unwrap();
                        other = AskTell::resume(Arc::clone(map), fresh(), state).unwrap();
                        let same = serde_json::to_string(&other.state()).unwrap();
                        assert_eq!(text, same, "{spec}");
                    }
                }
                assert_eq!(session.graph().roads().is_some(), map.roads().is_some() || took > 0.0);
            }
        }
    }
}

#[test]
fn states_without_times_load_and_states_with_bad_times_do_not() {
    let graph = two_ways(2.0, 1.0);
    let mut session =
        AskTell::new(Arc::clone(&graph), agent("g-ucb", &graph), SessionPlan::default()).unwrap();
    session.tell(0, 1.0).unwrap();
    let old = serde_json::to_string(&session.state()).unwrap();
    assert!(!old.contains("times"), "{old}");
    let state = serde_json::from_str(&old).unwrap();
    assert!(AskTell::resume(Arc::clone(&graph), agent("g-ucb", &graph), state).is_ok());
    session.tell(1, paid(1.0, 4.0)).unwrap();
    let new = serde_json::to_string(&session.state()).unwrap();
    let told = r#""times":[[0,1,{"count":1,"sum":3.0}]]"#;
    assert!(new.contains(told), "{new}");
    for bad in [
        r#""times":[[0,7,{"count":1,"sum":3.0}]]"#,
        r#""times":[[1,1,{"count":1,"sum":3.0}]]"#,
        r#""times":[[0,1,{"count":1,"sum":-3.0}]]"#,
        r#""times":[[0,1,{"count":0,"sum":3.0}]]"#,
        r#""times":[[0,1,{"count":1,"sum":1e300}]]"#,
    ] {
        let state = serde_json::from_str(&new.replace(told, bad)).unwrap();
        let refused = AskTell::resume(Arc::clone(&graph), agent("g-ucb", &graph), state).err();
        assert!(refused.unwrap().to_string().contains("does it belong to this map?"), "{bad}");
    }
}

#[test]
fn an_agent_that_remembers_edges_refuses_when_a_road_takes_time() {
    let line = Graph::line(3).unwrap();
    let agent = Box::new(EdgeBound::new(&line));
    let mut session = AskTell::new(line, agent, SessionPlan::default()).unwrap();
    session.tell(0, 1.0).unwrap();
    session.tell(1, paid(1.0, 1.0)).unwrap();
    assert!(session.graph().roads().is_none(), "no road took time");
    let refused = session.tell(2, paid(1.0, 3.0)).unwrap_err().to_string();
    assert!(refused.contains("edge by edge"), "{refused}");
    assert_eq!((session.at(), session.estimates().visits()), (2, 3), "the visit stays recorded");
}

#[test]
fn closed_edges_and_learned_times_work_together() {
    let grid = Arc::new(Graph::grid(3, 3).unwrap());
    for spec in anywhere(Preset::Paper) {
        let mut session =
            AskTell::new(Arc::clone(&grid), spec.build(&grid).unwrap(), SessionPlan::default())
                .unwrap();
        let mut whim = Seed(5).stream();
        let edges: Vec<_> = grid.edges().collect();
        for _ in 0..120 {
            let node = session.ask().unwrap().node;
            session.tell(node, paid(f64::from(node) + whim.unit(), 1.0 + whim.unit())).unwrap();
            let edge = edges[whim.below(edges.len() as u64) as usize];
            let times: Vec<_> = edges.iter().map(|&road| session.field().times_of(road)).collect();
            if session.field().closed().contains(&edge) {
                session.open(edge).unwrap();
            } else if session.field().closed().len() < 5 {
                session.close(edge).unwrap();
            }
            assert!(
                edges.iter().zip(times).all(|(&road, was)| session.field().times_of(road) == was)
            );
            for &(a, b) in &edges {
                let expected = session.field().times_of((a, b)).mean(0.0);
                let is_closed = session.field().closed().contains(&(a, b));
                assert_eq!(
                    session.graph().travel(a, b),
                    (!is_closed).then_some(expected),
                    "{spec}"
                );
            }
            let closed = session.field().closed().clone();
            let state = session.state();
            let fresh = spec.build(&grid).unwrap();
            let mut again = AskTell::resume_with(Arc::clone(&grid), &closed, fresh, state).unwrap();
            assert_eq!(again.ask().unwrap().kept(), session.ask().unwrap().kept(), "{spec}");
        }
    }
}
