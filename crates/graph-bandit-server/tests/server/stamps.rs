//! A clock that follows the times of reports.

use crate::http::Client;
use graph_bandit_server::agent::{Definition, Live, Served};
use graph_bandit_server::fleet::{Report, Told};
use graph_bandit_server::store::{MemoryStore, Store};
use serde_json::{Value, json};
use std::sync::Arc;

async fn agent(client: &Client, id: &str, clock: Option<&str>) {
    let mut request =
        json!({"id": id, "graph": "grid:4x4", "agent": "g-drift:rate=0.001", "seed": 3});
    if let Some(clock) = clock {
        request["clock"] = clock.into();
    }
    client.done("/v1/agents", request).await;
}

/// An order without what differs between agents.
fn bare(mut order: Value) -> Value {
    for member in ["number", "seal"] {
        order[member].take();
    }
    order
}

/// How long the step of a report takes, and what its visit pays: the best place moves.
fn step(sequence: u64) -> (f64, f64) {
    let took = if sequence.is_multiple_of(17) { 40.25 } else { 1.0 + (sequence % 3) as f64 / 4.0 };
    let reward = ((sequence * 7) % 5) as f64 / 10.0 + f64::from(sequence / 90 % 2 == 1);
    (took, reward)
}

/// Reports to two agents, to one of them when visits ended and to the other how long they took.
async fn live_on(client: &Client, reports: std::ops::Range<u64>, time: &mut f64) {
    for sequence in reports {
        let (took, reward) = step(sequence);
        *time += took;
        let stamped = json!({"sequence": sequence, "reward": reward, "time": *time});
        // The first time is the origin: how long the visit before it took is unknown.
        let counted = match sequence {
            0 => json!({"sequence": sequence, "reward": reward}),
            _ => json!({"sequence": sequence, "reward": reward, "took": took}),
        };
        let a = client.done("/v1/agents/stamped/tell", stamped).await;
        let b = client.done("/v1/agents/counted/tell", counted).await;
        assert_eq!(a, b, "{sequence}");
        assert_eq!(bare(client.ask("stamped").await), bare(client.ask("counted").await));
    }
}

#[tokio::test]
async fn times_are_durations_and_survive_a_restart() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let client = Client::on(Arc::clone(&store));
    agent(&client, "stamped", Some("stamps")).await;
    agent(&client, "counted", None).await;
    // Seconds since 1970, if a visit takes one; all times here are exact.
    let mut time = 1_790_000_000.0;
    // Before a restart, there is no snapshot, then one, and records after it.
    for reports in [0..40, 40..300, 300..330] {
        let client = Client::on(Arc::clone(&store));
        live_on(&client, reports.clone(), &mut time).await;
        let shown = Client::on(Arc::clone(&store)).get("/v1/agents/stamped").await.body;
        assert_eq!((&shown["clock"], &shown["last_time"]), (&json!("stamps"), &json!(time)));
        let counted = client.get("/v1/agents/counted").await.body;
        assert_eq!((&counted["clock"], counted.get("last_time")), (&json!("count"), None));
        assert_eq!(shown["time"], counted["time"]);
    }
    let client = Client::on(Arc::clone(&store));
    // The log has durations, and the time of the last visit as a remark.
    let records = |id: &str| format!("/v1/agents/{id}/history?limit=1000");
    let stamped = client.get(&records("stamped")).await.body["records"].clone();
    let counted = client.get(&records("counted")).await.body["records"].clone();
    assert_eq!(stamped.as_array().unwrap().len(), 330);
    for (a, b) in stamped.as_array().unwrap().iter().zip(counted.as_array().unwrap()) {
        assert_eq!((&a["visits"], &a["plans"]), (&b["visits"], &b["plans"]));
    }
    assert_eq!(stamped[329]["time"], time.to_string());
    // An export remembers the last time, too.
    let export = client.get("/v1/agents/stamped/snapshot").await.body;
    client.done("/v1/import", json!({"id": "copy", "export": export})).await;
    let early = json!({"sequence": 0, "reward": 1, "time": time});
    assert_eq!(client.post("/v1/agents/copy/tell", early).await.status, 422);
    let told = json!({"sequence": 0, "reward": 1, "time": time + 1.0});
    client.done("/v1/agents/copy/tell", told).await;
    // A last time that cannot be is refused.
    let mut beyond = client.get("/v1/agents/stamped/snapshot").await.body;
    beyond["snapshot"]["last_time"] = json!(1e300);
    let mut counts = client.get("/v1/agents/counted/snapshot").await.body;
    counts["snapshot"]["last_time"] = json!(5.0);
    for (export, said) in [(beyond, "`last_time` is 1e300;"), (counts, "`last_time` is 5;")] {
        let refused = client.post("/v1/import", json!({"id": "wrong", "export": export})).await;
        assert_eq!(refused.status, 422, "{}", refused.body);
        assert!(refused.body["detail"].as_str().unwrap().contains(said), "{}", refused.body);
    }
}

