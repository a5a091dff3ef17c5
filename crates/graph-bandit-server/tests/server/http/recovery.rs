//! Processes that start, end and share a store: agents go on as if nothing had happened.

use super::{Client, play};
use graph_bandit_server::store::{MemoryStore, Store, StoredSnapshot};
use serde_json::json;
use std::sync::Arc;

/// After a crash at any moment, another process on the same store gives the order of an agent that never
/// stopped.
#[tokio::test]
async fn a_new_process_goes_on_where_the_old_one_was() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let twin = Client::fresh();
    let request = json!({"id": "a", "graph": "grid:3x4", "agent": "local-ts", "seed": 3});
    Client::on(Arc::clone(&store)).done("/v1/agents", request.clone()).await;
    twin.done("/v1/agents", request).await;
    for _ in 0..40 {
        let process = Client::on(Arc::clone(&store));
        assert_eq!(process.ask("a").await, twin.ask("a").await);
        // Enough reports for snapshots.
        let receipts = play(&process, "a", 13).await;
        assert_eq!(receipts, play(&twin, "a", 13).await);
    }
    let key = store.find("a").await.unwrap().unwrap().key();
    assert!(store.snapshot(&key).await.unwrap().is_some_and(|snapshot| snapshot.sequence >= 256));
}

/// Two processes on one store: the slower one reads on and tries again.
#[tokio::test]
async fn two_processes_never_write_the_same_number() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let (one, other) = (Client::on(Arc::clone(&store)), Client::on(store));
    one.done("/v1/agents", json!({"id": "a", "graph": "line:3"})).await;
    other.ask("a").await;
    for sequence in 0..20 {
        let told = json!({"sequence": sequence, "reward": 1.0});
        let receipt = one.done("/v1/agents/a/tell", told.clone()).await;
        assert_eq!(other.done("/v1/agents/a/tell", told).await, receipt);
        let conflict =
            other.post("/v1/agents/a/tell", json!({"sequence": sequence, "reward": 2})).await;
        assert_eq!(conflict.status, 409);
    }
    assert_eq!(one.get("/v1/agents/a").await.body["visits"], 20);
}

#[tokio::test]
async fn a_damaged_snapshot_is_replaced_by_the_log() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let client = Client::on(Arc::clone(&store));
    client.done("/v1/agents", json!({"id": "a", "graph": "line:4", "agent": "g-ts"})).await;
    play(&client, "a", 20).await;
    let order = client.ask("a").await;
    let key = store.find("a").await.unwrap().unwrap().key();
    for body in ["", "no seal", "00\n{}", "\n"] {
        let snapshot = StoredSnapshot { sequence: 9, body: body.to_owned() };
        store.put_snapshot(&key, snapshot).await.unwrap();
        assert_eq!(Client::on(Arc::clone(&store)).ask("a").await, order);
    }
    // A damaged log cannot be replaced.
    let end = store.tip("a").await.unwrap().unwrap().end;
    store.append(&key, &end, "{}".to_owned()).await.unwrap();
    let damaged = Client::on(store).post("/v1/agents/a/ask", json!({})).await;
    assert_eq!(damaged.status, 500);
    assert!(damaged.body["detail"].as_str().unwrap().contains("record 20"), "{}", damaged.body);
}
