//! A team is its definition and its log, too: replaying them, from the beginning or from any snapshot, gives
//! the state and the orders of a team that never stopped. Every walker has its own report numbers.

use graph_bandit::{NodeId, Seed, Stream};
use graph_bandit_server::agent::Directions::{Both, One};
use graph_bandit_server::agent::{
    AgentRequest, Channel, Definition, Event, EventError, GraphLimits, LiveTeam, Order, Planning,
    Receipt, Record, Served, Snapshot, WalkerDefinition, WalkerName, in_runs,
};
use graph_bandit_server::fleet::{
    Fleet, FleetError, FleetLimits, KeepHistory, Observation, Report, Reported, Told,
};
use graph_bandit_server::metrics::Metrics;
use graph_bandit_server::store::{MemoryStore, Store};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

const LIMITS: GraphLimits = GraphLimits { nodes: 1_000, edges: 10_000 };

fn request(more: &Value) -> AgentRequest {
    let mut request = json!({
        "graph": "grid:3x4", "seed": 7, "share": "log:0.5", "seats": 2,
        "walkers": [{"name": "anna"}, {"start": 11, "nodes": [3, 7, 11]}, {"start": 5, "speed": 2}],
    });
    for (name, value) in more.as_object().unwrap() {
        request[name] = value.clone();
    }
    serde_json::from_value(request).unwrap()
}

fn definition(more: &Value) -> Definition {
    let (definition, graph) = request(more).define(LIMITS).unwrap();
    // With the first orders, as a store has it.
    Served::on(definition, graph).unwrap().definition().clone()
}

fn team(definition: &Definition) -> Served {
    let text = serde_json::to_string(definition).unwrap();
    Served::new(serde_json::from_str(&text).unwrap(), LIMITS).unwrap()
}

fn of(served: &Served) -> &LiveTeam {
    served.team().unwrap()
}

fn stored(snapshot: &Snapshot) -> Snapshot {
    serde_json::from_str(&serde_json::to_string(snapshot).unwrap()).unwrap()
}

/// Everything that could differ between two teams.
fn look(served: &Served) -> String {
    let snapshot = serde_json::to_string(&served.snapshot()).unwrap();
    let team = of(served);
    let order = |&walker: &u64| team.ask(&WalkerName::Number(walker), 0).unwrap();
    let orders: Vec<Order> = team.walkers().iter().map(order).collect();
    format!("{orders:?} {:?} {snapshot}", team.summary())
}

/// A random event, and who reports it: mostly part of an order; else a detour, a failure, an edge that is
/// blocked or opened, an observation, a walker that joins or leaves.
fn something(served: &Served, stream: &mut Stream) -> (Channel, Event) {
    let team = of(served);
    let nodes = team.graph().len() as u64;
    let node = |stream: &mut Stream| stream.below(nodes) as NodeId;
    let edge = |stream: &mut Stream| {
        let edges: Vec<_> = team.graph().all_roads().map(|road| (road.from, road.to)).collect();
        edges[stream.below(edges.len() as u64) as usize]
    };
    let kind = stream.below(24);
    if team.walkers().is_empty() || kind == 0 {
        let start = node(stream);
        let name = Some(format!("walker-{}", stream.below(1 << 30)));
        let walker = WalkerDefinition { name, start, speed: None, nodes: None };
        return (None, Event::Joined { walker });
    }
    let walker = team.walkers()[stream.below(team.walkers().len() as u64) as usize];
    let by = Some(walker);
    let event = match kind {
        1 if team.walkers().len() > 2 => Event::Left { walker, reason: None },
        2 => Event::LegFailed { at: node(stream), reason: None },
        3 => Event::Moved { at: node(stream), reason: None },
        4 => {
            let seen = [(node(stream), stream.unit()), (node(stream), stream.unit())];
            return (None, Event::Observed { observations: in_runs(seen) });
        }
        5 | 6 => {
            let (by, at) = if kind == 5 { (by, Some(node(stream))) } else { (None, None) };
            let directions = if stream.below(2) == 0 { One } else { Both };
            return (
                by,
                Event::EdgeBlocked { edge: edge(stream), at, directions, reopening_rate: None },
            );
        }
        7 | 8 => match team.blocked().first() {
            Some(&edge) => {
                let by = if kind == 7 { by } else { None };
                return (by, Event::EdgeOpened { edge, directions: One });
            }
            None => Event::LegFailed { at: team.place(walker).unwrap(), reason: None },
        },
        9 => {
            let walk: Vec<_> = (0..3).map(|_| (node(stream), stream.unit())).collect();
            Event::Told { visits: in_runs(walk) }
        }
        _ => {
            let most = team.order(walker).unwrap().visits().min(9);
            let rewards = (0..=stream.below(most)).map(|_| stream.unit()).collect();
            Event::Told { visits: team.as_ordered(walker, rewards).unwrap() }
        }
    };
    (by, event)
}