#[tokio::test]
async fn legs_and_visits_have_a_time_each() {
    let client = Client::fresh();
    agent(&client, "a", Some("stamps")).await;
    let leg = json!({"sequence": 0, "rewards": [0.5], "time": [-7.0]});
    client.done("/v1/agents/a/tell", leg).await;
    let visits = json!({"sequence": 1, "visits": [
        {"at": 4, "reward": 1, "time": -6.0},
        {"at": 4, "reward": 2, "time": -4.5},
        {"at": 5, "reward": 3, "time": 10.0},
    ]});
    let receipt = client.done("/v1/agents/a/tell", visits.clone()).await;
    // A repeat is answered again; the same rewards at other times are another report.
    assert_eq!(client.done("/v1/agents/a/tell", visits.clone()).await, receipt);
    let mut other = visits;
    other["visits"][2]["time"] = json!(11.0);
    assert_eq!(client.post("/v1/agents/a/tell", other).await.status, 409);
    // Reports without visits need no time, and may have the robot's.
    let failed = json!({"sequence": 2, "time": "2026-11-16T08:30:00Z"});
    client.done("/v1/agents/a/failed", failed).await;
    let history = client.get("/v1/agents/a/history").await.body;
    let took =
        |record: usize, run: usize| history["records"][record]["visits"][run]["took"].clone();
    assert_eq!(took(0, 0), Value::Null);
    assert_eq!((took(1, 0), took(1, 1)), (json!([1.0, 1.5]), json!([14.5])));
    assert_eq!(client.get("/v1/agents/a").await.body["last_time"], 10.0);
}

#[tokio::test]
async fn rounded_times_are_whole_visits_and_a_clock_must_not_stand_still() {
    let client = Client::fresh();
    // By turns, a visit seems longer and shorter by 1e-7.
    let rounded = |sequence: u64| 1e3 + sequence as f64 + (sequence % 2) as f64 * 1e-7;
    let told = |sequence: u64, time: f64| json!({"sequence": sequence, "reward": 1, "time": time});
    agent(&client, "rounded", Some("stamps")).await;
    for sequence in 0..50 {
        client.done("/v1/agents/rounded/tell", told(sequence, rounded(sequence))).await;
    }
    let shown = client.get("/v1/agents/rounded").await.body;
    assert_eq!((&shown["time"], shown.get("roads")), (&json!(50.0), None));
    let early = told(50, rounded(49) + 1.0 - 1e-3);
    assert_eq!(client.post("/v1/agents/rounded/tell", early).await.status, 422);
    client.done("/v1/agents/rounded/tell", told(50, rounded(49) + 1.0 - 1e-7)).await;
    // Far from the origin, times are rounded to whole numbers.
    agent(&client, "far", Some("stamps")).await;
    client.done("/v1/agents/far/tell", told(0, 9e15)).await;
    assert_eq!(client.post("/v1/agents/far/tell", told(1, 9e15)).await.status, 422);
    client.done("/v1/agents/far/tell", told(1, 9e15 + 1.0)).await;
}

