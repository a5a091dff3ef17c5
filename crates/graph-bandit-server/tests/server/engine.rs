//! An agent is its definition and its log: replaying them, from the beginning or from any snapshot, gives
//! the state and the order of an agent that never stopped.

use graph_bandit::{AgentSpec, AskTell, NodeId, Phase, Preset, Seed, SessionPlan, Stream};
use graph_bandit_server::agent::Directions::One;
use graph_bandit_server::agent::{
    AgentRequest, Definition, Event, EventError, GraphLimits, Live, Order, Receipt, Record,
    Snapshot, Visits, in_runs,
};

const LIMITS: GraphLimits = GraphLimits { nodes: 1_000, edges: 10_000 };

fn definition(agent: &str, graph: &str, init: &str) -> Definition {
    let request =
        format!(r#"{{"graph":{graph:?},"agent":{agent:?},"seed":7,"start":3,"init":{init:?}}}"#);
    let request: AgentRequest = serde_json::from_str(&request).unwrap();
    request.define(LIMITS).unwrap().0
}

fn live(definition: &Definition) -> Live {
    // As a store would return it.
    let text = serde_json::to_string(definition).unwrap();
    Live::new(serde_json::from_str(&text).unwrap(), LIMITS).unwrap()
}

fn stored(snapshot: &Snapshot) -> Snapshot {
    serde_json::from_str(&serde_json::to_string(snapshot).unwrap()).unwrap()
}

fn nodes(order: &Order) -> Vec<NodeId> {
    order.path.iter().map(|place| place.node).collect()
}

/// Everything that could differ between two agents.
fn look(live: &mut Live) -> (u64, String, String) {
    let snapshot = serde_json::to_string(&live.snapshot()).unwrap();
    let order = live.ask(0, "");
    // Without the number: the same events may come in more reports.
    (order.sequence, format!("{:?}", Order { sequence: 0, ..order }), snapshot)
}

/// A random event: mostly part of the order; else a detour, a failure, a jump, or an edge that is blocked
/// or opened.
fn something(live: &mut Live, stream: &mut Stream) -> Event {
    let nodes = live.graph().len() as u64;
    let node = |stream: &mut Stream| stream.below(nodes) as u32;
    match stream.below(14) {
        12 => Event::Moved { at: node(stream), reason: None },
        13 => {
            let seen: Vec<_> = (0..3).map(|_| (node(stream), stream.unit())).collect();
            Event::Observed { observations: in_runs(seen) }
        }
        0 => Event::LegFailed { at: node(stream), reason: Some("wind".to_owned()) },
        1 => Event::LegFailed { at: live.place(), reason: None },
        2 => {
            let edges: Vec<_> = live.graph().edges().collect();
            let edge = edges[stream.below(edges.len() as u64) as usize];
            Event::EdgeBlocked {
                edge,
                at: Some(live.place()),
                directions: One,
                reopening_rate: None,
            }
        }
        3 => match live.blocked().first() {
            Some(&(a, b)) => Event::EdgeOpened { edge: (b, a), directions: One },
            None => Event::Told { visits: in_runs([(live.place(), 0.25)]) },
        },
        4 => {
            let walk: Vec<_> = (0..3).map(|_| (node(stream), stream.unit())).collect();
            Event::Told { visits: in_runs(walk) }
        }
        _ => {
            let most = live.order().visits().min(20);
            let rewards = (0..=stream.below(most)).map(|_| stream.unit()).collect();
            Event::Told { visits: live.as_ordered(rewards).unwrap() }
        }
    }
}

/// A log of random events, and the state of the agent after each record.
fn life(definition: &Definition, events: usize) -> (Vec<String>, Vec<(u64, String, String)>) {
    let mut agent = live(definition);
    let mut stream = Seed(11).stream();
    let mut log = Vec::new();
    let mut looks = vec![look(&mut agent)];
    while log.len() < events {
        let event = something(&mut agent, &mut stream);
        match agent.apply(&event) {
            Ok(happened) => {
                let record = Record::of(event, happened);
                log.push(serde_json::to_string(&record).unwrap());
                looks.push(look(&mut agent));
            }
            // A refusal must change nothing.
            Err(
                EventError::RemembersEdges { .. }
                | EventError::EdgeUnchanged { .. }
                | EventError::Bridge { .. },
            ) => {
                assert_eq!(Some(&look(&mut agent)), looks.last());
            }
            Err(other) => panic!("{other}"),
        }
    }
    (log, looks)
}

fn replay(agent: &mut Live, log: &[String]) {
    for line in log {
        let record: Record = serde_json::from_str(line).unwrap();
        agent.replay(&record).unwrap();
    }
}

/// The agents that can walk any graph where nobody knows the future.
fn usable() -> impl Iterator<Item = AgentSpec> {
    let line = graph_bandit::Graph::line(5).unwrap();
    let all = AgentSpec::all(Preset::Paper).into_iter();
    // Another test registers an agent that changes its plans on purpose.
    all.filter(move |spec| spec.name() != "moody" && spec.build_for_use(&line).is_ok())
}

#[test]
fn agents_that_know_the_future_are_not_served() {
    let graph = r#""graph":"complete:3""#;
    let request = |agent: &str| -> AgentRequest {
        serde_json::from_str(&format!(r#"{{{graph},"agent":{agent:?}}}"#)).unwrap()
    };
    let refused = request("restarting-klucb").define(LIMITS).unwrap_err().to_string();
    assert!(refused.contains("only a simulation knows"), "{refused}");
    assert!(request("exp3s").define(LIMITS).is_ok());
    assert!(usable().count() >= 25);
}

#[test]
fn replaying_any_prefix_gives_the_same_agent() {
    for spec in usable() {
        for init in ["lowest", "nearest", "depth-first", "tour", "none"] {
            let definition = definition(&spec.to_string(), "grid:3x4", init);
            let (log, looks) = life(&definition, 40);
            for stop in (0..=log.len()).step_by(3) {
                let mut again = live(&definition);
                replay(&mut again, &log[..stop]);
                assert_eq!(look(&mut again), looks[stop], "{spec} {init} {stop}");
            }
        }
    }
}

#[test]
fn resuming_from_any_snapshot_gives_the_same_agent() {
    for spec in usable() {
        let definition = definition(&spec.to_string(), "grid:4x4", "nearest");
        let (log, looks) = life(&definition, 60);
        let mut agent = live(&definition);
        for stop in 0..log.len() {
            let snapshot = stored(&agent.snapshot());
            let mut again = Live::resume(definition.clone(), snapshot, LIMITS).unwrap();
            let until = (stop + 9).min(log.len());
            replay(&mut again, &log[stop..until]);
            assert_eq!(look(&mut again), looks[until], "{spec} {stop}");
            replay(&mut agent, &log[stop..=stop]);
        }
    }
}

/// Reading is not an event: an agent that is read all the time goes the same way.
#[test]
fn orders_equal_those_of_a_plain_session() {
    for spec in usable() {
        let definition = definition(&spec.to_string(), "circle:9", "lowest");
        let mut agent = live(&definition);
        let graph = graph_bandit::Graph::circle(9).unwrap();
        let built = spec.build(&graph).unwrap();
        let plan = SessionPlan { start: 3, seed: Seed(7), ..SessionPlan::default() };
        let mut plain = AskTell::new(graph, built, plan).unwrap();
        let paid = |node: u32, k: u64| Seed(u64::from(node)).unit(k) + f64::from(node % 4);
        for _ in 0..300 {
            // Asking changes nothing.
            let asked = agent.ask(0, "");
            let order = plain.ask().unwrap();
            assert_eq!((nodes(&asked), asked.stay), (order.path.to_vec(), order.stay), "{spec}");
            let node = order.node;
            let reward = paid(node, plain.estimates().count(node));
            plain.tell(node, reward).unwrap();
            let told = Event::Told { visits: in_runs([(node, reward)]) };
            let receipt = agent.apply(&told).unwrap().receipt;
            assert!(!receipt.replanned);
            assert_eq!(receipt.visits, plain.estimates().visits());
        }
        assert_eq!(agent.estimates(), plain.estimates());
    }
}

#[test]
fn a_leg_in_one_report_equals_a_leg_in_parts() {
    let definition = definition("g-ts", "grid:4x4", "lowest");
    let (mut whole, mut parts) = (live(&definition), live(&definition));
    let mut stream = Seed(3).stream();
    for _ in 0..200 {
        let visits = whole.order().visits().min(30);
        let rewards: Vec<f64> = (0..visits).map(|_| stream.unit()).collect();
        for run in whole.as_ordered(rewards.clone()).unwrap() {
            for reward in run.rewards {
                let visits = vec![Visits { node: run.node, rewards: vec![reward], took: vec![] }];
                parts.apply(&Event::Told { visits }).unwrap();
            }
        }
        let visits = whole.as_ordered(rewards).unwrap();
        whole.apply(&Event::Told { visits }).unwrap();
        assert_eq!(look(&mut whole).1, look(&mut parts).1);
    }
}

#[test]
fn the_agent_goes_around_a_blocked_edge_until_it_opens() {
    // A ring of six: with 0-1 blocked, the path from 0 to 1 leads all around.
    let definition = definition("g-ucb", "circle:6", "lowest");
    let mut agent = live(&definition);
    let tell = |agent: &mut Live, node, reward| {
        agent.apply(&Event::Told { visits: in_runs([(node, reward)]) }).unwrap()
    };
    for node in [2, 1, 0, 5, 4, 3, 2, 1, 0] {
        tell(&mut agent, node, if node == 1 { 9.0 } else { 0.5 });
    }
    assert_eq!(agent.order().path, [1]);
    let blocked =
        Event::EdgeBlocked { edge: (1, 0), at: Some(0), directions: One, reopening_rate: None };
    assert!(agent.apply(&blocked).unwrap().receipt.replanned);
    assert_eq!(agent.order().path, [5, 4, 3, 2, 1]);
    let again = agent.apply(&blocked).unwrap_err().to_string();
    assert_eq!(again, "the edge between node 0 and node 1 is blocked already");
    agent.apply(&Event::EdgeOpened { edge: (0, 1), directions: One }).unwrap();
    assert_eq!(agent.order().path, [1]);
    let no_edge =
        Event::EdgeBlocked { edge: (0, 3), at: Some(0), directions: One, reopening_rate: None };
    let refusal = agent.apply(&no_edge).unwrap_err().to_string();
    assert_eq!(refusal, "there is no edge between node 0 and node 3");
    let off =
        Event::EdgeBlocked { edge: (0, 77), at: Some(0), directions: One, reopening_rate: None };
    assert!(agent.apply(&off).is_err());
}

#[test]
fn nodes_cut_off_are_set_aside_until_an_edge_opens() {
    // A ring of six in two parts: 0, 4, 5 and 1, 2, 3.
    let definition = definition("g-ucb", "circle:6", "nearest");
    let mut agent = live(&definition);
    for (node, reward) in [(3, 0.5), (2, 9.0), (1, 0.5), (0, 0.5)] {
        agent.apply(&Event::Told { visits: in_runs([(node, reward)]) }).unwrap();
    }
    agent
        .apply(&Event::EdgeBlocked {
            edge: (0, 1),
            at: Some(0),
            directions: One,
            reopening_rate: None,
        })
        .unwrap();
    agent
        .apply(&Event::EdgeBlocked {
            edge: (3, 4),
            at: Some(0),
            directions: One,
            reopening_rate: None,
        })
        .unwrap();
    let order = agent.ask(0, "");
    assert_eq!(nodes(&order), [5]);
    assert_eq!(order.why.reason, "not every node within reach has been visited yet");
    assert_eq!(order.why.set_aside_nodes, 3);
    assert_eq!(order.why.runner_up.unwrap().place.node, 4);
    for node in [5, 4, 5] {
        agent.apply(&Event::Told { visits: in_runs([(node, 1.0)]) }).unwrap();
    }
    // Estimates of the other part are kept, but no order leads there.
    let known = agent.node_estimates(0..6);
    let aside: Vec<_> = known.iter().map(|node| node.set_aside).collect();
    assert_eq!(aside, [false, true, true, true, false, false]);
    assert_eq!((known[2].estimate, known[2].score), (Some(9.0), None));
    let order = agent.ask(0, "");
    assert!(nodes(&order).iter().all(|node| [0, 4, 5].contains(node)), "{order:?}");
    // Bounds on the path are compared with the highest within reach, not with 9.
    assert!(order.why.path_cost.unwrap() < 5.0, "{order:?}");
    let mut again = Live::resume(definition, stored(&agent.snapshot()), LIMITS).unwrap();
    assert_eq!(look(&mut again), look(&mut agent));
    // A visit in the other part means that it was carried there, and it goes on there.
    let receipt = agent.apply(&Event::Told { visits: in_runs([(1, 0.5)]) }).unwrap().receipt;
    assert_eq!((receipt.at, receipt.replanned), (Some(1), true));
    assert_eq!(agent.order().path, [2]);
    agent.apply(&Event::LegFailed { at: 4, reason: None }).unwrap();
    agent.apply(&Event::EdgeOpened { edge: (3, 4), directions: One }).unwrap();
    assert_eq!(agent.order().path, [3, 2]);
    assert_eq!(agent.set_aside().count(), 0);
}

#[test]
fn observations_are_known_and_do_not_move_the_walker() {
    let definition = definition("g-ucb", "line:6", "nearest");
    let mut agent = live(&definition);
    for node in [3, 2, 1, 0, 1, 2, 3, 4, 5] {
        agent.apply(&Event::Told { visits: in_runs([(node, 0.5)]) }).unwrap();
    }
    let before = agent.ask(0, "");
    let seen = in_runs([(0, 90.0), (0, 90.0), (3, 1.0)]);
    let receipt = agent.apply(&Event::Observed { observations: seen }).unwrap().receipt;
    assert_eq!((receipt.at, receipt.visits, receipt.replanned), (Some(5), 12, false));
    let after = agent.ask(0, "");
    assert_eq!((nodes(&after), after.stay, after.at), (nodes(&before), before.stay, before.at));
    // The agent did not collect the reward, but it is all that is known of the node.
    assert_eq!((agent.rewards().visits(), agent.rewards().observed()), (9, 3));
    assert_eq!(agent.rewards().reward(), 4.5);
    assert_eq!(agent.estimates().sample(0).sum, 180.5);
    let mut again = Live::resume(definition, stored(&agent.snapshot()), LIMITS).unwrap();
    assert_eq!(look(&mut again), look(&mut agent));
    // When its leg ends, it goes there.
    let rest = agent.order().visits();
    let visits = agent.as_ordered(vec![0.5; rest as usize]).unwrap();
    agent.apply(&Event::Told { visits }).unwrap();
    assert_eq!(agent.order().path.last(), Some(&0));
}

#[test]
fn an_order_of_initialization_ends_when_observations_end_it() {
    let definition = definition("g-ucb", "line:6", "nearest");
    let mut agent = live(&definition);
    agent.apply(&Event::Told { visits: in_runs([(3, 0.5)]) }).unwrap();
    // Node 0 cannot be reached, so it need not be known.
    agent
        .apply(&Event::EdgeBlocked {
            edge: (0, 1),
            at: None,
            directions: One,
            reopening_rate: None,
        })
        .unwrap();
    let observed =
        |seen: &[(NodeId, f64)]| Event::Observed { observations: in_runs(seen.to_vec()) };
    let before = agent.order().path.to_vec();
    let happened = agent.apply(&observed(&[(1, 0.5), (2, 0.5), (4, 0.5)])).unwrap();
    assert_eq!((happened.receipt.replanned, happened.plans.len()), (false, 0));
    assert_eq!((agent.order().phase, agent.order().path), (Phase::Cover, before.as_slice()));
    let snapshot = stored(&agent.snapshot());
    let (last, happened) = (observed(&[(5, 9.0)]), agent.apply(&observed(&[(5, 9.0)])).unwrap());
    assert_eq!((happened.receipt.replanned, happened.plans.len()), (true, 1));
    assert_eq!((agent.order().phase, agent.order().path), (Phase::Learn, [4, 5].as_slice()));
    let resumed = || Live::resume(definition.clone(), snapshot.clone(), LIMITS).unwrap();
    let mut again = resumed();
    let record = Record::of(last, happened);
    again.replay(&record).unwrap();
    assert_eq!(look(&mut again), look(&mut agent));
    // A log that went on with the order stands.
    let mut again = resumed();
    let receipt = Receipt { replanned: false, ..record.receipt };
    again.replay(&Record { plans: Vec::new(), receipt, ..record }).unwrap();
    assert_eq!((again.order().phase, again.order().path), (Phase::Cover, before.as_slice()));
}

#[test]
fn a_robot_that_takes_over_elsewhere_goes_on_from_there() {
    let mut agent = live(&definition("g-ucb", "line:6", "nearest"));
    agent.apply(&Event::Told { visits: in_runs([(3, 0.5)]) }).unwrap();
    assert_eq!(agent.order().path, [2]);
    let moved = Event::Moved { at: 5, reason: Some("robot 2 takes over".to_owned()) };
    let receipt = agent.apply(&moved).unwrap().receipt;
    assert_eq!((receipt.at, receipt.visits, receipt.replanned), (Some(5), 1, true));
    let order = agent.order();
    assert_eq!((order.path.len(), order.stay), (0, 1));
    // Moving to the same node drops the leg, too.
    let receipt = agent.apply(&Event::Moved { at: 5, reason: None }).unwrap().receipt;
    assert_eq!((receipt.at, receipt.replanned), (Some(5), true));
}

#[test]
fn a_visit_off_the_path_counts_all_the_same() {
    let definition = definition("g-ucb", "line:8", "lowest");
    let mut agent = live(&definition);
    assert_eq!(agent.order().path, [2, 1, 0]);
    let receipt = agent.apply(&Event::Told { visits: in_runs([(6, 1.5)]) }).unwrap().receipt;
    assert_eq!((receipt.at, receipt.visits, receipt.replanned), (Some(6), 1, true));
    assert_eq!(agent.estimates().sample(6).sum, 1.5);
    assert_eq!(agent.order().path, [5, 4, 3, 2, 1, 0]);
}

#[test]
fn a_report_is_accepted_as_a_whole_or_not_at_all() {
    let definition = definition("g-star", "line:4", "lowest");
    let mut agent = live(&definition);
    let before = look(&mut agent);
    let bad = [
        Event::Told { visits: vec![] },
        Event::Told { visits: vec![Visits { node: 1, rewards: vec![], took: vec![] }] },
        Event::Told { visits: in_runs([(2, 1.0), (3, f64::NAN)]) },
        Event::Told { visits: in_runs([(2, 1.0), (3, 1e101)]) },
        Event::Told { visits: in_runs([(2, 1.0), (4, 1.0)]) },
        Event::LegFailed { at: 4, reason: None },
        Event::EdgeBlocked { edge: (0, 1), at: Some(9), directions: One, reopening_rate: None },
        Event::Observed { observations: vec![] },
        Event::Observed { observations: in_runs([(2, 1.0), (3, 1e101)]) },
        Event::Observed { observations: in_runs([(2, 1.0), (4, 1.0)]) },
        Event::Moved { at: 4, reason: None },
    ];
    for event in bad {
        agent.apply(&event).unwrap_err();
        assert_eq!(look(&mut agent), before, "{event:?}");
    }
    assert!(agent.as_ordered(vec![1.0; 4]).is_err());
}

#[test]
fn an_imported_agent_goes_on_with_a_log_of_its_own() {
    let definition = definition("local-ts", "grid:3x3", "lowest");
    let (log, looks) = life(&definition, 30);
    let mut agent = live(&definition);
    replay(&mut agent, &log[..20]);
    let origin = Some(Box::new(stored(&agent.snapshot())));
    let imported = Definition { origin, ..definition.clone() };
    let mut imported = live(&imported);
    assert_eq!(imported.sequence(), 0);
    assert_eq!(look(&mut imported).1, looks[20].1);
    for line in &log[20..] {
        let record: Record = serde_json::from_str(line).unwrap();
        imported.apply(&record.event).unwrap();
    }
    assert_eq!(look(&mut imported).1, looks[30].1);
}

#[test]
fn why_by_hand() {
    let definition = definition("g-ucb", "line:4", "none");
    let mut agent = live(&definition);
    for (node, reward) in [(3, 0.0), (2, 0.0), (1, 0.0), (0, 10.0)] {
        agent.apply(&Event::Told { visits: in_runs([(node, reward)]) }).unwrap();
    }
    agent.apply(&Event::LegFailed { at: 3, reason: None }).unwrap();
    let order = agent.ask(0, "");
    assert_eq!(nodes(&order), [2, 1, 0]);
    let why = order.why;
    // t = 4, n = 1: radius sqrt(2 ln 4) = 1.6651092.
    let near = |number: Option<f64>, expected: f64| (number.unwrap() - expected).abs() < 1e-6;
    assert_eq!((why.destination.visits, why.destination.estimate), (1, Some(10.0)));
    assert!(near(why.destination.radius, 1.665_109_2), "{why:?}");
    assert!(near(why.destination.bound, 11.665_109_2) && near(why.destination.score, 11.665_109_2));
    // Nodes 2 and 1 on the path fall short by 10 each.
    assert!(near(why.path_cost, 20.0), "{why:?}");
    let runner_up = why.runner_up.unwrap();
    assert_eq!(runner_up.place.node, 1);
    assert!(near(runner_up.estimate.bound, 1.665_109_2));
}

/// If no trip promises anything, the runner-up is the node with the highest bound.
#[test]
fn a_runner_up_among_equals() {
    let mut agent = live(&definition("g-star", "line:4", "none"));
    for (node, mean) in [(0, 10.0), (1, 20.0), (2, 50.0), (3, 90.0)] {
        let rewards = (0..40).map(|k| (node, mean + f64::from(k % 2)));
        agent.apply(&Event::Told { visits: in_runs(rewards) }).unwrap();
    }
    let order = agent.ask(0, "");
    assert!(order.path.is_empty());
    let runner_up = order.why.runner_up.unwrap();
    assert_eq!((runner_up.estimate.score, runner_up.place.node), (Some(0.0), 2));
}
