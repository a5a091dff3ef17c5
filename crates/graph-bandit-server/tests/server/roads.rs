//! Agents on roads: replaying their log, from the beginning or from any snapshot, gives the state of an agent that
//! never stopped, with roads closed one way and both ways, and with reported times.

use graph_bandit::{AgentSpec, NodeId, Paid, Preset, Seed, Stream};
use graph_bandit_server::agent::{
    AgentRequest, Definition, Directions, Event, EventError, GraphLimits, Live, Order, Record,
    Snapshot, in_runs,
};

const LIMITS: GraphLimits = GraphLimits { nodes: 1_000, edges: 10_000 };

/// A town of twelve nodes: a ring of one-way roads, and two-way streets across it, all with different times.
fn town(agent: &str) -> Definition {
    let ring =
        (0..12).map(|from| format!("[{from},{},{}]", (from + 1) % 12, f64::from(from) / 4.0));
    let across = (0..6).flat_map(|from| {
        [format!("[{from},{},1.5]", from + 6), format!("[{},{from},0.25]", from + 6)]
    });
    let roads: Vec<String> = ring.chain(across).collect();
    let request = format!(
        r#"{{"graph":{{"nodes":12,"roads":[{}],"visit_time":30}},"agent":{agent:?},"seed":7,"start":3}}"#,
        roads.join(",")
    );
    let request: AgentRequest = serde_json::from_str(&request).unwrap();
    request.define(LIMITS).unwrap().0
}

fn live(definition: &Definition) -> Live {
    let text = serde_json::to_string(definition).unwrap();
    Live::new(serde_json::from_str(&text).unwrap(), LIMITS).unwrap()
}

/// Everything that could differ between two agents.
fn look(live: &mut Live) -> (Order, String) {
    (live.ask(0, ""), serde_json::to_string(&live.snapshot()).unwrap())
}

fn something(live: &mut Live, stream: &mut Stream) -> Event {
    let nodes = live.graph().len() as u64;
    let node = |stream: &mut Stream| stream.below(nodes) as NodeId;
    let directions =
        |stream: &mut Stream| [Directions::One, Directions::Both][stream.below(2) as usize];
    match stream.below(9) {
        0 => {
            let roads = live.graph().closable();
            let edge = roads[stream.below(roads.len() as u64) as usize];
            let reopening_rate = [0.1, 0.5, 2.0].get(stream.below(6) as usize).copied();
            let (at, directions) = (live.place(), directions(stream));
            Event::EdgeBlocked { edge, at: Some(at), directions, reopening_rate }
        }
        1 | 2 => {
            let closed: Vec<_> = live.blocked().iter().copied().collect();
            if closed.is_empty() {
                return Event::LegFailed { at: live.place(), reason: None };
            }
            let edge = closed[stream.below(closed.len() as u64) as usize];
            Event::EdgeOpened { edge, directions: directions(stream) }
        }
        3 => {
            let walk: Vec<_> = (0..3).map(|_| (node(stream), told(stream))).collect();
            Event::Told { visits: in_runs(walk) }
        }
        _ => {
            let most = live.order().visits().min(20);
            let rewards = (0..=stream.below(most)).map(|_| told(stream)).collect();
            Event::Told { visits: live.as_ordered(rewards).unwrap() }
        }
    }
}

/// A reward, half of the time with the time of its step.
fn told(stream: &mut Stream) -> Paid {
    let took = (stream.below(2) == 0).then(|| 1.0 + 5.0 * stream.unit());
    Paid { reward: stream.unit(), took }
}

type Lives = (Vec<String>, Vec<(Order, String)>);

fn life(definition: &Definition, events: usize) -> Lives {
    let mut agent = live(definition);
    let mut stream = Seed(11).stream();
    let (mut log, mut looks) = (Vec::new(), vec![look(&mut agent)]);
    while log.len() < events {
        let event = something(&mut agent, &mut stream);
        match agent.apply(&event) {
            Ok(happened) => {
                log.push(serde_json::to_string(&Record::of(event, happened)).unwrap());
                looks.push(look(&mut agent));
            }
            // A refusal must change nothing.
            Err(
                EventError::RemembersEdges { .. }
                | EventError::EdgeUnchanged { .. }
                | EventError::Bridge { .. },
            ) => assert_eq!(Some(&look(&mut agent)), looks.last(), "{event:?}"),
            Err(other) => panic!("{other}"),
        }
    }
    (log, looks)
}

fn replay(agent: &mut Live, log: &[String]) {
    for line in log {
        agent.replay(&serde_json::from_str::<Record>(line).unwrap()).unwrap();
    }
}

#[test]
fn any_prefix_and_any_snapshot_gives_the_same_agent() {
    let line = graph_bandit::Graph::line(5).unwrap();
    let all = AgentSpec::all(Preset::Paper).into_iter();
    for spec in all.filter(|spec| spec.build_for_use(&line).is_ok()) {
        let definition = town(&spec.to_string());
        let (log, looks) = life(&definition, 60);
        let mut agent = live(&definition);
        for stop in 0..log.len() {
            let snapshot = serde_json::to_string(&agent.snapshot()).unwrap();
            let snapshot: Snapshot = serde_json::from_str(&snapshot).unwrap();
            let mut again = Live::resume(definition.clone(), snapshot, LIMITS).unwrap();
            let until = (stop + 9).min(log.len());
            replay(&mut again, &log[stop..until]);
            assert_eq!(look(&mut again), looks[until], "{spec} {stop}");
            replay(&mut agent, &log[stop..=stop]);
            assert_eq!(look(&mut agent), looks[stop + 1], "{spec} {stop}");
        }
    }
}

