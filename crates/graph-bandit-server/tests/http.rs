//! The service over HTTP, in process: what a client sees.

#[path = "http/events.rs"]
mod events;
#[path = "http/heavy.rs"]
mod heavy;
#[path = "http/maps.rs"]
mod maps;
#[path = "http/rewards.rs"]
mod rewards;
#[path = "http/shared.rs"]
mod shared;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use graph_bandit_server::fleet::{Fleet, FleetLimits};
use graph_bandit_server::http::{
    Door, HttpLimits, OPENAPI, Rate, Scope, Service, Tokens, new_token, router,
};
use graph_bandit_server::metrics::Metrics;
use graph_bandit_server::store::{MemoryStore, Store, StoredSnapshot};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use std::sync::Arc;
use tower::ServiceExt;

/// An answer: status, type of content, JSON (or the text as such).
struct Answer {
    status: u16,
    kind: String,
    headers: axum::http::HeaderMap,
    body: Value,
}

struct Client {
    app: Router,
    token: Option<String>,
}

fn service(store: Arc<dyn Store>, door: Door, limits: HttpLimits) -> Router {
    let metrics = Arc::new(Metrics::default());
    let fleet = Fleet::new(store, FleetLimits::default(), Arc::clone(&metrics));
    router(&Service::new(fleet, metrics, door, limits))
}

impl Client {
    fn on(store: Arc<dyn Store>) -> Self {
        Self { app: service(store, Door::Local, HttpLimits::default()), token: None }
    }

    fn fresh() -> Self {
        Self::on(Arc::new(MemoryStore::default()))
    }

    async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.app.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let kind = headers.get(header::CONTENT_TYPE).map(|kind| kind.to_str().unwrap().to_owned());
        let kind = kind.unwrap_or_default();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        if status >= 400 {
            assert_eq!(kind, "application/problem+json", "{body}");
            assert_eq!(body["status"], status);
            for member in ["type", "title", "detail"] {
                assert!(!body[member].as_str().unwrap().is_empty(), "{body}");
            }
        }
        Answer { status, kind, headers, body }
    }

    fn request(&self, method: &str, path: &str) -> axum::http::request::Builder {
        let request = Request::builder().method(method).uri(path);
        match &self.token {
            Some(token) => request.header(header::AUTHORIZATION, format!("Bearer {token}")),
            None => request,
        }
    }

    async fn get(&self, path: &str) -> Answer {
        self.send(self.request("GET", path).body(Body::empty()).unwrap()).await
    }

    /// The answer before its body.
    async fn open(&self, path: &str) -> axum::response::Response {
        let request = self.request("GET", path).body(Body::empty()).unwrap();
        self.app.clone().oneshot(request).await.unwrap()
    }

    async fn raw(&self, path: &str, kind: &str, body: impl Into<Body>) -> Answer {
        let request = self.request("POST", path).header(header::CONTENT_TYPE, kind);
        self.send(request.body(body.into()).unwrap()).await
    }

    async fn post(&self, path: &str, body: Value) -> Answer {
        self.raw(path, "application/json", body.to_string()).await
    }

    /// What must succeed.
    async fn done(&self, path: &str, body: Value) -> Value {
        let answer = self.post(path, body).await;
        assert!(answer.status < 300, "{path}: {} {}", answer.status, answer.body);
        answer.body
    }

    async fn ask(&self, id: &str) -> Value {
        self.done(&format!("/v1/agents/{id}/ask"), json!({})).await
    }
}

fn paid(node: u64, count: u64) -> f64 {
    (node % 5) as f64 + ((count * 7 + node) % 10) as f64 / 10.0
}

/// Plays whole legs, and answers all receipts.
async fn play(client: &Client, id: &str, legs: usize) -> Vec<Value> {
    let mut receipts = Vec::new();
    for _ in 0..legs {
        let order = client.ask(id).await;
        let path: Vec<u64> =
            order["path"].as_array().unwrap().iter().map(|p| p["node"].as_u64().unwrap()).collect();
        let visits = path.len() as u64 + order["stay"].as_u64().unwrap().min(8);
        let at = order["at"]["node"].as_u64().unwrap();
        let end = *path.last().unwrap_or(&at);
        let nodes = path.into_iter().chain(std::iter::repeat(end)).take(visits as usize);
        let rewards: Vec<f64> = nodes.zip(0..).map(|(node, k)| paid(node, k)).collect();
        let body = json!({"sequence": order["sequence"], "rewards": rewards});
        receipts.push(client.done(&format!("/v1/agents/{id}/tell"), body).await);
    }
    receipts
}

