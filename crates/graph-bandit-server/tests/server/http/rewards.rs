//! The sum of rewards over time equals the history.

use super::{Client, play};
use axum::body::Body;
use graph_bandit_server::store::{MemoryStore, Store};
use serde_json::{Value, json};
use std::sync::Arc;

/// All rewards in order.
async fn told(client: &Client, id: &str) -> Vec<f64> {
    let mut rewards = Vec::new();
    let mut from = 0;
    loop {
        let page = client.get(&format!("/v1/agents/{id}/history?from={from}&limit=1000")).await;
        for record in page.body["records"].as_array().unwrap() {
            for run in record["visits"].as_array().into_iter().flatten() {
                let run = run["rewards"].as_array().unwrap();
                rewards.extend(run.iter().map(|reward| reward.as_f64().unwrap()));
            }
        }
        match page.body["next"].as_u64() {
            Some(next) => from = next,
            None => return rewards,
        }
    }
}

/// The expected answer for these rewards: sums at equal distances, as close as 512 points allow.
fn curve(rewards: &[f64]) -> Value {
    let mut sums = vec![0.0];
    for reward in rewards {
        sums.push(sums.last().unwrap() + reward);
    }
    let visits = rewards.len();
    let mut every = 1;
    while visits / every > 510 {
        every *= 2;
    }
    let mut points: Vec<Value> =
        (0..visits).step_by(every).map(|at| json!([at, sums[at]])).collect();
    points.push(json!([visits, sums[visits]]));
    json!({"visits": visits, "reward": sums[visits], "points": points})
}

async fn shown(client: &Client, id: &str) -> Value {
    let mut rewards = client.get(&format!("/v1/agents/{id}/rewards")).await.body;
    let shown = client.get(&format!("/v1/agents/{id}")).await.body;
    let sequence = rewards.as_object_mut().unwrap().remove("sequence").unwrap();
    assert_eq!(sequence, shown["sequence"]);
    assert_eq!((&rewards["visits"], &rewards["reward"]), (&shown["visits"], &shown["reward"]));
    rewards
}

#[tokio::test]
async fn the_curve_equals_the_history_in_every_process() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let client = Client::on(Arc::clone(&store));
    let request = json!({"id": "a", "graph": "grid:3x3", "agent": "g-ucb"});
    client.done("/v1/agents", request).await;
    assert_eq!(shown(&client, "a").await["points"], json!([[0, 0.0]]));
    for _ in 0..12 {
        // Enough reports for several snapshots and for thinning the curve more than once.
        let process = Client::on(Arc::clone(&store));
        play(&process, "a", 60).await;
        let expected = curve(&told(&process, "a").await);
        assert_eq!(shown(&process, "a").await, expected);
        // From the snapshot and the records after it.
        assert_eq!(shown(&Client::on(Arc::clone(&store)), "a").await, expected);
    }
    let visits = told(&client, "a").await.len();
    assert!(visits > 1_100, "{visits}");
    assert!(
        store.snapshot(&store.find("a").await.unwrap().unwrap().key()).await.unwrap().is_some()
    );
    let points = shown(&Client::on(store), "a").await["points"].as_array().unwrap().len();
    assert!((256..=512).contains(&points), "{points}");
}

#[tokio::test]
async fn an_imported_agent_brings_its_curve_and_a_wrong_one_is_refused() {
    let client = Client::fresh();
    client.done("/v1/agents", json!({"id": "a", "graph": "grid:3x3", "agent": "g-ucb"})).await;
    play(&client, "a", 200).await;
    let mut rewards = told(&client, "a").await;
    assert!(rewards.len() > 511, "{}", rewards.len());
    let export = client.get("/v1/agents/a/snapshot").await.body;
    let import = |export: Value| json!({"id": "b", "export": export});
    for (place, wrong) in [
        ("/visits", json!(rewards.len() - 1)),
        ("/reward", json!(1e6)),
        ("/every", json!(1)),
        ("/every", json!(0)),
        ("/every", json!(u64::MAX)),
        ("/sums", json!([])),
        ("/sums/3", Value::Null),
        ("", Value::Null),
    ] {
        let mut export = export.clone();
        *export.pointer_mut(&format!("/snapshot/curve{place}")).unwrap() = wrong;
        let refused = client.post("/v1/import", import(export)).await;
        assert_eq!(refused.status, 422, "{place}: {}", refused.body);
    }
    client.done("/v1/import", import(export)).await;
    assert_eq!(shown(&client, "b").await, curve(&rewards));
    play(&client, "b", 100).await;
    rewards.extend(told(&client, "b").await);
    assert_eq!(shown(&client, "b").await, curve(&rewards));
    // Reports without a reward leave it as it is.
    let before = shown(&client, "b").await;
    client.done("/v1/agents/b/failed", json!({"sequence": 100, "at": 0})).await;
    assert_eq!(shown(&client, "b").await, before);
    let request = client.request("DELETE", "/v1/agents/b").body(Body::empty()).unwrap();
    client.send(request).await;
    assert_eq!(client.get("/v1/agents/b/rewards").await.status, 404);
}