/// Node 2 is nearest, but no road leads back from it, so no order may lead there.
#[test]
fn a_cover_goes_on_where_a_closed_road_made_a_trap() {
    for init in ["nearest", "depth-first", "tour", "lowest"] {
        let request = format!(
            r#"{{"graph":{{"nodes":4,"roads":[[0,1,0],[1,2,0],[1,3,5],[2,3,0],[3,0,0]]}},"agent":"g-ucb","init":{init:?}}}"#
        );
        let request: AgentRequest = serde_json::from_str(&request).unwrap();
        let mut agent = live(&request.define(LIMITS).unwrap().0);
        let paid = Paid { reward: 0.5, took: None };
        agent.apply(&Event::Told { visits: in_runs([(0, paid), (1, paid)]) }).unwrap();
        let closed = Event::EdgeBlocked {
            edge: (2, 3),
            at: Some(1),
            directions: Directions::One,
            reopening_rate: None,
        };
        agent.apply(&closed).unwrap();
        let order = agent.ask(0, "");
        let path: Vec<NodeId> = order.path.iter().map(|place| place.node).collect();
        assert_eq!((path, order.times), (vec![3], Some(vec![6.0])), "{init}");
        // The graph has no visit time.
        assert_eq!((order.times_in_seconds, order.arrival_in_seconds), (None, None));
    }
}

/// Each step of an order takes the time of its road, and a visit.
#[test]
fn orders_have_the_arrival() {
    let definition = town("g-ucb");
    let mut agent = live(&definition);
    let map = agent.graph().clone();
    let mut long = 0;
    for step in 0..200 {
        let order = agent.ask(0, "");
        let times = order.times.clone().unwrap();
        let (mut from, mut all) = (order.at.node, 0.0);
        assert_eq!(times.len(), order.path.len());
        for (time, to) in times.iter().zip(&order.path) {
            assert_eq!(*time, 1.0 + map.travel(from, to.node).unwrap());
            all += time;
            from = to.node;
        }
        let arrival = agent.time() + all;
        assert_eq!(order.arrival, Some(arrival));
        assert_eq!(order.arrival_in_seconds, Some(arrival * 30.0));
        assert_eq!(order.times_in_seconds, Some(times.iter().map(|time| time * 30.0).collect()));
        long += usize::from(times.len() > 1);
        let rewards = vec![f64::from(step % 7); order.path.len().max(1)];
        agent.apply(&Event::Told { visits: agent.as_ordered(rewards).unwrap() }).unwrap();
        // Without a reported time, a step takes the expected time.
        let stayed = if order.path.is_empty() { 1.0 } else { 0.0 };
        assert_eq!(agent.time(), arrival + stayed);
    }
    assert!(long > 10, "too few paths of several steps: {long}");
}

/// The record has the reported times, and none where none was reported.
#[test]
fn records_keep_the_times_of_steps() {
    let told = |paid: &[(NodeId, Paid)]| {
        serde_json::to_string(&Event::Told { visits: in_runs(paid.iter().copied()) }).unwrap()
    };
    let with = |took| Paid { reward: 0.5, took };
    assert_eq!(
        told(&[(1, with(Some(2.5))), (2, with(None)), (2, with(Some(1.0))), (2, with(None))]),
        r#"{"kind":"told","visits":[{"node":1,"rewards":[0.5],"took":[2.5]},{"node":2,"rewards":[0.5,0.5,0.5],"took":[null,1.0,null]}]}"#
    );
    assert_eq!(
        told(&[(1, with(None)), (1, with(None))]),
        r#"{"kind":"told","visits":[{"node":1,"rewards":[0.5,0.5]}]}"#
    );
    let blocked = Event::EdgeBlocked {
        edge: (1, 0),
        at: Some(2),
        directions: Directions::One,
        reopening_rate: None,
    };
    assert_eq!(
        serde_json::to_string(&blocked).unwrap(),
        r#"{"kind":"edge-blocked","edge":[1,0],"at":2}"#
    );
}

#[test]
fn impossible_times_change_nothing() {
    let mut agent = live(&town("g-star"));
    let before = look(&mut agent);
    for took in [0.0, -1.0, 0.99, f64::NAN, f64::INFINITY, 1e9] {
        let fine = Paid { reward: 1.0, took: Some(1.0) };
        let wrong = Paid { reward: 1.0, took: Some(took) };
        let visits = in_runs([(3, fine), (4, wrong)]);
        let error = agent.apply(&Event::Told { visits }).unwrap_err();
        assert!(matches!(error, EventError::ImpossibleTook { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains(&format!("{took} for the step to node 4")), "{text}");
        assert_eq!(look(&mut agent), before, "{took}");
    }
    let mut visits = in_runs([(3, 1.0)]);
    visits[0].took = vec![None; 2];
    let error = agent.apply(&Event::Told { visits }).unwrap_err();
    assert!(matches!(error, EventError::OtherTimes { times: 2, visits: 1 }));
    assert_eq!(look(&mut agent), before);
}