#[tokio::test]
async fn from_creation_to_deletion() {
    let client = Client::fresh();
    let wish = json!({
        "id": "rover", "agent": "g-ucb", "start": "hall", "seed": 5,
        "graph": {
            "nodes": 3, "names": ["hall", "yard", "roof"], "edges": [["hall", "yard"], [1, 2]],
            "coordinates": [[0, 0], [1, 0], [1.5, 2]],
        },
    });
    let created = client.post("/v1/agents", wish.clone()).await;
    assert_eq!(created.status, 201, "{}", created.body);
    assert_eq!(created.headers[header::LOCATION], "/v1/agents/rover");
    assert_eq!(created.body["at"], json!({"node": 0, "name": "hall", "coordinates": [0.0, 0.0]}));
    assert_eq!(client.post("/v1/agents", wish.clone()).await.status, 200);
    let mut other = wish;
    other["seed"] = json!(6);
    assert_eq!(client.post("/v1/agents", other).await.status, 409);

    // Ask is the same until told.
    let order = client.ask("rover").await;
    assert_eq!(client.ask("rover").await, order);
    assert_eq!(
        (&order["sequence"], &order["stay"], &order["path"]),
        (&json!(0), &json!(1), &json!([]))
    );
    assert_eq!(order["phase"], "cover");
    let told = client.done("/v1/agents/rover/tell", json!({"sequence": 0, "reward": 0.5})).await;
    let receipt = json!(
        {"sequence": 0, "next_sequence": 1, "at": 0, "visits": 1, "replanned": false}
    );
    assert_eq!(told, receipt);
    assert_eq!(client.ask("rover").await["path"][0]["name"], "yard");

    // A batch from a robot that was offline, by name and by number.
    let batch =
        json!([{"at": "yard", "reward": 1}, {"at": 2, "reward": 3}, {"at": 2, "reward": 2}]);
    let told = client.done("/v1/agents/rover/tell", json!({"sequence": 1, "visits": batch})).await;
    assert_eq!((&told["at"], &told["visits"]), (&json!(2), &json!(4)));
    let order = client.ask("rover").await;
    assert_eq!(order["phase"], "learn");
    assert_eq!(order["why"]["estimate"], 2.5);
    assert!(order["why"]["bound"].as_f64().unwrap() > 2.5, "{order}");
    assert_eq!(order["why"]["runner_up"]["name"], "yard");

    let known = client.get("/v1/agents/rover/estimates?from=1&limit=1").await.body;
    assert_eq!((&known["nodes"], &known["next"]), (&json!(3), &json!(2)));
    assert_eq!(known["estimates"][0]["name"], "yard");
    assert_eq!(known["estimates"][0]["visits"], 1);

    let history = client.get("/v1/agents/rover/history?limit=1").await.body;
    assert_eq!((&history["end"], &history["next"]), (&json!(2), &json!(1)));
    assert_eq!(history["records"][0]["visits"], json!([{"node": 0, "rewards": [0.5]}]));
    assert_eq!(history["records"][0]["receipt"], receipt);

    let list = client.get("/v1/agents").await.body;
    assert_eq!(list, json!({"agents": [{"id": "rover", "agent": "g-ucb", "sequence": 2}]}));
    let shown = client.get("/v1/agents/rover").await.body;
    assert_eq!((&shown["visits"], &shown["sequence"]), (&json!(4), &json!(2)));

    let delete = client.request("DELETE", "/v1/agents/rover").body(Body::empty()).unwrap();
    assert_eq!(client.send(delete).await.status, 204);
    assert_eq!(client.get("/v1/agents/rover").await.status, 404);
    assert_eq!(client.get("/v1/agents").await.body["agents"], json!([]));
}

