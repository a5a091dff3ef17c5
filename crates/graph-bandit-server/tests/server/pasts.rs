//! A database that is restored without its last records: no process serves lost records or mixes them with
//! new ones, and clients that are ahead are told so.

use crate::database::Database;
use crate::http::Client;
use graph_bandit_server::fleet::KeepHistory;
use graph_bandit_server::store::{MemoryStore, Portion, Store};
use graph_bandit_server::upkeep;
use serde_json::{Value, json};
use std::sync::Arc;

async fn tell(client: &Client, sequence: u64, reward: f64) -> (u16, Value) {
    let body = json!({"sequence": sequence, "reward": reward});
    let answer = client.post("/v1/agents/a/tell", body).await;
    (answer.status, answer.body)
}

/// The database as a fresh process reads it.
async fn fresh(database: &Arc<Database>) -> [Value; 2] {
    let client = Client::on(Arc::clone(database) as Arc<dyn Store>);
    [client.ask("a").await, client.get("/v1/agents/a/estimates").await.body]
}

async fn seen(client: &Client) -> [Value; 2] {
    [client.ask("a").await, client.get("/v1/agents/a/estimates").await.body]
}

/// How many reports are kept, lost, and sent after the loss: fewer, as many, and more than were lost, near and
/// beyond a snapshot.
const CASES: [(u64, u64, u64); 8] = [
    (0, 3, 3),
    (0, 3, 5),
    (10, 5, 2),
    (10, 5, 5),
    (10, 5, 9),
    (10, 300, 300),
    (250, 20, 20),
    (300, 300, 310),
];

struct Scene {
    database: Arc<Database>,
    processes: [Client; 2],
    backup: Arc<MemoryStore>,
}

/// Two processes and a backup; reports went to the first process before the backup, and after it.
async fn scene(kept: u64, lost: u64) -> Scene {
    let database = Database::empty();
    let processes = [(); 2].map(|()| Client::on(Arc::clone(&database) as Arc<dyn Store>));
    let request = json!({"id": "a", "graph": "circle:5", "agent": "g-ts", "seed": 1});
    processes[0].done("/v1/agents", request).await;
    for sequence in 0..kept {
        assert_eq!(tell(&processes[0], sequence, 1.0).await.0, 200);
    }
    let backup = database.backup().await;
    for sequence in kept..kept + lost {
        assert_eq!(tell(&processes[0], sequence, 2.0).await.0, 200);
    }
    Scene { database, processes, backup }
}

#[tokio::test]
async fn after_a_restore_all_processes_serve_the_same_past() {
    for (kept, lost, told) in CASES {
        let Scene { database, processes: [one, other], backup } = scene(kept, lost).await;
        // Both have everything in memory.
        assert_eq!(seen(&other).await, seen(&one).await);
        let ahead = one.ask("a").await;
        database.restore(&backup);

        // Both refuse a client that is ahead.
        for client in [&one, &other] {
            let (status, problem) = tell(client, kept + lost, 2.0).await;
            assert_eq!(status, 409, "{problem}");
            assert_eq!(problem["next_sequence"], kept, "{problem}");
            assert!(problem["detail"].as_str().unwrap().contains("backup"), "{problem}");
        }
        // One process writes on; the other is not asked meanwhile.
        for sequence in kept..kept + told {
            let answer = tell(&one, sequence, -1.0).await;
            assert_eq!(answer.0, 200, "{kept} {lost} {told}: {}", answer.1);
        }
        // A report that answers a lost order is refused.
        let report = json!({"sequence": kept + told, "reward": 2.0, "seal": ahead["seal"]});
        for client in [&one, &other] {
            let answer = client.post("/v1/agents/a/tell", report.clone()).await;
            assert_eq!(answer.status, 409, "{}", answer.body);
            assert_eq!(answer.body["type"], "urn:graph-bandit:other-past");
        }
        let truth = fresh(&database).await;
        assert_eq!(seen(&other).await, truth, "{kept} {lost} {told}");
        assert_eq!(seen(&one).await, truth, "{kept} {lost} {told}");
        for (client, sequence) in [(&other, kept + told), (&one, kept + told + 1)] {
            assert_eq!(tell(client, sequence, 0.5).await.0, 200);
        }
        assert_eq!(seen(&other).await, fresh(&database).await, "{kept} {lost} {told}");
    }
}

/// The next report goes to the process that has the lost records in memory.
#[tokio::test]
async fn nothing_is_written_on_top_of_a_lost_past() {
    for (kept, lost, told) in CASES {
        let Scene { database, processes: [one, other], backup } = scene(kept, lost).await;
        seen(&other).await;
        database.restore(&backup);
        for sequence in kept..kept + told {
            assert_eq!(tell(&one, sequence, -1.0).await.0, 200);
        }
        // At once, without a read before, with the next number of the log; at times that is the number that
        // the process expects.
        let answer = tell(&other, kept + told, 0.5).await;
        if told == lost {
            // The process expects this number: then the order is a lost one, and the client must ask again.
            assert_eq!(answer.0, 409, "{kept} {lost} {told}: {}", answer.1);
            assert_eq!(answer.1["type"], "urn:graph-bandit:other-past");
            assert_eq!(tell(&other, kept + told, 0.5).await.0, 200);
        } else {
            assert_eq!(answer.0, 200, "{kept} {lost} {told}: {}", answer.1);
        }
        assert_eq!(seen(&other).await, fresh(&database).await, "{kept} {lost} {told}");
        assert_eq!(seen(&one).await, fresh(&database).await, "{kept} {lost} {told}");
    }
}