/// A log of random events, the snapshot and all else that shows after each record.
fn life(
    definition: &Definition,
    events: usize,
) -> (Vec<String>, Vec<String>, Vec<Snapshot>, BTreeSet<String>) {
    let mut live = team(definition);
    let mut stream = Seed(11).stream();
    let (mut log, mut looks) = (Vec::new(), vec![look(&live)]);
    let mut snapshots = vec![stored(&live.snapshot())];
    let mut refused = BTreeSet::new();
    while log.len() < events {
        let (by, event) = something(&live, &mut stream);
        match live.apply_within(by, &event, &mut Planning::unlimited()) {
            Ok(happened) => {
                log.push(serde_json::to_string(&Record::of(event, happened)).unwrap());
                looks.push(look(&live));
                snapshots.push(stored(&live.snapshot()));
            }
            // A refusal must change nothing.
            Err(error) => {
                assert!(!matches!(error, EventError::AgentFailed { .. }), "{error}");
                refused.insert(format!("{error:?}").split(' ').next().unwrap().to_owned());
                assert_eq!(Some(&look(&live)), looks.last(), "{error}");
            }
        }
    }
    (log, looks, snapshots, refused)
}

fn replay(live: &mut Served, log: &[String]) {
    for line in log {
        live.replay(&serde_json::from_str(line).unwrap()).unwrap();
    }
}

#[test]
fn a_restart_at_any_point_gives_the_same_team() {
    let roads = json!({"nodes": 5, "roads": [[0, 1, 0.5], [1, 0], [1, 2], [2, 1, 2], [2, 3], [3, 2],
        [3, 4], [4, 0], [4, 3, 1.5], [0, 4]]});
    let mut refusals = BTreeSet::new();
    for more in [
        json!({}),
        json!({"graph": "line:9", "walkers": 2, "seats": null}),
        json!({"graph": roads, "walkers": [{"speed": 0.5}, {"nodes": [0, 1, 2]}], "share": "equal"}),
        // To this agent, rewards drawn at random are changes.
        json!({"agent": "g-drift:noise-scale=0.05"}),
        json!({"agent": "g-drift:noise-scale=0.05", "graph": roads, "walkers": 3, "share": "equal"}),
    ] {
        let definition = definition(&more);
        let (log, looks, snapshots, refused) = life(&definition, 160);
        refusals.extend(refused);
        let last = serde_json::to_string(snapshots.last().unwrap()).unwrap();
        let learns = more["agent"].is_string();
        assert_eq!(last.contains("\"newest\":[{"), learns, "{more}");
        assert_eq!(last.contains("\"learned\""), learns, "{more}");
        for stop in (0..=log.len()).step_by(9) {
            let mut again = team(&definition);
            replay(&mut again, &log[..stop]);
            assert_eq!(look(&again), looks[stop], "{more} {stop}");
            let snapshot = snapshots[stop].clone();
            let mut resumed = Served::resume(definition.clone(), snapshot, LIMITS).unwrap();
            assert_eq!(look(&resumed), looks[stop], "{more} {stop}");
            replay(&mut resumed, &log[stop..]);
            assert_eq!(look(&resumed), looks[log.len()], "{more} {stop}");
        }
    }
    assert!(refusals.contains("EdgeUnchanged"), "{refusals:?}");
}

