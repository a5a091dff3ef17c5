//! Reports and logs that take seconds to plan for: everything else goes on meanwhile. There is one thread
//! for all requests here, so that planning on it would block everything.

use super::Client;
use graph_bandit_server::fleet::{Fleet, FleetLimits, MOST_VISITS};
use graph_bandit_server::http::{Authentication, HttpLimits, Service, openapi, router};
use graph_bandit_server::metrics::Metrics;
use graph_bandit_server::store::{MemoryStore, Store};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

const NODES: u64 = 1_600;

fn fleet(store: &Arc<dyn Store>) -> Arc<Fleet> {
    Fleet::new(Arc::clone(store), FleetLimits::default(), Arc::new(Metrics::default()))
}

fn client(fleet: &Arc<Fleet>, time: Duration) -> Client {
    let limits = HttpLimits { time, ..HttpLimits::default() };
    let metrics = Arc::new(Metrics::default());
    Client {
        app: router(&Service::new(Arc::clone(fleet), metrics, Authentication::Local, limits)),
        token: None,
    }
}

fn patient(fleet: &Arc<Fleet>) -> Client {
    client(fleet, Duration::from_secs(3_600))
}

/// Every node once, and then alternating nodes: the agent must plan twice per visit.
fn heavy_report(sequence: u64) -> Value {
    let here_and_there = (0..4_000).map(|visit: u64| visit * visit % NODES);
    let visits = (0..NODES).chain(here_and_there);
    let visits: Vec<Value> =
        visits.map(|node| json!({"at": node, "reward": super::paid(node, node)})).collect();
    json!({"sequence": sequence, "visits": visits})
}

/// Other requests are answered meanwhile.
async fn others_go_on(client: &Client) {
    for _ in 0..3 {
        assert_eq!(client.get("/healthz").await.status, 200);
        let sequence = &client.ask("small").await["sequence"];
        client.done("/v1/agents/small/tell", json!({"sequence": sequence, "reward": 1})).await;
    }
}

/// How often the thread takes a turn until the heavy request is answered: thousands of times if other
/// threads plan, a handful of times if it plans itself, however fast or busy the machine is.
async fn turns_until_done(heavy: &JoinHandle<Value>) -> u64 {
    let mut turns = 0;
    while !heavy.is_finished() {
        tokio::task::yield_now().await;
        turns += 1;
    }
    turns
}

#[tokio::test]
async fn long_planning_does_not_delay_others() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let first = fleet(&store);
    let others = patient(&first);
    for (id, graph) in [("small", "grid:4x4"), ("a", "grid:40x40"), ("b", "grid:40x40")] {
        others.done("/v1/agents", json!({"id": id, "graph": graph, "agent": "g-star"})).await;
    }
    let tell = |id: &'static str| {
        let client = patient(&first);
        let path = format!("/v1/agents/{id}/tell");
        tokio::spawn(async move { client.done(&path, heavy_report(0)).await })
    };
    let (a, b) = (tell("a"), tell("b"));
    // A request that times out is answered in time, and its report is accepted all the same.
    let hasty = client(&first, Duration::from_millis(1));
    assert_eq!(hasty.post("/v1/agents/a/tell", heavy_report(0)).await.status, 503);
    let (turns, ()) = tokio::join!(turns_until_done(&a), others_go_on(&others));
    assert!(turns > 100, "the thread of all came round {turns} times while one planned");
    let receipt = a.await.unwrap();
    assert_eq!(receipt["visits"], NODES + 4_000);
    assert_eq!(others.done("/v1/agents/a/tell", heavy_report(0)).await, receipt);
    assert_eq!(b.await.unwrap(), receipt);
    let order = others.ask("a").await;

    // Replaying a log does not block the others either. It takes only milliseconds, in which a busy
    // machine may not let this thread run; if this thread replayed, no try would have many turns.
    let mut most = 0;
    for _ in 0..20 {
        let second = fleet(&store);
        let others = patient(&second);
        let asking = patient(&second);
        let heavy = tokio::spawn(async move { asking.ask("a").await });
        let (turns, ()) = tokio::join!(turns_until_done(&heavy), others_go_on(&others));
        assert_eq!(heavy.await.unwrap(), order);
        most = most.max(turns);
        if most > 100 {
            break;
        }
    }
    assert!(most > 100, "the thread of all came round {most} times while one replayed");
}

#[tokio::test]
async fn the_visits_of_a_report_are_limited() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let client = patient(&fleet(&store));
    client.done("/v1/agents", json!({"id": "a", "graph": "line:2"})).await;
    let visits = |count: usize| vec![json!({"at": 1, "reward": 0}); count];
    for told in [
        json!({"sequence": 0, "visits": visits(MOST_VISITS + 1)}),
        json!({"sequence": 0, "rewards": vec![0; MOST_VISITS + 1]}),
    ] {
        let refused = client.post("/v1/agents/a/tell", told).await;
        let detail = refused.body["detail"].as_str().unwrap();
        assert_eq!(refused.status, 422);
        assert!(detail.contains("tell at most 100000, and the others"), "{detail}");
    }
    let told = json!({"sequence": 0, "visits": visits(MOST_VISITS)});
    assert_eq!(client.done("/v1/agents/a/tell", told).await["visits"], MOST_VISITS);
    let document = openapi();
    let forms = &document["components"]["schemas"]["Tell"]["oneOf"];
    assert_eq!(forms[1]["properties"]["rewards"]["maxItems"], MOST_VISITS);
    assert_eq!(forms[2]["properties"]["visits"]["maxItems"], MOST_VISITS);
}
