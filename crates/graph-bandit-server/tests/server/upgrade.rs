//! A rolling upgrade: while a process of version 0.1 uses the database, everything is written in its format;
//! when the last one is gone, agents go on in today's format and lose nothing.

use crate::http::Client;
use graph_bandit_server::store::{Format, PostgresStore, Store, open};
use graph_bandit_testing::Postgres;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// The exact types that version 0.1 read; it refused everything else.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only parsed")]
struct OldRecord {
    fingerprint: String,
    event: OldEvent,
    receipt: OldReceipt,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
#[expect(dead_code, reason = "only parsed")]
enum OldEvent {
    Told {
        visits: Vec<OldVisits>,
    },
    LegFailed {
        at: u32,
        #[serde(default)]
        reason: Option<String>,
    },
    EdgeBlocked {
        edge: (u32, u32),
        at: u32,
    },
    EdgeOpened {
        edge: (u32, u32),
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only parsed")]
struct OldVisits {
    node: u32,
    rewards: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only parsed")]
struct OldReceipt {
    sequence: u64,
    next_sequence: u64,
    at: u32,
    visits: u64,
    replanned: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only parsed")]
struct OldDefinition {
    graph: Value,
    agent: Value,
    start: u32,
    seed: u64,
    init: String,
    #[serde(default)]
    origin: Option<OldSnapshot>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only parsed")]
struct OldSnapshot {
    sequence: u64,
    blocked: Vec<(u32, u32)>,
    curve: Value,
    state: OldState,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only parsed")]
struct OldState {
    at: u32,
    phase: Value,
    leg: Value,
    entered: usize,
    stream: Value,
    cover: Value,
    estimates: Value,
    memory: Value,
    #[serde(default)]
    clock: Option<Value>,
}

/// All texts of a kind, without their seals.
fn texts(database: &Postgres, column: &str, table: &str) -> Vec<String> {
    let select = format!("SELECT encode(convert_to({column}, 'UTF8'), 'hex') FROM gbandit.{table}");
    let lines = database.sql(&select);
    let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    let bytes = |line: &str| -> Vec<u8> {
        let digits = (0..line.len()).step_by(2);
        digits.map(|at| u8::from_str_radix(&line[at..at + 2], 16).unwrap()).collect()
    };
    let text = |line: &str| String::from_utf8(bytes(line)).unwrap();
    lines.map(|line| text(line).split_once('\n').unwrap().1.to_owned()).collect()
}

fn read_by_old<T: for<'de> Deserialize<'de>>(texts: &[String]) {
    for text in texts {
        if let Err(error) = serde_json::from_str::<T>(text) {
            panic!("version 0.1 cannot read {text}: {error}");
        }
    }
}

async fn told(client: &Client, id: &str, more: Value) -> u16 {
    let order = client.ask(id).await;
    let mut report = json!({"sequence": order["sequence"], "reward": 0.5});
    for (key, value) in more.as_object().unwrap() {
        report[key] = value.clone();
    }
    client.post(&format!("/v1/agents/{id}/tell"), report).await.status
}

async fn reported(client: &Client, path: &str, mut report: Value) -> u16 {
    report["sequence"] = client.ask("new").await["sequence"].clone();
    client.post(&format!("/v1/agents/new/{path}"), report).await.status
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn beside_version_0_1_everything_is_written_as_it_reads_it() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/0.1");
    let database = Postgres::start();
    database.restore(&fixtures.join("fleet.sql"));
    let mut old: tokio_postgres::Config = database.url().parse().unwrap();
    let (old, connection) =
        old.application_name("gbandit").connect(tokio_postgres::NoTls).await.unwrap();
    let connection = tokio::spawn(connection);

    let store: Arc<dyn Store> = Arc::new(PostgresStore::open(&database.url()).unwrap());
    assert_eq!(store.format(), Format::First);
    let client = Client::on(Arc::clone(&store));
    let ids = ["g-ts-legs", "g-star-single", "ucrl2-cover", "long-blocked"];
    for round in 0..70 {
        for id in ids {
            assert_eq!(told(&client, id, json!({"id": round.to_string()})).await, 200, "{id}");
        }
    }
    client.done("/v1/agents", json!({"id": "new", "graph": "circle:5", "agent": "g-ts"})).await;
    let export = client.get("/v1/agents/g-ts-legs/snapshot").await.body;
    client.done("/v1/import", json!({"id": "copy", "export": export})).await;
    for _ in 0..260 {
        assert_eq!(told(&client, "new", json!({})).await, 200);
    }
    assert_eq!(told(&client, "copy", json!({})).await, 200);
    // Reports that it could not read are refused.
    assert_eq!(told(&client, "new", json!({"robot": "r"})).await, 503);
    let seen = json!([{"at": 1, "reward": 1}]);
    for (path, body, expected) in [
        ("observe", json!({"observations": seen}), 503),
        ("moved", json!({"at": 2}), 503),
        ("blocked", json!({"edge": [0, 1]}), 200),
        // Version 0.1 did not know nodes that are cut off.
        ("blocked", json!({"edge": [2, 3]}), 503),
    ] {
        assert_eq!(reported(&client, path, body).await, expected, "{path}");
    }

    read_by_old::<OldRecord>(&texts(&database, "body", "records"));
    read_by_old::<OldSnapshot>(&texts(&database, "body", "snapshots"));
    read_by_old::<OldDefinition>(&texts(&database, "definition", "agents"));
    assert!(database.sql("SELECT version FROM gbandit.version").contains('2'));
    let before = client.ask("g-ts-legs").await;

    drop(old);
    connection.await.unwrap().unwrap();
    while store.format() == Format::First {
        tokio::task::yield_now().await;
    }
    assert!(database.sql("SELECT version FROM gbandit.version").contains('3'));
    for id in ids.into_iter().chain(["new", "copy"]) {
        assert_eq!(told(&client, id, json!({"robot": "r"})).await, 200, "{id}");
    }
    assert_eq!(reported(&client, "observe", json!({"observations": seen})).await, 200);
    assert_eq!(reported(&client, "blocked", json!({"edge": [2, 3]})).await, 200);
    assert_eq!(reported(&client, "moved", json!({"at": 2})).await, 200);
    let other = Client::on(open(&database.url()).unwrap());
    for id in ids.into_iter().chain(["new", "copy"]) {
        assert_eq!(other.ask(id).await, client.ask(id).await, "{id}");
        let history = format!("/v1/agents/{id}/history?from=0&limit=1000");
        assert_eq!(other.get(&history).await.body, client.get(&history).await.body, "{id}");
    }
    let after = other.ask("g-ts-legs").await;
    assert_eq!(after["sequence"].as_u64().unwrap(), before["sequence"].as_u64().unwrap() + 1);
}