#[tokio::test]
async fn a_repeat_is_answered_the_same_and_a_conflict_is_409() {
    let client = Client::fresh();
    client.done("/v1/agents", json!({"id": "a", "graph": "grid:3x3"})).await;
    let receipts = play(&client, "a", 6).await;
    // By now everything has moved on; each repeat is still answered as it was.
    let history = client.get("/v1/agents/a/history").await.body;
    for (sequence, receipt) in receipts.iter().enumerate() {
        let visits = history["records"][sequence]["visits"].as_array().unwrap();
        let rewards: Vec<&Value> =
            visits.iter().flat_map(|run| run["rewards"].as_array().unwrap()).collect();
        // The same body in other words: spaces and the order of members do not matter.
        let text = format!(
            "{{ \"rewards\": {}, \"sequence\": {sequence} }}",
            serde_json::to_string(&rewards).unwrap()
        );
        let again = client.raw("/v1/agents/a/tell", "application/json; charset=utf-8", text).await;
        assert_eq!((again.status, &again.body), (200, receipt));
        let mut other = rewards.clone();
        let changed = json!(rewards[0].as_f64().unwrap() + 1.0);
        other[0] = &changed;
        let other = json!({"sequence": sequence, "rewards": other});
        let conflict = client.post("/v1/agents/a/tell", other).await;
        assert_eq!((conflict.status, &conflict.body["next_sequence"]), (409, &json!(6)));
        // The same number for another kind of report.
        let failed = client.post("/v1/agents/a/failed", json!({"sequence": sequence})).await;
        assert_eq!(failed.status, 409);
    }
    let early = client.post("/v1/agents/a/tell", json!({"sequence": 7, "reward": 1})).await;
    assert_eq!((early.status, &early.body["next_sequence"]), (409, &json!(6)));
    assert_eq!(client.get("/v1/agents/a").await.body["sequence"], 6);
}

