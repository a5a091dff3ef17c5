//! Agents that take long to plan for: they have a budget, take turns, and can be deleted. They do not slow down
//! agents on small graphs.

use super::events::delete;
use super::{Answer, Client};
use graph_bandit::Seed;
use graph_bandit_server::fleet::{Fleet, FleetLimits};
use graph_bandit_server::http::{Authentication, HttpLimits, Service, router};
use graph_bandit_server::metrics::Metrics;
use graph_bandit_server::store::{MemoryStore, Store};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

const NODES: u64 = 2_500;
const HOG: &str = "grid:50x50";
/// Endless, for a test.
pub(super) const ENDLESS: u64 = 1_000_000_000_000;

pub(super) struct Scene {
    store: Arc<dyn Store>,
    pub(super) limits: FleetLimits,
    http: HttpLimits,
}

impl Scene {
    pub(super) fn new(planning: u64) -> Self {
        let abandoned = Duration::from_millis(1);
        let limits = FleetLimits { planning, abandoned, ..FleetLimits::default() };
        let http = HttpLimits { time: Duration::from_secs(600), ..HttpLimits::default() };
        Self { store: Arc::new(MemoryStore::default()), limits, http }
    }

    /// A fresh process on the store.
    pub(super) fn client(&self) -> Client {
        let metrics = Arc::new(Metrics::default());
        let fleet = Fleet::new(Arc::clone(&self.store), self.limits, Arc::clone(&metrics));
        let service = Service::new(fleet, metrics, Authentication::Local, self.http);
        Client { app: router(&service), token: None }
    }
}

pub(super) async fn hog(client: &Client, id: &str, agent: &str) {
    client.done("/v1/agents", json!({"id": id, "graph": HOG, "agent": agent})).await;
}

/// Every node once, so that the cover is done; then alternating nodes.
fn wanderings(visits: usize) -> Vec<(u64, f64)> {
    let mut stream = Seed(5).stream();
    let covered = (0..NODES).map(|node| (node, (node % 7) as f64));
    let mut visited: Vec<(u64, f64)> = covered.collect();
    visited.extend((0..visits).map(|_| (stream.below(NODES), stream.unit())));
    visited
}

fn report(visits: &[(u64, f64)]) -> Value {
    let visits: Vec<Value> =
        visits.iter().map(|(at, reward)| json!({"at": at, "reward": reward})).collect();
    json!({"sequence": 0, "visits": visits})
}

pub(super) fn telling(client: &Client, id: &str, visits: usize) -> JoinHandle<Answer> {
    let client = Client { app: client.app.clone(), token: None };
    let path = format!("/v1/agents/{id}/tell");
    tokio::spawn(async move { client.post(&path, report(&wanderings(visits))).await })
}

pub(super) async fn metric(client: &Client, name: &str) -> u64 {
    let text = client.get("/metrics").await.body;
    let text = text.as_str().unwrap();
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.unwrap_or_else(|| panic!("no {name} in\n{text}")).parse().unwrap()
}