/// A better planner does not change the past: what is replayed was decided.
#[test]
fn replay_does_not_plan() {
    let definition = definition(&json!({}));
    let (log, _, _, _) = life(&definition, 30);
    let planned = log.iter().position(|line| line.contains("\"plans\"")).unwrap();
    let mut without: Record = serde_json::from_str(&log[planned]).unwrap();
    without.plans.clear();
    let mut again = team(&definition);
    replay(&mut again, &log[..planned]);
    let error = again.replay(&without).unwrap_err().to_string();
    assert!(error.contains("no plan for the next order"), "{error}");
    // Another plan than this version makes is taken over.
    let mut other: Record = serde_json::from_str(&log[planned]).unwrap();
    let plan = other.plans.last_mut().unwrap();
    (plan.leg.path, plan.leg.stay) = (Vec::new(), 77);
    let walker = plan.walker.unwrap();
    let mut again = team(&definition);
    replay(&mut again, &log[..planned]);
    again.replay(&other).unwrap();
    assert_eq!(of(&again).order(walker).unwrap().stay, 77);
}

/// Planning stops when its budget is spent, and the last order is given in any case.
#[test]
fn a_long_report_is_planned_within_its_budget() {
    let definition = definition(&json!({"graph": "grid:10x10", "walkers": 3}));
    let mut live = team(&definition);
    let visits: Vec<_> = (0..400).map(|visit| ((visit * 37 % 100) as NodeId, 0.5)).collect();
    let event = Event::Told { visits: in_runs(visits) };
    let mut planning = Planning::unlimited().at_most(10_000);
    let happened = live.apply_within(Some(1), &event, &mut planning).unwrap();
    assert!(planning.is_spent());
    assert_eq!(happened.plans.len(), 1);
    assert_eq!((happened.plans[0].after, happened.plans[0].walker), (400, Some(1)));
    let mut again = team(&definition);
    again.replay(&Record::of(event, happened)).unwrap();
    assert_eq!(look(&again), look(&live));
}

fn fleet(store: Arc<dyn Store>, keep_history: KeepHistory) -> Arc<Fleet> {
    let limits = FleetLimits { keep_history, ..FleetLimits::default() };
    Fleet::new(store, limits, Arc::new(Metrics::default()))
}

fn named(name: &str) -> WalkerName {
    WalkerName::of_text(name)
}

fn told(sequence: u64, by: &str, reward: f64) -> Reported {
    let told = Told::One { reward, at: None, took: None, time: None };
    Reported { walker: Some(named(by)), ..Reported::new(sequence, Report::Told(told)) }
}

fn seen(sequence: u64, reward: f64) -> Reported {
    let observations = vec![Observation { at: 4.into(), reward }];
    Reported::new(sequence, Report::Observed { observations })
}

async fn create(fleet: &Arc<Fleet>, id: &str) {
    let created = AgentRequest { id: Some(id.to_owned()), ..request(&json!({})) };
    fleet.create(created).await.unwrap();
}

/// Many reports of all walkers; returns the receipts with what was reported.
async fn play(fleet: &Arc<Fleet>, id: &str, rounds: u64) -> Vec<(Reported, Receipt)> {
    let mut told_so_far = Vec::new();
    let mut stream = Seed(5).stream();
    for round in 0..rounds {
        let by = ["anna", "1", "2", ""][stream.below(4) as usize];
        let report = if by.is_empty() {
            let next = fleet.look(id, |live| live.next_report()).await.unwrap();
            seen(next, round as f64)
        } else {
            let order = fleet.ask_for(id, Some(named(by))).await.unwrap();
            let report = told(order.sequence, by, round as f64);
            Reported { number: Some(order.number), seal: Some(order.seal), ..report }
        };
        let receipt = fleet.report(id, report.clone()).await.unwrap();
        told_so_far.push((report, receipt));
    }
    told_so_far
}