#[tokio::test]
async fn failed_legs_and_blocked_edges_are_planned_around() {
    let client = Client::fresh();
    client.done("/v1/agents", json!({"id": "a", "graph": "circle:5", "agent": "g-ucb"})).await;
    assert_eq!(client.ask("a").await["stay"], 1);
    client.done("/v1/agents/a/tell", json!({"sequence": 0, "reward": 1})).await;
    let path = |order: &Value| -> Vec<u64> {
        order["path"].as_array().unwrap().iter().map(|p| p["node"].as_u64().unwrap()).collect()
    };
    assert_eq!(path(&client.ask("a").await), [1]);
    let blocked = json!({"sequence": 1, "edge": [1, 0]});
    let receipt = client.done("/v1/agents/a/blocked", blocked).await;
    assert_eq!(receipt["replanned"], true);
    assert_eq!(path(&client.ask("a").await), [4, 3, 2, 1]);
    let bridge = client.post("/v1/agents/a/blocked", json!({"sequence": 2, "edge": [2, 3]})).await;
    assert_eq!(bridge.status, 422);
    assert!(bridge.body["detail"].as_str().unwrap().contains("falls apart"), "{}", bridge.body);
    let failed = json!({"sequence": 2, "at": "3", "reason": "rain"});
    assert_eq!(client.done("/v1/agents/a/failed", failed).await["at"], 3);
    assert_eq!(path(&client.ask("a").await), [2, 1]);
    client.done("/v1/agents/a/opened", json!({"sequence": 3, "edge": [0, 1]})).await;
    assert_eq!(client.get("/v1/agents/a").await.body["blocked"], json!([]));
    let kinds: Vec<_> = client.get("/v1/agents/a/history").await.body["records"]
        .as_array()
        .unwrap()
        .iter()
        .map(|record| record["kind"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(kinds, ["told", "edge-blocked", "leg-failed", "edge-opened"]);

    client.done("/v1/agents", json!({"id": "q", "graph": "circle:5", "agent": "ql-eps"})).await;
    let refused = client.post("/v1/agents/q/blocked", json!({"sequence": 0, "edge": [0, 1]})).await;
    assert!(refused.body["detail"].as_str().unwrap().contains("remembers"), "{}", refused.body);
}

#[tokio::test]
async fn an_exported_agent_goes_on_elsewhere() {
    let (here, there) = (Client::fresh(), Client::fresh());
    let wish = json!({"id": "a", "graph": "grid:3x3", "agent": "g-ts", "seed": 9});
    here.done("/v1/agents", wish).await;
    play(&here, "a", 15).await;
    let export = here.get("/v1/agents/a/snapshot").await.body;
    let imported = there.done("/v1/import", json!({"id": "b", "export": export})).await;
    assert_eq!((&imported["id"], &imported["sequence"]), (&json!("b"), &json!(0)));
    for _ in 0..10 {
        let (mut one, mut other) = (here.ask("a").await, there.ask("b").await);
        for order in [&mut one, &mut other] {
            order.as_object_mut().unwrap().remove("sequence");
        }
        assert_eq!(one, other);
        play(&here, "a", 1).await;
        play(&there, "b", 1).await;
    }
    // And once more, from there.
    let export = there.get("/v1/agents/b/snapshot").await.body;
    there.done("/v1/import", json!({"id": "c", "export": export})).await;
    assert_eq!(there.ask("c").await["why"], there.ask("b").await["why"]);

    let mut wrong = here.get("/v1/agents/a/snapshot").await.body;
    wrong["definition"]["graph"] = json!("grid:2x2");
    let refused = there.post("/v1/import", json!({"export": wrong})).await;
    assert_eq!(refused.status, 422);
    assert!(
        refused.body["detail"].as_str().unwrap().contains("the 4 there are"),
        "{}",
        refused.body
    );
    for (place, wrong) in [
        ("/snapshot/blocked", json!([[0, 8]])),
        ("/snapshot/blocked", json!([[0, 99]])),
        ("/snapshot/state/cover/lowest", json!(99)),
        ("/snapshot/state/at", json!(9)),
        ("/snapshot/state/entered", json!(99)),
        ("/snapshot/state/leg/path", json!([8])),
        ("/snapshot/state/memory/values", json!([1.0])),
        ("/definition/agent/agent", json!("ql-eps")),
    ] {
        let mut export = here.get("/v1/agents/a/snapshot").await.body;
        *export.pointer_mut(place).unwrap() = wrong;
        let refused = there.post("/v1/import", json!({"export": export})).await;
        assert_eq!(refused.status, 422, "{place}: {}", refused.body);
    }
    let mut newer = here.get("/v1/agents/a/snapshot").await.body;
    newer["format"] = json!(2);
    assert_eq!(there.post("/v1/import", json!({"export": newer})).await.status, 422);
}

/// Another process on the same store, and a crash at any moment: what is asked next is what an
/// agent that never stopped is asked.
#[tokio::test]
async fn a_new_process_goes_on_where_the_old_one_was() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let twin = Client::fresh();
    let wish = json!({"id": "a", "graph": "grid:3x4", "agent": "local-ts", "seed": 3});
    Client::on(Arc::clone(&store)).done("/v1/agents", wish.clone()).await;
    twin.done("/v1/agents", wish).await;
    for _ in 0..40 {
        let process = Client::on(Arc::clone(&store));
        assert_eq!(process.ask("a").await, twin.ask("a").await);
        // Long enough for snapshots to be taken.
        let receipts = play(&process, "a", 13).await;
        assert_eq!(receipts, play(&twin, "a", 13).await);
    }
    let key = store.find("a").await.unwrap().unwrap().key();
    assert!(store.snapshot(&key).await.unwrap().is_some_and(|snapshot| snapshot.sequence >= 256));
}

/// Two processes on one store: whoever is late reads on and tries again.
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
    // A damaged log is another matter: then there is nothing to go by.
    store.append(&key, 20, "{}".to_owned()).await.unwrap();
    let damaged = Client::on(store).post("/v1/agents/a/ask", json!({})).await;
    assert_eq!(damaged.status, 500);
    assert!(damaged.body["detail"].as_str().unwrap().contains("record 20"), "{}", damaged.body);
}

