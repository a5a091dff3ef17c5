//! Damaged exports and imports, what a quick check notices, and when compaction is checked.

use crate::database::Database;
use crate::http::Client;
use crate::store::sqlite::fresh_file;
use graph_bandit_server::fleet::KeepHistory;
use graph_bandit_server::store::{MemoryStore, Portion, Store, open};
use graph_bandit_server::upkeep::{self, Depth, Export, IfNameTaken, Imported};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::runtime::Runtime;

/// Reports until the log has this many records.
async fn told(client: &Client, id: &str, reports: std::ops::Range<u64>, reward: f64) {
    for sequence in reports {
        let report = json!({"sequence": sequence, "reward": reward});
        client.done(&format!("/v1/agents/{id}/tell"), report).await;
    }
}

async fn created(client: &Client, id: &str) {
    let request = json!({"id": id, "graph": "circle:5", "agent": "g-ts", "seed": 1});
    client.done("/v1/agents", request).await;
}

/// A file with one agent, whose reports all have this reward.
fn file_of(name: &str, reward: f64) -> (String, Arc<dyn Store>) {
    let url = format!("sqlite://{}", fresh_file(name).display());
    let store = open(&url).unwrap();
    Runtime::new().unwrap().block_on(async {
        let client = Client::on(Arc::clone(&store));
        created(&client, "a").await;
        told(&client, "a", 0..300, reward).await;
        let key = store.key("a").await.unwrap().unwrap();
        let start = std::time::Instant::now();
        while store.snapshot(&key).await.unwrap().is_none() {
            assert!(start.elapsed() < std::time::Duration::from_secs(60));
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    });
    (url, store)
}

fn exported(url: &str) -> Vec<Value> {
    let mut lines = Vec::new();
    upkeep::export(url, &BTreeSet::new(), &mut lines).unwrap();
    let lines = String::from_utf8(lines).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn imported(into: &Arc<dyn Store>, lines: &[Value]) -> Imported {
    let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
    let text = lines.join("\n");
    let mut bytes = text.as_bytes();
    let export = Export::begin(&mut bytes).unwrap();
    upkeep::import(into, export, IfNameTaken::Refuse).unwrap()
}

#[test]
fn a_log_without_its_beginning_is_damage_of_one_agent() {
    let url = format!("sqlite://{}", fresh_file("hole").display());
    let store = open(&url).unwrap();
    Runtime::new().unwrap().block_on(async {
        let client = Client::on(Arc::clone(&store));
        for id in ["a", "b"] {
            created(&client, id).await;
            told(&client, id, 0..3, 1.0).await;
        }
    });
    drop(store);
    let file = rusqlite::Connection::open(url.strip_prefix("sqlite://").unwrap()).unwrap();
    let removed = "DELETE FROM records WHERE sequence = 0
        AND agent = (SELECT number FROM agents WHERE id = 'a')";
    assert_eq!(file.execute(removed, []), Ok(1));
    let mut lines = Vec::new();
    let exported = upkeep::export(&url, &BTreeSet::new(), &mut lines).unwrap();
    assert_eq!((exported.agents, exported.records), (1, 3));
    assert_eq!(exported.damaged[0].agent, "a");
    assert!(exported.damaged[0].reason.contains("record 0 of 3"), "{}", exported.damaged[0].reason);
}

#[test]
fn imports_check_their_content_and_can_be_repeated() {
    let keep = KeepHistory::Last(100);
    let [one, other] = [("whole", 1.0), ("foreign", 2.0)].map(|(name, reward)| {
        let (url, store) = file_of(name, reward);
        assert_eq!(upkeep::compact(&store, keep).unwrap().records, 200);
        exported(&url)
    });
    let runtime = Runtime::new().unwrap();
    let empty = || Arc::new(MemoryStore::default()) as Arc<dyn Store>;
    let at = |what: &str| one.iter().position(|line| line.get(what).is_some()).unwrap();

    // An earlier import was killed when it had only created the agent.
    let store = empty();
    let agent = &one[at("agent")]["agent"];
    let text = |what: &str| agent[what].as_str().unwrap();
    runtime.block_on(store.create("a", text("label"), text("definition"))).unwrap();
    let again = imported(&store, &one);
    assert_eq!((again.agents, again.records), (1, 100));
    let end = runtime.block_on(store.find("a")).unwrap().unwrap().end;
    assert_eq!(end, 300);

    // A base of another log.
    let mut lines = one.clone();
    lines[at("base")] = other[at("base")].clone();
    let store = empty();
    let refused = imported(&store, &lines);
    assert_eq!((refused.agents, refused.damaged.len()), (0, 1));
    assert!(refused.damaged[0].reason.contains("its base"), "{}", refused.damaged[0].reason);
    assert_eq!(runtime.block_on(store.find("a")), Ok(None));

    // Without a snapshot nothing is lost.
    let mut lines = one.clone();
    lines[at("snapshot")]["snapshot"]["body"] = "broken".into();
    let store = empty();
    assert_eq!(imported(&store, &lines).agents, 1);
    let key = runtime.block_on(store.key("a")).unwrap().unwrap();
    assert_eq!(runtime.block_on(store.snapshot(&key)), Ok(None));
}

/// The log of an agent, as it is stored.
async fn log_of(store: &Arc<dyn Store>, id: &str) -> Vec<String> {
    let key = store.key(id).await.unwrap().unwrap();
    store.read(&key, 0, Portion::of(1_000)).await.unwrap()
}

/// The numbers in a team's receipts are those of its walkers, so several records have the same one. An import
/// goes by the places in the log, and the list counts the walkers of the imported team.
#[test]
fn a_team_is_imported_and_imported_again_when_it_has_gone_on() {
    let url = format!("sqlite://{}", fresh_file("team").display());
    let store = open(&url).unwrap();
    let copy = Arc::new(MemoryStore::default()) as Arc<dyn Store>;
    let runtime = Runtime::new().unwrap();
    let (client, there) = (Client::on(Arc::clone(&store)), Client::on(Arc::clone(&copy)));
    let told = async |walker: &str, sequence: u64| {
        let report = json!({"walker": walker, "sequence": sequence, "reward": 1.5});
        client.done("/v1/agents/t/tell", report).await;
    };
    let is_imported = |records: u64, walkers: u64| {
        let imported = imported(&copy, &exported(&url));
        assert_eq!((imported.agents, imported.records), (1, records), "{imported:?}");
        runtime.block_on(async {
            let log = log_of(&store, "t").await;
            assert_eq!(log.len() as u64, records);
            assert_eq!(log_of(&copy, "t").await, log);
            let listed = [&client, &there].map(|client| client.get("/v1/agents"));
            for listed in listed {
                let listed = listed.await.body["agents"][0].clone();
                assert_eq!(
                    (&listed["walkers"], &listed["sequence"]),
                    (&json!(walkers), &json!(records))
                );
            }
        });
    };
    runtime.block_on(async {
        let request = json!({"id": "t", "graph": "line:6", "seed": 1,
            "walkers": [{"name": "anna"}, {"name": "bert", "start": 5}]});
        client.done("/v1/agents", request).await;
        told("anna", 0).await;
        told("bert", 0).await;
    });
    is_imported(2, 2);
    // The last new record is not the one that changes the count.
    runtime.block_on(async {
        client.done("/v1/agents/t/joined", json!({"name": "cleo", "start": 3})).await;
        told("cleo", 0).await;
    });
    is_imported(4, 3);
    runtime.block_on(async {
        for walker in ["anna", "cleo"] {
            client.done("/v1/agents/t/left", json!({"walker": walker})).await;
        }
    });
    is_imported(6, 1);
    is_imported(6, 1);
    // A damaged label is not taken over; the log is.
    runtime.block_on(async {
        client.done("/v1/agents/t/joined", json!({"name": "dora", "start": 0})).await;
    });
    let mut lines = exported(&url);
    lines[1]["agent"]["label"] = "broken".into();
    let broken = imported(&copy, &lines);
    assert_eq!((broken.agents, broken.records), (1, 7), "{broken:?}");
    runtime.block_on(async {
        assert_eq!(log_of(&copy, "t").await, log_of(&store, "t").await);
        let listed = there.get("/v1/agents").await.body["agents"][0].clone();
        assert_eq!(listed, json!({"id": "t", "agent": "g-star", "walkers": 1, "sequence": 7}));
    });
    let order =
        async |client: &Client| client.done("/v1/agents/t/ask?walker=bert", json!({})).await;
    runtime.block_on(async { assert_eq!(order(&there).await, order(&client).await) });
}

#[test]
fn a_quick_check_notices_data_of_another_log() {
    let (url, store) = file_of("quick", 1.0);
    let (_, other) = file_of("quick-other", 2.0);
    assert_eq!(upkeep::verify(&url, Depth::Seals).unwrap().damaged, []);
    Runtime::new().unwrap().block_on(async {
        let there = other.key("a").await.unwrap().unwrap();
        let snapshot = other.snapshot(&there).await.unwrap().unwrap();
        let here = store.key("a").await.unwrap().unwrap();
        store.put_snapshot(&here, snapshot).await.unwrap();
    });
    let damaged = upkeep::verify(&url, Depth::Seals).unwrap().damaged;
    assert!(damaged[0].reason.contains("a log that has other records"), "{damaged:?}");
}

/// Compaction is checked only after enough new records, not when the agent is loaded.
#[tokio::test]
async fn loading_an_agent_does_not_start_a_compaction() {
    let database = Database::empty();
    let store = || Arc::clone(&database) as Arc<dyn Store>;
    let before = Client::on(store());
    created(&before, "a").await;
    told(&before, "a", 0..300, 1.0).await;
    let client = Client::keeping(store(), KeepHistory::Last(5));
    for sequence in 300..512 {
        told(&client, "a", sequence..sequence + 1, 1.0).await;
        tokio::task::yield_now().await;
    }
    let start = std::time::Instant::now();
    while database.bases().is_empty() {
        assert!(start.elapsed() < std::time::Duration::from_secs(60));
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(database.bases(), [508]);
}