/// Waits until this much work of seconds is under way or waiting.
pub(super) async fn until(client: &Client, name: &str, wanted: u64) {
    for _ in 0..12_000 {
        if metric(client, name).await == wanted {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{name} was never {wanted}");
}

pub(super) const UNDER_WAY: &str = "gbandit_very_long_work";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_planning_does_not_delay_agents_on_small_graphs() {
    let scene = Scene::new(ENDLESS);
    let client = scene.client();
    client.done("/v1/agents", json!({"id": "small", "graph": "grid:4x4"})).await;
    // An agent that must be loaded from the store.
    scene.client().done("/v1/agents", json!({"id": "loaded", "graph": "grid:4x4"})).await;
    let hogs: Vec<JoinHandle<Answer>> = {
        let mut hogs = Vec::new();
        for id in ["hog-1", "hog-2", "hog-3", "hog-4"] {
            hog(&client, id, "ucrl2").await;
            hogs.push(telling(&client, id, 50_000));
        }
        hogs
    };
    until(&client, UNDER_WAY, benches()).await;
    for round in 0..20 {
        for id in ["small", "loaded"] {
            let sequence = &client.ask(id).await["sequence"];
            let told = json!({"sequence": sequence, "reward": 1});
            client.done(&format!("/v1/agents/{id}/tell"), told).await;
        }
        let request = json!({"id": format!("new-{round}"), "graph": "grid:4x4", "agent": "ucrl2"});
        client.done("/v1/agents", request).await;
    }
    assert!(hogs.iter().all(|hog| !hog.is_finished()));
    // All can be deleted, whether they plan or wait for their turn.
    for id in ["hog-4", "hog-3", "hog-2", "hog-1"] {
        assert_eq!(delete(&client, id).await.status, 204);
        assert_eq!(client.get(&format!("/v1/agents/{id}")).await.status, 404);
    }
    for hog in hogs {
        let told = hog.await.unwrap();
        assert!(told.status == 503 || told.status == 404, "{}", told.body);
    }
    until(&client, UNDER_WAY, 0).await;
    // The name is free, and a new agent starts empty.
    hog(&client, "hog-1", "g-ucb").await;
    assert_eq!(client.ask("hog-1").await["sequence"], 0);
    assert_eq!(client.get("/v1/agents/hog-1").await.body["visits"], 0);
}

fn benches() -> u64 {
    std::thread::available_parallelism().map_or(1, |number| (number.get() - 1).max(1)) as u64
}

/// Repeats the report after every timeout until it is answered, as clients do.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_repeats_its_report_gets_through() {
    let mut scene = Scene::new(150_000_000);
    scene.limits.abandoned = Duration::from_secs(10);
    let patient = scene.client();
    hog(&patient, "hog", "ucrl2").await;
    scene.http.time = Duration::from_millis(50);
    let hasty = scene.client();
    let told = report(&wanderings(3_000));
    let mut refused = 0;
    let receipt = loop {
        let answer = hasty.post("/v1/agents/hog/tell", told.clone()).await;
        if answer.status == 200 {
            break answer.body;
        }
        assert_eq!((answer.status, &answer.headers["retry-after"]), (503, &"1".parse().unwrap()));
        refused += 1;
        assert!(refused < 6_000, "{}", answer.body);
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert!(refused > 0);
    assert_eq!(receipt["visits"], NODES + 3_000);
    assert_eq!(metric(&hasty, "gbandit_reports_given_up_total").await, 0);
    assert_eq!(metric(&hasty, "gbandit_reports_total").await, 1);
}

/// With any budget, rewards count the same, and the log gives the same order.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_budget_changes_only_how_often_the_agent_plans() {
    for agent in ["ucrl2", "g-star", "g-ts", "g-ucb", "local-ts", "ql-eps", "ql-ucb-h"] {
        let visits = wanderings(4_000);
        let told = report(&visits);
        let scene = Scene::new(100_000_000);
        let client = scene.client();
        hog(&client, "hog", agent).await;
        let receipt = client.done("/v1/agents/hog/tell", told.clone()).await;
        let (last, _) = visits[visits.len() - 1];
        assert_eq!((&receipt["visits"], &receipt["at"]), (&json!(NODES + 4_000), &json!(last)));
        assert_eq!(receipt["replanned"], true);
        let is_cheap = agent.starts_with("local") || agent.starts_with("ql");
        let spent = metric(&client, "gbandit_budgets_spent_total").await;
        assert_eq!(spent, u64::from(!is_cheap), "{agent}");
        assert_eq!(client.done("/v1/agents/hog/tell", told).await, receipt);
        let known = client.get("/v1/agents/hog/estimates?limit=100000").await.body;
        for node in known["estimates"].as_array().unwrap() {
            let here: Vec<f64> = (visits.iter())
                .filter(|(at, _)| node["node"] == *at)
                .map(|(_, reward)| *reward)
                .collect();
            assert_eq!(node["visits"], here.len());
            if let Some(estimate) = node["estimate"].as_f64() {
                let mean = here.iter().sum::<f64>() / here.len() as f64;
                assert!((estimate - mean).abs() < 1e-12, "{agent} {node}");
            }
        }
        let order = client.ask("hog").await;
        let again = scene.client();
        assert_eq!(again.ask("hog").await, order, "{agent}");
        let rewards = json!({"sequence": 1, "reward": 0.5});
        assert_eq!(
            again.done("/v1/agents/hog/tell", rewards).await["visits"],
            NODES + 4_001,
            "{agent}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_with_too_much_to_plan_is_not_ready() {
    let mut scene = Scene::new(ENDLESS);
    scene.limits.patience = Duration::from_millis(100);
    let client = scene.client();
    assert_eq!(client.get("/readyz").await.status, 200);
    let mut hogs = Vec::new();
    for number in 0..=benches() {
        let id = format!("hog-{number}");
        hog(&client, &id, "ucrl2").await;
        hogs.push((telling(&client, &id, 50_000), id));
    }
    until(&client, "gbandit_very_long_work_waiting", 1).await;
    let mut answer = client.get("/readyz").await;
    for _ in 0..1_000 {
        if answer.status != 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
        answer = client.get("/readyz").await;
    }
    assert_eq!((answer.status, &answer.body["title"]), (503, &json!("There is too much to plan")));
    until(&client, "gbandit_ready", 0).await;
    for (_, id) in &hogs {
        assert_eq!(delete(&client, id).await.status, 204);
    }
    until(&client, UNDER_WAY, 0).await;
    assert_eq!(client.get("/readyz").await.status, 200);
    until(&client, "gbandit_ready", 1).await;
}