#[tokio::test]
async fn every_refusal_is_a_problem() {
    let client = Client::fresh();
    client.done("/v1/agents", json!({"id": "a", "graph": "line:3"})).await;
    let tell = "/v1/agents/a/tell";
    let json = "application/json";
    let deep = format!("{{\"graph\":{}", "[".repeat(100_000));
    assert_eq!(client.get("/nothing/here").await.status, 404);
    assert_eq!(client.get("/v1/agents/%ff").await.status, 400);
    let wrong_method = client.get(tell).await;
    assert_eq!(wrong_method.status, 405);
    assert_eq!(wrong_method.headers[header::ALLOW], "POST");
    assert_eq!(client.raw(tell, "text/plain", "{}").await.status, 415);
    assert_eq!(client.raw(tell, json, "{\"sequence\": 0,").await.status, 400);
    assert_eq!(client.raw(tell, json, vec![0xff, 0xfe]).await.status, 400);
    assert_eq!(client.raw("/v1/agents", json, deep).await.status, 400);
    assert_eq!(client.raw(tell, json, vec![b' '; (16 << 20) + 1]).await.status, 413);
    for (body, said) in [
        (json!({"sequence": 0}), "just one"),
        (json!({"sequence": 0, "reward": 1, "rewards": [1]}), "just one"),
        (json!({"sequence": 0, "rewards": [1], "at": 0}), "just one"),
        (json!({"sequence": -1, "reward": 1}), "invalid value"),
        (json!({"sequence": 0, "reward": "high"}), "invalid type"),
        (json!({"sequence": 0, "reward": 1, "hurry": true}), "unknown field `hurry`"),
        (json!({"reward": 1}), "missing field `sequence`"),
        (json!({"sequence": 0, "reward": 1, "at": 3}), "the nodes are 0 to 2"),
        (json!({"sequence": 0, "reward": 1e200}), "magnitude"),
        (json!({"sequence": 0, "rewards": []}), "nothing was told"),
        (json!({"sequence": 0, "rewards": [1, 2, 3]}), "3 rewards were told of a leg that has 1"),
    ] {
        let answer = client.post(tell, body.clone()).await;
        assert_eq!(answer.status, 422, "{body}");
        let detail = answer.body["detail"].as_str().unwrap();
        assert!(detail.contains(said), "{body}: {detail}");
    }
    for (body, said) in [
        (json!({"graph": "gird:3x3"}), "gird"),
        (json!({"graph": {"nodes": 2, "edges": []}}), "cut off"),
        (json!({"graph": {"nodes": 2}}), "missing field `edges`"),
        (json!({"graph": {"family": "grid"}}), "missing field `rows`"),
        (json!({"graph": "complete:9000"}), "too large"),
        (json!({"graph": "line:3", "agent": "ucb"}), "there is no agent \"ucb\""),
        (json!({"graph": "line:3", "agent": {"agent": "g-ucb", "bonus": -1}}), "out of range"),
        (json!({"graph": "line:3", "agent": "ucrl2", "noise_scale": 1}), "not told of noise"),
        (json!({"graph": "line:3", "noise_scale": -1}), "out of range"),
        (json!({"graph": "line:3", "start": 9}), "the nodes are 0 to 2"),
        (json!({"graph": "line:3", "id": "a b"}), "no name for an agent"),
        (json!({"graph": "line:3", "id": ""}), "no name for an agent"),
    ] {
        let answer = client.post("/v1/agents", body.clone()).await;
        assert_eq!(answer.status, 422, "{body}: {}", answer.body);
        let detail = answer.body["detail"].as_str().unwrap();
        assert!(detail.contains(said), "{body}: {detail}");
    }
    assert_eq!(client.get("/v1/agents/a/estimates?limit=100000").await.status, 200);
    assert_eq!(client.get("/v1/agents/a/estimates?limit=100001").await.status, 400);
    for query in ["limit=0", "limit=1001", "from=-1", "after=x", "from=1.5"] {
        assert_eq!(
            client.get(&format!("/v1/agents/a/history?{query}")).await.status,
            400,
            "{query}"
        );
    }
    for path in ["ask", "tell", "failed", "blocked", "opened"] {
        let body = json!({"sequence": 0, "reward": 1});
        let body = match path {
            "failed" => json!({"sequence": 0}),
            "blocked" | "opened" => json!({"sequence": 0, "edge": [0, 1]}),
            _ => body,
        };
        assert_eq!(client.post(&format!("/v1/agents/nobody/{path}"), body).await.status, 404);
    }
    for path in ["estimates", "history", "map", "rewards", "events", "snapshot"] {
        assert_eq!(client.get(&format!("/v1/agents/nobody/{path}")).await.status, 404, "{path}");
    }
    assert_eq!(client.get("/v1/agents/a").await.body["sequence"], 0);
}