/// Any report may be repeated, however long ago; nothing is counted twice. Another report with the same
/// number is refused.
#[tokio::test]
async fn repeats_are_answered_and_conflicts_refused_for_each_walker() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let first = fleet(Arc::clone(&store), KeepHistory::All);
    create(&first, "team").await;
    let told_so_far = play(&first, "team", 700).await;
    let visits = |fleet: &Arc<Fleet>| {
        let fleet = Arc::clone(fleet);
        async move { fleet.look("team", |live| live.estimates().visits()).await.unwrap() }
    };
    assert_eq!(visits(&first).await, 700);
    // A restart in between changes nothing.
    let second = fleet(store, KeepHistory::All);
    for (fleet, step) in [(&first, 7), (&second, 1)] {
        for (report, receipt) in told_so_far.iter().step_by(step) {
            assert_eq!(fleet.report("team", report.clone()).await.as_ref(), Ok(receipt));
            let other = match &report.walker {
                Some(by) => told(report.sequence, &by.to_string().replace('"', ""), -1.0),
                None => seen(report.sequence, -1.0),
            };
            let refused = fleet.report("team", other).await.unwrap_err();
            assert!(matches!(refused, FleetError::OtherReport { .. }), "{refused}");
        }
    }
    // By number or by name, it is the same report.
    let by_name = told_so_far.iter().find(|(report, _)| report.walker == Some(named("anna")));
    let (report, receipt) = by_name.unwrap();
    let by_number = Reported { walker: Some(named("0")), ..report.clone() };
    assert_eq!(second.report("team", by_number).await.as_ref(), Ok(receipt));
    let ahead = second.report("team", told(9_999, "anna", 1.0)).await.unwrap_err();
    assert!(matches!(ahead, FleetError::Gap { sequence: 9_999, .. }), "{ahead}");
    let next = told_so_far.iter().rfind(|(report, _)| report.walker == Some(named("2"))).unwrap();
    let lost = Reported { seal: Some("feed".to_owned()), ..told(next.1.next_sequence, "2", 1.0) };
    let lost = second.report("team", lost).await.unwrap_err();
    assert!(matches!(lost, FleetError::OtherPast { .. }), "{lost}");
    assert_eq!(visits(&second).await, 700);
}

#[tokio::test]
async fn walkers_join_and_leave_without_numbers() {
    let fleet = fleet(Arc::new(MemoryStore::default()), KeepHistory::All);
    create(&fleet, "team").await;
    let join =
        |more: Value| Reported::new(0, Report::Joined(serde_json::from_value(more).unwrap()));
    let bert = || join(json!({"name": "bert", "start": 3}));
    let joined = fleet.report("team", bert()).await.unwrap();
    assert_eq!((joined.walker, joined.at, joined.next_sequence), (Some(3), Some(3), 0));
    let again = fleet.report("team", bert()).await.unwrap();
    assert_eq!((again.walker, again.log), (Some(3), None));
    let refused =
        fleet.report("team", join(json!({"name": "bert", "start": 4}))).await.unwrap_err();
    assert!(refused.to_string().contains("with other settings"), "{refused}");
    let receipt = fleet.report("team", told(0, "bert", 1.0)).await.unwrap();
    assert_eq!((receipt.walker, receipt.next_sequence), (Some(3), 1));
    let seal = fleet.ask_for("team", Some(named("bert"))).await.unwrap().seal;
    let leave = || Reported {
        walker: Some(named("bert")),
        ..Reported::new(0, Report::Left { reason: None })
    };
    fleet.report("team", leave()).await.unwrap();
    assert_eq!(fleet.report("team", leave()).await.unwrap().log, None);
    // A late repeat is still answered; a late report is not taken for somebody else's.
    assert_eq!(fleet.report("team", told(0, "bert", 1.0)).await, Ok(receipt));
    let late = fleet.report("team", told(1, "bert", 2.0)).await.unwrap_err();
    assert!(late.to_string().contains("has left the team"), "{late}");
    let sealed = Reported { seal: Some(seal), ..told(1, "bert", 2.0) };
    let late = fleet.report("team", sealed).await.unwrap_err();
    assert!(late.to_string().contains("has left the team"), "{late}");
    let back = fleet.report("team", bert()).await.unwrap_err();
    assert!(back.to_string().contains("has left the team"), "{back}");
    assert!(fleet.ask_for("team", Some(named("bert"))).await.is_err());
    let visits = fleet.look("team", |live| live.estimates().visits()).await.unwrap();
    assert_eq!(visits, 1);
}