/// The number is used again with the same reward: that is not a repeat of the lost report.
#[tokio::test]
async fn a_report_of_a_lost_past_is_not_a_repeat() {
    let database = Database::empty();
    let client = Client::on(Arc::clone(&database) as Arc<dyn Store>);
    client.done("/v1/agents", json!({"id": "a", "graph": "circle:5"})).await;
    for sequence in 0..2 {
        assert_eq!(tell(&client, sequence, 1.0).await.0, 200);
    }
    let backup = database.backup().await;
    assert_eq!(tell(&client, 2, 1.0).await.0, 200);
    let lost = client.ask("a").await;
    database.restore(&backup);
    for (sequence, reward) in [(2, 2.0), (3, 1.0)] {
        assert_eq!(tell(&client, sequence, reward).await.0, 200);
    }
    let report = json!({"sequence": 3, "reward": 1.0, "seal": lost["seal"]});
    let refused = client.post("/v1/agents/a/tell", report).await;
    assert_eq!(
        (refused.status, &refused.body["type"]),
        (409, &json!("urn:graph-bandit:other-past"))
    );
    // Not the number of the report, which is taken.
    assert_eq!(refused.body["next_sequence"], 4, "{}", refused.body);
}

/// Another agent replaced the lost one: the same name and number, another graph.
#[tokio::test]
async fn an_agent_of_a_lost_past_is_not_taken_for_its_successor() {
    let database = Database::empty();
    let [one, other] = [(); 2].map(|()| Client::on(Arc::clone(&database) as Arc<dyn Store>));
    let backup = database.backup().await;
    one.done("/v1/agents", json!({"id": "a", "graph": "circle:5"})).await;
    let lost = other.ask("a").await;
    database.restore(&backup);
    one.done("/v1/agents", json!({"id": "a", "graph": "line:3", "start": 1})).await;
    assert_eq!(seen(&other).await, fresh(&database).await);
    let report =
        json!({"sequence": 0, "reward": 1, "seal": lost["seal"], "number": lost["number"]});
    assert_eq!(other.post("/v1/agents/a/tell", report).await.status, 409);
}

/// Numbers distinguish a deleted agent from a later one of its name.
#[tokio::test]
async fn a_report_for_a_deleted_agent_is_refused() {
    let client = Client::fresh();
    client.done("/v1/agents", json!({"id": "a", "graph": "circle:5"})).await;
    let order = client.ask("a").await;
    let shown = client.get("/v1/agents/a").await.body;
    assert_eq!(order["number"], shown["number"]);
    let delete = client.request("DELETE", "/v1/agents/a").body(axum::body::Body::empty()).unwrap();
    assert_eq!(client.send(delete).await.status, 204);
    client.done("/v1/agents", json!({"id": "a", "graph": "circle:5"})).await;
    let report = json!({"sequence": 0, "reward": 1, "number": order["number"]});
    let refused = client.post("/v1/agents/a/tell", report).await;
    assert_eq!(refused.status, 409);
    assert_eq!(refused.body["type"], "urn:graph-bandit:other-agent");
    let order = client.ask("a").await;
    let report =
        json!({"sequence": 0, "reward": 1, "number": order["number"], "seal": order["seal"]});
    client.done("/v1/agents/a/tell", report).await;
}

/// A store that is restored with fewer records while a log is compacted keeps all of them.
#[test]
fn a_restore_while_a_log_is_compacted_loses_nothing() {
    let database = Database::empty();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (backup, agent) = runtime.block_on(async {
        let client = Client::on(Arc::clone(&database) as Arc<dyn Store>);
        let request = json!({"id": "a", "graph": "circle:5", "agent": "g-ts", "seed": 1});
        client.done("/v1/agents", request).await;
        for sequence in 0..10 {
            assert_eq!(tell(&client, sequence, 1.0).await.0, 200);
        }
        let backup = database.backup().await;
        for sequence in 10..30 {
            assert_eq!(tell(&client, sequence, 2.0).await.0, 200);
        }
        (backup, database.key("a").await.unwrap().unwrap())
    });
    database.restore_while_compacting(&backup);
    let store = Arc::clone(&database) as Arc<dyn Store>;
    let refused = upkeep::compact(&store, KeepHistory::Last(5));
    assert!(refused.is_err(), "{refused:?}");
    runtime.block_on(async {
        assert_eq!(database.base(&agent).await, Ok(None));
        assert_eq!(database.read(&agent, 0, Portion::of(99)).await.unwrap().len(), 10);
    });
    let compacted = upkeep::compact(&store, KeepHistory::Last(5)).unwrap();
    assert_eq!((compacted.agents, compacted.records), (1, 5));
}