#[tokio::test]
async fn tokens_allow_what_they_allow() {
    let made = [Scope::Read, Scope::Decide, Scope::Admin]
        .map(|scope| new_token(&format!("t-{scope}"), scope).unwrap());
    let lines = made.each_ref().map(|(_, line)| line.as_str());
    let file = lines.join("\n");
    let door = Door::Tokens(Tokens::parse(&file).unwrap());
    let app = service(Arc::new(MemoryStore::default()), door, HttpLimits::default());
    let with = |token: Option<&str>| Client { app: app.clone(), token: token.map(str::to_owned) };
    let [reader, decider, admin] = made.each_ref().map(|(token, _)| with(Some(token)));
    let (nobody, guesser) = (with(None), with(Some("gbt_0000")));

    let wish = json!({"id": "a", "graph": "line:3"});
    for client in [&nobody, &guesser] {
        let refused = client.post("/v1/agents", wish.clone()).await;
        assert_eq!(refused.status, 401);
        assert_eq!(refused.headers[header::WWW_AUTHENTICATE], "Bearer");
        assert_eq!(client.get("/v1/agents").await.status, 401);
        assert_eq!(client.get("/metrics").await.status, 401);
        assert_eq!(client.get("/healthz").await.status, 200);
        assert_eq!(client.get("/readyz").await.status, 200);
        assert_eq!(client.get("/").await.status, 200);
        assert_eq!(client.get("/dashboard/none.js").await.status, 404);
        for path in ["map", "rewards", "events", "estimates"] {
            assert_eq!(client.get(&format!("/v1/agents/a/{path}")).await.status, 401, "{path}");
        }
    }
    for client in [&reader, &decider] {
        assert_eq!(client.post("/v1/agents", wish.clone()).await.status, 403);
        assert_eq!(client.raw("/v1/maps", "text/csv", "a,b").await.status, 403);
    }
    admin.done("/v1/agents", wish).await;
    assert_eq!(reader.post("/v1/agents/a/ask", json!({})).await.status, 403);
    assert_eq!(reader.get("/v1/agents/a").await.status, 200);
    assert_eq!(reader.get("/v1/agents/a/map").await.status, 200);
    assert_eq!(reader.get("/v1/agents/a/rewards").await.status, 200);
    assert_eq!(reader.open("/v1/agents/a/events").await.status(), 200);
    assert_eq!(admin.raw("/v1/maps", "text/csv", "a,b").await.status, 200);
    decider.ask("a").await;
    decider.done("/v1/agents/a/tell", json!({"sequence": 0, "reward": 1})).await;
    let delete = decider.request("DELETE", "/v1/agents/a").body(Body::empty()).unwrap();
    assert_eq!(decider.send(delete).await.status, 403);
}

#[tokio::test]
async fn without_tokens_only_names_of_this_machine() {
    let client = Client::fresh();
    for (host, status) in [("localhost:8080", 200), ("127.0.0.1", 200), ("evil.example", 421)] {
        let request = client.request("GET", "/v1/agents").header(header::HOST, host);
        assert_eq!(client.send(request.body(Body::empty()).unwrap()).await.status, status);
    }
}

#[tokio::test]
async fn without_tokens_no_pages_of_other_sites() {
    let client = Client::fresh();
    for (site, status) in
        [("same-origin", 200), ("none", 200), ("same-site", 403), ("cross-site", 403)]
    {
        let request = |method, path| {
            client.request(method, path).header("sec-fetch-site", site).body(Body::from("a,b"))
        };
        for (method, path) in [("GET", "/v1/agents"), ("POST", "/v1/maps")] {
            let answer = client.send(request(method, path).unwrap()).await;
            assert_eq!(answer.status, status, "{site} {path}");
        }
        // A link may lead to the page.
        assert_eq!(client.send(request("GET", "/").unwrap()).await.status, 200);
    }
}