/// Where a walker may not be is not what it could do instead.
#[tokio::test]
async fn the_runner_up_is_a_node_where_the_walker_may_be() {
    let fleet = fleet(Arc::new(MemoryStore::default()), KeepHistory::All);
    let line = json!({"id": "team", "graph": "line:5", "walkers": [{"nodes": [0, 1]}]});
    fleet.create(serde_json::from_value(line).unwrap()).await.unwrap();
    fleet.report("team", seen(0, 9.0)).await.unwrap();
    let order = fleet.ask_for("team", Some(named("0"))).await.unwrap();
    assert!(order.why.runner_up.unwrap().place.node < 2);
}

/// If an edge of its path is blocked by another's report, a walker gets another order with another number.
#[tokio::test]
async fn a_changed_order_uses_up_a_number_of_its_walker() {
    let fleet = fleet(Arc::new(MemoryStore::default()), KeepHistory::All);
    let circle = json!({"id": "team", "graph": "circle:6", "walkers": [{}, {"start": 3}]});
    fleet.create(serde_json::from_value(circle).unwrap()).await.unwrap();
    for by in ["0", "1"] {
        fleet.report("team", told(0, by, 0.5)).await.unwrap();
    }
    let before = fleet.ask_for("team", Some(named("0"))).await.unwrap();
    let other = fleet.ask_for("team", Some(named("1"))).await.unwrap();
    let (from, to) = (before.at.node, before.path[0].node);
    let blocked = Report::EdgeBlocked {
        edge: [from.into(), to.into()],
        at: None,
        directions: None,
        reopening_rate: None,
    };
    let receipt = fleet.report("team", Reported::new(0, blocked.clone())).await.unwrap();
    assert_eq!((receipt.walker, receipt.at, receipt.next_sequence), (None, None, 1));
    assert!(receipt.replanned);
    let after = fleet.ask_for("team", Some(named("0"))).await.unwrap();
    assert_eq!((before.sequence, after.sequence), (1, 2));
    assert_ne!(before.path, after.path);
    assert_ne!(before.seal, after.seal);
    // The other walker keeps its order; its reasons may change with what its mate does.
    let kept = fleet.ask_for("team", Some(named("1"))).await.unwrap();
    assert_eq!(Order { why: other.why.clone(), ..kept }, other);
    let refused = fleet.report("team", told(1, "0", 1.0)).await.unwrap_err();
    assert_eq!(refused, FleetError::OrderChanged { sequence: 1, next: 2 });
    // What it did counts once it says where.
    let visits = serde_json::from_value(json!([{"at": to, "reward": 1.0}])).unwrap();
    let visits = Reported::new(2, Report::Told(Told::Visits { visits }));
    fleet.report("team", Reported { walker: Some(named("0")), ..visits }).await.unwrap();
    assert_eq!(fleet.look("team", |live| live.estimates().visits()).await.unwrap(), 3);
    // A repeat of the report that changed the order is answered, too.
    assert_eq!(fleet.report("team", Reported::new(0, blocked)).await, Ok(receipt));
}

/// Old records go; the team stays the same, and repeats of what is gone are refused by name.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_compacted_team_continues() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let short = fleet(Arc::clone(&store), KeepHistory::Last(50));
    let whole = fleet(Arc::new(MemoryStore::default()), KeepHistory::All);
    for fleet in [&short, &whole] {
        create(fleet, "team").await;
    }
    let first = play(&short, "team", 600).await;
    assert_eq!(first, play(&whole, "team", 600).await);
    // Compaction runs in the background.
    let key = store.find("team").await.unwrap().unwrap().key();
    let start = std::time::Instant::now();
    while store.base(&key).await.unwrap().is_none() {
        assert!(start.elapsed() < std::time::Duration::from_secs(60), "no base");
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let again = fleet(Arc::clone(&store), KeepHistory::Last(50));
    let state = |fleet: &Arc<Fleet>| {
        let fleet = Arc::clone(fleet);
        async move { fleet.look("team", |live| look(live)).await.unwrap() }
    };
    assert_eq!(state(&again).await, state(&whole).await);
    let (old, _) = first[0].clone();
    let refused = again.report("team", old).await.unwrap_err();
    assert!(matches!(refused, FleetError::NotKept { .. }), "{refused}");
    let (last, receipt) = first.last().unwrap().clone();
    assert_eq!(again.report("team", last).await, Ok(receipt));
}
