//! Decisions are facts: another planner does not change the past of a stored agent.

use crate::http::Client;
use graph_bandit::spec::{AgentEntry, Standing};
use graph_bandit::{Agent, AgentSpec, Leg, Origin, Raised, Situation, Stream};
use graph_bandit_server::store::{MemoryStore, Store, StoredSnapshot};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::{Mutex, MutexGuard};

/// Which version of the planner answers.
static VERSION: AtomicU64 = AtomicU64::new(0);
/// One test at a time sets it.
static TURN: Mutex<()> = Mutex::const_new(());

fn plan_by(version: u64) {
    VERSION.store(version, Ordering::SeqCst);
}

/// Walks around in a random direction; direction and distance depend on the version.
struct Moody;

impl Agent for Moody {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        let version = VERSION.load(Ordering::SeqCst);
        let around = now.graph.neighborhood(now.at);
        let luck = stream.below(around.len() as u64 + version) + version;
        leg.visit_once(now.at, around[(luck % around.len() as u64) as usize]);
        leg.stay += stream.below(2 + version);
        Ok(())
    }
}

static MOODY: AgentEntry = AgentEntry {
    name: "moody",
    summary: "Moody: another way with every version",
    about: "Moody: another way with every version",
    origin: Origin::Frontier,
    standing: Standing::Other,
    look: None,
    parameters: &[],
    program: "",
    noise_scale: |_values| None,
    build: |_values, _graph| Ok(Box::new(Moody)),
};

async fn registered() -> MutexGuard<'static, ()> {
    let turn = TURN.lock().await;
    // The first test registers it.
    let _ = AgentSpec::register(&MOODY);
    turn
}

/// Sends this many varied reports, and returns the answers.
async fn live_on(client: &Client, reports: u64) -> Vec<Value> {
    let mut receipts = Vec::new();
    for _ in 0..reports {
        let order = client.ask("a").await;
        let sequence = order["sequence"].as_u64().unwrap();
        let number = |of: &str| order[of]["node"].as_u64().unwrap();
        let reward = (sequence % 5) as f64;
        let report = match sequence % 7 {
            3 => {
                json!({"sequence": sequence, "visits": [{"at": (number("at") + 3) % 9, "reward": reward},
                {"at": number("at"), "reward": 1}]})
            }
            _ => json!({"sequence": sequence, "reward": reward}),
        };
        let receipt = if sequence % 11 == 10 {
            client.done("/v1/agents/a/failed", json!({"sequence": sequence, "at": 4})).await
        } else {
            client.done("/v1/agents/a/tell", report).await
        };
        receipts.push(receipt);
    }
    receipts
}

/// The visible state of an agent, without its order.
async fn known(client: &Client) -> [Value; 3] {
    let get = async |path: &str| client.get(&format!("/v1/agents/a/{path}")).await.body;
    [get("estimates").await, get("history?limit=1000").await, get("rewards").await]
}

fn request() -> Value {
    json!({"id": "a", "graph": "circle:9", "agent": "moody", "init": "depth-first", "seed": 3})
}

#[tokio::test]
async fn another_planner_does_not_change_the_past() {
    let _turn = registered().await;
    // Without records, in the cover, after it, and after a snapshot.
    for reports in [0, 1, 4, 12, 40, 300] {
        plan_by(0);
        let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
        let before = Client::on(Arc::clone(&store));
        before.done("/v1/agents", request()).await;
        live_on(&before, reports).await;
        let (order, knows) = (before.ask("a").await, known(&before).await);

        plan_by(5);
        let after = Client::on(Arc::clone(&store));
        assert_eq!(after.ask("a").await, order, "{reports}");
        assert_eq!(known(&after).await, knows, "{reports}");
        // Creating it again gives the same agent, though its first order would differ today.
        assert_eq!(after.post("/v1/agents", request()).await.status, 200);
        live_on(&after, 20).await;
        let (order, knows) = (after.ask("a").await, known(&after).await);

        // And back, without a snapshot.
        plan_by(1);
        let key = store.key("a").await.unwrap().unwrap();
        let useless = StoredSnapshot { sequence: 1 << 40, body: String::new() };
        store.put_snapshot(&key, useless).await.unwrap();
        let again = Client::on(store);
        assert_eq!(again.ask("a").await, order, "{reports}");
        assert_eq!(known(&again).await, knows, "{reports}");
    }
}

/// Data in another format is refused as such, whatever else it has.
#[tokio::test]
async fn another_format_is_reported_as_such() {
    let store = Arc::new(MemoryStore::default());
    let client = Client::on(Arc::clone(&store) as Arc<dyn Store>);
    client.done("/v1/agents", json!({"id": "a", "graph": "circle:5"})).await;
    let key = store.key("a").await.unwrap().unwrap();
    let end = store.tip("a").await.unwrap().unwrap().end;
    let sealed = |id: &str| {
        let text = json!({"format": 3, "weather": "fine"}).to_string();
        let hash = Sha256::digest(format!("{id}\n{text}"));
        let seal = format!("{:016x}", u64::from_be_bytes(hash[..8].try_into().unwrap()));
        format!("{seal}\n{text}")
    };
    store.append(&key, &end, sealed("a")).await.unwrap();
    store.create("b", "", &sealed("b")).await.unwrap();
    let client = Client::on(store);
    for id in ["a", "b"] {
        let refused = client.post(&format!("/v1/agents/{id}/ask"), json!({})).await;
        assert_eq!(refused.status, 500);
        let detail = refused.body["detail"].as_str().unwrap();
        let said =
            "it has format 3, and this program reads 1: it was made by an unpublished version";
        assert!(detail.contains(said), "{id}: {detail}");
    }
}