#[tokio::test]
async fn too_many_requests_are_told_to_wait() {
    let rate = Rate { per_second: 1e-9, burst: 3.0 };
    let limits = HttpLimits { rate, ..HttpLimits::default() };
    let app = service(Arc::new(MemoryStore::default()), Door::Local, limits);
    let client = Client { app, token: None };
    for _ in 0..3 {
        assert_eq!(client.get("/healthz").await.status, 200);
    }
    let refused = client.get("/healthz").await;
    assert_eq!(
        (refused.status, &refused.headers[header::RETRY_AFTER]),
        (429, &"1".parse().unwrap())
    );
}

#[tokio::test]
async fn health_metrics_and_description() {
    let client = Client::fresh();
    assert_eq!(client.get("/healthz").await.body, json!({"status": "alive"}));
    assert_eq!(client.get("/readyz").await.body, json!({"status": "ready"}));
    client.done("/v1/agents", json!({"id": "a", "graph": "line:3"})).await;
    play(&client, "a", 3).await;
    let metrics = client.get("/metrics").await;
    assert!(metrics.kind.starts_with("text/plain; version=0.0.4"));
    let text = metrics.body.as_str().unwrap();
    assert!(text.contains("gbandit_reports_total 3\n"), "{text}");
    assert!(text.contains("route=\"/v1/agents/{id}/tell\",status=\"200\"} 3\n"), "{text}");
    let description = client.get("/openapi.json").await;
    assert_eq!(description.body, serde_json::from_str::<Value>(OPENAPI).unwrap());
    assert_eq!(description.headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
    assert!(description.headers.get(header::ACCESS_CONTROL_ALLOW_ORIGIN).is_none());
}

/// What the description says of answers is what they look like: no member that it does not name.
#[tokio::test]
async fn answers_are_as_described() {
    let client = Client::fresh();
    let wish = json!({"id": "a", "graph": "grid:2x3", "agent": "g-ucb"});
    let document: Value = serde_json::from_str(OPENAPI).unwrap();
    let created = client.done("/v1/agents", wish).await;
    check(&document, "Agent", &created);
    for receipt in play(&client, "a", 12).await {
        check(&document, "Receipt", &receipt);
        check(&document, "Order", &client.ask("a").await);
    }
    client.done("/v1/agents/a/failed", json!({"sequence": 12, "reason": "x"})).await;
    client.done("/v1/agents/a/blocked", json!({"sequence": 13, "edge": [0, 1]})).await;
    for (path, schema) in [
        ("/v1/agents", "AgentList"),
        ("/v1/agents/a", "Agent"),
        ("/v1/agents/a/estimates", "Estimates"),
        ("/v1/agents/a/history", "History"),
        ("/v1/agents/a/map", "Map"),
        ("/v1/agents/a/rewards", "Rewards"),
        ("/v1/agents/a/snapshot", "Export"),
        ("/readyz", "Status"),
    ] {
        check(&document, schema, &client.get(path).await.body);
    }
    check(&document, "Problem", &client.get("/v1/agents/b").await.body);
}

fn check(document: &Value, schema: &str, value: &Value) {
    let schema = &document["components"]["schemas"][schema];
    assert!(schema.is_object());
    fits(document, schema, value);
}

/// As much of JSON Schema as the document uses for answers.
fn fits(document: &Value, schema: &Value, value: &Value) {
    if let Some(reference) = schema["$ref"].as_str() {
        return fits(document, document.pointer(&reference[1..]).unwrap(), value);
    }
    let kind = match value {
        Value::Object(_) => "object",
        Value::Array(_) => "array",
        Value::String(_) => "string",
        Value::Bool(_) => "boolean",
        Value::Null => "null",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
    };
    let wanted = schema["type"].as_str().unwrap();
    assert!(wanted == kind || (wanted == "number" && kind == "integer"), "{schema} {value}");
    if let Some(words) = schema["enum"].as_array() {
        assert!(words.contains(value), "{schema} {value}");
    }
    if let Value::Object(members) = value {
        for name in schema["required"].as_array().into_iter().flatten() {
            assert!(members.contains_key(name.as_str().unwrap()), "{name} {value}");
        }
        for (name, member) in members {
            match schema["properties"].get(name) {
                Some(part) => fits(document, part, member),
                None => assert_ne!(schema["additionalProperties"], false, "{name} of {value}"),
            }
        }
    }
    if let (Value::Array(list), Some(part)) = (value, schema.get("items")) {
        for member in list {
            fits(document, part, member);
        }
    }
}
