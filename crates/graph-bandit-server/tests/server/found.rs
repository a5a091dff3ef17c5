//! The changes that agents found, and how old the knowledge of nodes is.

use crate::http::Client;
use graph_bandit_server::store::{MemoryStore, Store};
use serde_json::{Value, json};
use std::sync::Arc;

async fn created(client: &Client, agent: &str) {
    let request = json!({"id": "a", "graph": "line:5", "agent": agent, "seed": 3});
    client.done("/v1/agents", request).await;
}

/// Reports as ordered; node 2 is the best one until report 150, then the worst one.
async fn live_on(client: &Client, reports: std::ops::Range<u64>) {
    for sequence in reports {
        let order = client.ask("a").await;
        let node = order["path"].get(0).unwrap_or(&order["at"])["node"].as_u64().unwrap();
        let best = if sequence < 150 { 1.0 } else { -1.0 };
        let reward = if node == 2 { best } else { 0.0 } + (sequence % 3) as f64 / 10.0;
        client.done("/v1/agents/a/tell", json!({"sequence": sequence, "reward": reward})).await;
    }
}

async fn rewards(store: &Arc<dyn Store>) -> Value {
    Client::on(Arc::clone(store)).get("/v1/agents/a/rewards").await.body
}

async fn estimates(store: &Arc<dyn Store>) -> Vec<Value> {
    let answer = Client::on(Arc::clone(store)).get("/v1/agents/a/estimates").await.body;
    answer["estimates"].as_array().unwrap().clone()
}