#[tokio::test]
async fn impossible_times_are_refused_and_nothing_is_stored() {
    let client = Client::fresh();
    agent(&client, "stamped", Some("stamps")).await;
    agent(&client, "counted", Some("count")).await;
    let told = |more: Value| {
        let mut body = json!({"sequence": 1});
        body.as_object_mut().unwrap().append(&mut more.as_object().unwrap().clone());
        body
    };
    client.done("/v1/agents/stamped/tell", json!({"sequence": 0, "reward": 1, "time": 12.5})).await;
    client.done("/v1/agents/counted/tell", json!({"sequence": 0, "reward": 1})).await;
    let before = client.get("/v1/agents/stamped").await.body;
    let rewards = json!({"reward": 1, "time": [13.5, 14.5]});
    for (id, report, said) in [
        // Too early, backwards, too late, beyond every clock.
        (
            "stamped",
            json!({"reward": 1, "time": 13.25}),
            ["13.25", "last time was 12.5", "at least 13.5"],
        ),
        (
            "stamped",
            json!({"reward": 1, "time": -3}),
            ["-3", "last time was 12.5", "at least 13.5"],
        ),
        (
            "stamped",
            json!({"reward": 1, "time": 1e12}),
            ["1000000000000", "last time was 12.5", "together, is 134217729 units"],
        ),
        (
            "stamped",
            json!({"reward": 1, "time": 1e300}),
            ["visit 1 is 1e300;", "last time was 12.5", "magnitude"],
        ),
        (
            "stamped",
            json!({"visits": [{"at": 1, "reward": 1, "time": 20}, {"at": 1, "reward": 1, "time": 20.5}]}),
            ["visit 2 is 20.5", "last time was 20;", "at least 21"],
        ),
        // Missing.
        ("stamped", json!({"reward": 1}), ["visit 1", "last time was 12.5", "give the number"]),
        (
            "stamped",
            json!({"reward": 1, "time": "2026-11-16T08:30:00Z"}),
            ["the text \"2026-11-16T08:30:00Z\"", "last time was 12.5", "needs a number"],
        ),
        // A text beside numbers has no place in the history.
        (
            "stamped",
            json!({"visits": [{"at": 1, "reward": 1, "time": 20}], "time": "2026-11-16T08:30:00Z"}),
            ["the text \"2026-11-16T08:30:00Z\"", "the last of them 20;", "leave the text out"],
        ),
        (
            "stamped",
            json!({"visits": [{"at": 1, "reward": 1, "time": 20}, {"at": 1, "reward": 1}]}),
            ["visit 2", "last time was 20", "give the number"],
        ),
        // Durations.
        (
            "stamped",
            json!({"reward": 1, "took": 2}),
            ["`took` is 2", "last time was 12.5", "`time` instead"],
        ),
        ("stamped", json!({"reward": 1, "took": 2, "time": 15}), ["15", "2", "only `time`"]),
        ("counted", json!({"reward": 1, "took": 2, "time": 15}), ["15", "2", "only `took`"]),
        ("counted", json!({"reward": 1, "time": 15}), ["15", "counts visits", "\"stamps\""]),
        // Other shapes.
        ("stamped", rewards, ["`time` has 2 numbers", "one `reward`", "give one"]),
        (
            "stamped",
            json!({"rewards": [1], "time": []}),
            ["`time` has 0 numbers", "1 visits", "give one"],
        ),
        (
            "stamped",
            json!({"visits": [{"at": 1, "reward": 1}], "time": 15}),
            ["`visits`", "`time`", "each visit"],
        ),
        ("stamped", json!({"reward": 1, "time": [null]}), ["`time` is", "number", "RFC 3339"]),
    ] {
        let refused = client.post(&format!("/v1/agents/{id}/tell"), told(report.clone())).await;
        assert_eq!(refused.status, 422, "{report}: {}", refused.body);
        let detail = refused.body["detail"].as_str().unwrap();
        assert!(said.iter().all(|said| detail.contains(said)), "{report}: {detail}");
    }
    assert_eq!(client.get("/v1/agents/stamped").await.body, before);
    assert_eq!(client.get("/v1/agents/stamped/history").await.body["end"], 1);
    assert_eq!(client.get("/v1/agents/counted/history").await.body["end"], 1);
    // The first report must have a time, too; an unknown clock is refused.
    agent(&client, "new", Some("stamps")).await;
    let refused = client.post("/v1/agents/new/tell", json!({"sequence": 0, "reward": 1})).await;
    assert!(refused.body["detail"].as_str().unwrap().contains("no time before"));
    let other = json!({"id": "x", "graph": "line:3", "clock": "sundial"});
    assert_eq!(client.post("/v1/agents", other).await.status, 422);
    // Another clock is another agent.
    let same = json!({"id": "new", "graph": "grid:4x4", "agent": "g-drift:rate=0.001", "seed": 3});
    assert_eq!(client.post("/v1/agents", same).await.status, 409);
}

fn defined(request: Value) -> Definition {
    let request: graph_bandit_server::agent::AgentRequest =
        serde_json::from_value(request).unwrap();
    request.define(graph_bandit_server::agent::GraphLimits::default()).unwrap().0
}

#[test]
fn times_that_are_not_numbers_are_refused() {
    let limits = graph_bandit_server::agent::GraphLimits::default();
    let live = Served::new(defined(json!({"graph": "line:3", "clock": "stamps"})), limits).unwrap();
    for time in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let report =
            Report::Told(Told::One { reward: 1.0, at: None, took: None, time: Some(time) });
        let refused = report.to_event(&live).unwrap_err().to_string();
        assert!(refused.contains(&format!("is {time}; give a number")), "{refused}");
    }
}

#[test]
fn a_clock_that_counts_is_not_written() {
    let counted = defined(json!({"graph": "line:3"}));
    let text = serde_json::to_string(&counted).unwrap();
    assert!(!text.contains("clock"), "{text}");
    assert_eq!(
        text,
        serde_json::to_string(&defined(json!({"graph": "line:3", "clock": "count"}))).unwrap()
    );
    let stamped = defined(json!({"graph": "line:3", "clock": "stamps"}));
    assert!(serde_json::to_string(&stamped).unwrap().contains(r#""clock":"stamps""#));
    assert!(!stamped.is_same(&counted));
    let live = Live::new(counted, graph_bandit_server::agent::GraphLimits::default()).unwrap();
    assert!(!serde_json::to_string(&live.snapshot()).unwrap().contains("last_time"));
}