/// Waits for a snapshot, so that the next service does not replay everything.
async fn snapshot(store: &Arc<dyn Store>) -> String {
    let key = store.key("a").await.unwrap().unwrap();
    for _ in 0..6_000 {
        if let Some(snapshot) = store.snapshot(&key).await.unwrap() {
            return snapshot.body;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("no snapshot in a minute");
}

#[tokio::test]
async fn changes_are_found_and_survive_replay_and_snapshots() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let client = Client::on(Arc::clone(&store));
    created(&client, "g-drift").await;
    live_on(&client, 0..150).await;
    let before = rewards(&store).await;
    assert_eq!((before.get("changes_found"), before.get("changes")), (None, None));
    live_on(&client, 150..250).await;
    let after = client.get("/v1/agents/a/rewards").await.body;
    let first = after["changes"][0].clone();
    assert_eq!(first["node"], 2, "{after}");
    assert!((151..=165).contains(&first["visits"].as_u64().unwrap()), "{after}");
    assert_eq!(after["changes_found"], after["changes"].as_array().unwrap().len());
    // From all records, and from a snapshot.
    assert_eq!(rewards(&store).await, after);
    live_on(&client, 250..300).await;
    assert!(snapshot(&store).await.contains(r#""found":{"count""#));
    let last = client.get("/v1/agents/a/rewards").await.body;
    assert_eq!(rewards(&store).await, last);
    assert_eq!(last["changes"][0], first);
    // From an export.
    let export = client.get("/v1/agents/a/snapshot").await.body;
    client.done("/v1/import", json!({"id": "copy", "export": export})).await;
    let copy = client.get("/v1/agents/copy/rewards").await.body;
    assert_eq!(copy["changes"], last["changes"]);
    // One that cannot be is refused.
    let mut wrong = export;
    wrong["snapshot"]["found"]["newest"][0]["node"] = json!(5);
    let refused = client.post("/v1/import", json!({"id": "wrong", "export": wrong})).await;
    assert_eq!(refused.status, 422, "{}", refused.body);
    assert!(refused.body["detail"].as_str().unwrap().contains("changes"), "{}", refused.body);
}

#[tokio::test]
async fn ages_grow_until_the_next_visit() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let client = Client::on(Arc::clone(&store));
    created(&client, "g-drift").await;
    let told = json!({"sequence": 0, "visits": [
        {"at": 0, "reward": 1}, {"at": 1, "reward": 1, "took": 4.5}, {"at": 2, "reward": 1}]});
    client.done("/v1/agents/a/tell", told).await;
    let seen = json!({"sequence": 1, "observations": [{"at": 4, "reward": 1}]});
    client.done("/v1/agents/a/observe", seen).await;
    client.done("/v1/agents/a/tell", json!({"sequence": 2, "at": 2, "reward": 1})).await;
    let ages = |known: &[Value]| known.iter().map(|node| node["age"].clone()).collect::<Vec<_>>();
    let expected = [json!(6.5), json!(2.0), json!(0.0), Value::Null, json!(1.0)];
    assert_eq!(ages(&estimates(&store).await), expected);
    // Orders do not have it.
    assert_eq!(client.ask("a").await["why"].get("age"), None);
    // Snapshots of such agents remember it.
    live_on(&client, 3..300).await;
    snapshot(&store).await;
    let now = client.get("/v1/agents/a/estimates").await.body["estimates"].clone();
    assert_eq!(estimates(&store).await, *now.as_array().unwrap());
    assert!(ages(&estimates(&store).await).iter().all(Value::is_number));
}

#[tokio::test]
async fn snapshots_of_agents_that_earlier_versions_know_stay_as_they_were() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let client = Client::on(Arc::clone(&store));
    created(&client, "g-star").await;
    live_on(&client, 0..300).await;
    let text = snapshot(&store).await;
    for new in ["found", "seen", "last_time", "clock"] {
        assert!(!text.contains(&format!("{new:?}")), "{new}: {text}");
    }
    // Answers must not depend on when the service was started.
    assert!(estimates(&store).await.iter().all(|node| node.get("age").is_none()));
    let known = client.get("/v1/agents/a/estimates").await.body;
    assert_eq!(*known["estimates"].as_array().unwrap(), estimates(&store).await);
}

/// A team of two; anna is ahead of bert.
#[tokio::test]
async fn ages_of_a_team_follow_the_walker_that_is_ahead() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let client = Client::on(Arc::clone(&store));
    let walkers = json!([{"name": "anna"}, {"name": "bert", "start": 4}]);
    let agents = [("a", "g-drift"), ("still", "g-star"), ("never", "g-drift:restarts=never")];
    for (id, agent) in agents {
        let request = json!({"id": id, "graph": "line:5", "agent": agent, "walkers": walkers});
        client.done("/v1/agents", request).await;
    }
    let told = |walker: &str, sequence: u64, nodes: &[u64]| {
        let visits: Vec<Value> = nodes.iter().map(|at| json!({"at": at, "reward": 1})).collect();
        json!({"walker": walker, "sequence": sequence, "visits": visits})
    };
    for (id, _) in agents {
        let tell = format!("/v1/agents/{id}/tell");
        client.done(&tell, told("anna", 0, &[0, 1, 1, 1])).await;
        client.done(&tell, told("bert", 0, &[4])).await;
        let seen = json!({"sequence": 0, "observations": [{"at": 3, "reward": 1}]});
        client.done(&format!("/v1/agents/{id}/observe"), seen).await;
        client.done(&tell, told("anna", 1, &[1, 1])).await;
    }
    let ages = |known: &[Value]| known.iter().map(|node| node["age"].clone()).collect::<Vec<_>>();
    let expected = [json!(5.0), json!(0.0), Value::Null, json!(2.0), json!(2.0)];
    // From all records, and where it was made.
    assert_eq!(ages(&estimates(&store).await), expected);
    let known = client.get("/v1/agents/a/estimates").await.body["estimates"].clone();
    assert_eq!(ages(known.as_array().unwrap()), expected);
    // A team without a clock says nothing about ages, and goes on elsewhere, too.
    for id in ["still", "never"] {
        let export = client.get(&format!("/v1/agents/{id}/snapshot")).await.body;
        let copy = format!("{id}-copy");
        client.done("/v1/import", json!({"id": copy, "export": export})).await;
        for id in [id, &copy] {
            let known = client.get(&format!("/v1/agents/{id}/estimates")).await.body;
            let nodes = known["estimates"].as_array().unwrap();
            assert!(nodes.iter().all(|node| node.get("age").is_none()), "{id}");
        }
    }
    // From an export, with the changes that it found.
    let mut export = client.get("/v1/agents/a/snapshot").await.body;
    client.done("/v1/import", json!({"id": "copy", "export": export})).await;
    let copy = client.get("/v1/agents/copy/estimates").await.body["estimates"].clone();
    assert_eq!(ages(copy.as_array().unwrap()), expected);
    // One that cannot be is refused.
    export["snapshot"]["seen"][0] = json!(1e9);
    let refused = client.post("/v1/import", json!({"id": "wrong", "export": export})).await;
    assert_eq!(refused.status, 422, "{}", refused.body);
    assert!(refused.body["detail"].as_str().unwrap().contains("last visited"), "{}", refused.body);
    // One without any goes on.
    export["snapshot"].as_object_mut().unwrap().remove("seen");
    client.done("/v1/import", json!({"id": "early", "export": export})).await;
    client.done("/v1/agents/early/tell", told("anna", 0, &[2])).await;
    let early = client.get("/v1/agents/early/estimates").await.body["estimates"].clone();
    assert_eq!(ages(early.as_array().unwrap())[2], 0.0);
}
