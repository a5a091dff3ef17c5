//! A dispatcher blocks a road while a robot is on it: the report of its visit is refused, and counts once as soon as it is
//! sent as told.

use super::Client;
use graph_bandit_server::store::MemoryStore;
use serde_json::{Value, json};
use std::sync::Arc;

/// An agent, a walker of it if it is a team, and a graph; on a line the robot is cut off from where it was.
const AGENTS: [(&str, Option<&str>); 4] =
    [("circle:6", None), ("line:4", None), ("circle:6", Some("anna")), ("line:4", Some("anna"))];

struct Robot {
    client: Client,
    store: Arc<MemoryStore>,
    walker: Option<&'static str>,
}

impl Robot {
    async fn on(graph: &str, walker: Option<&'static str>) -> Self {
        let store = Arc::new(MemoryStore::default());
        let client = Client::on(Arc::clone(&store) as _);
        let mut request = json!({"id": "a", "graph": graph});
        if let Some(walker) = walker {
            request["walkers"] = json!([{"name": walker}, {"name": "bert"}]);
        }
        client.done("/v1/agents", request).await;
        Self { client, store, walker }
    }

    async fn ask(&self) -> Value {
        let of = self.walker.map(|walker| format!("?walker={walker}")).unwrap_or_default();
        self.client.done(&format!("/v1/agents/a/ask{of}"), json!({})).await
    }

    /// What it tells on this order.
    fn told(&self, order: &Value, mut visit: Value) -> Value {
        visit["sequence"] = order["sequence"].clone();
        visit["number"] = order["number"].clone();
        visit["seal"] = order["seal"].clone();
        if let Some(walker) = self.walker {
            visit["walker"] = json!(walker);
        }
        visit
    }
}

#[tokio::test]
async fn a_visit_on_a_changed_order_counts_once_it_is_told_again() {
    let forms = [json!({"reward": 0.5}), json!({"rewards": [0.5]})];
    for ((graph, walker), form) in AGENTS.into_iter().zip(forms.into_iter().cycle()) {
        let robot = Robot::on(graph, walker).await;
        let client = &robot.client;
        let first = robot.told(&robot.ask().await, json!({"reward": 1}));
        client.done("/v1/agents/a/tell", first).await;
        let before = robot.ask().await;
        let (from, to) = (before["at"]["node"].clone(), before["path"][0]["node"].clone());
        assert!(to.is_u64(), "{graph}: the robot is under way: {before}");
        // A dispatcher's reports to a team have numbers of their own.
        let sequence = if walker.is_some() { json!(0) } else { before["sequence"].clone() };
        let blocked = json!({"sequence": sequence, "edge": [from, to]});
        let receipt = client.done("/v1/agents/a/blocked", blocked.clone()).await;
        assert_eq!(receipt["replanned"], true, "{graph} {walker:?}");

        let refused = client.post("/v1/agents/a/tell", robot.told(&before, form)).await;
        let number = before["sequence"].as_u64().unwrap();
        let said = format!(
            "order {number} has changed, because an edge was blocked or opened, so this report was not counted. \
             Nothing is lost: ask again, then report the same visits as {}; name the node of each, with `at` or \
             `visits`",
            number + 1
        );
        assert_eq!((refused.status, &refused.body["detail"]), (409, &json!(said)));
        assert_eq!(refused.body["next_sequence"], number + 1);
        assert_eq!(client.get("/v1/agents/a").await.body["visits"], 1);

        let after = robot.ask().await;
        assert_eq!(after["sequence"], number + 1);
        let visit = if graph.starts_with("line") {
            json!({"visits": [{"at": to, "reward": 0.5}]})
        } else {
            json!({"at": to, "reward": 0.5})
        };
        let told = robot.told(&after, visit);
        let counted = client.done("/v1/agents/a/tell", told.clone()).await;
        assert_eq!(client.done("/v1/agents/a/tell", told.clone()).await, counted, "a repeat");

        // Another process reads the same from the log, and gives the same answers to repeats.
        let again = Client::on(Arc::clone(&robot.store) as _);
        assert_eq!(again.done("/v1/agents/a/blocked", blocked).await, receipt);
        assert_eq!(again.done("/v1/agents/a/tell", told).await, counted);
        for client in [client, &again] {
            let shown = client.get("/v1/agents/a").await.body;
            assert_eq!((&shown["visits"], &shown["reward"]), (&json!(2), &json!(1.5)));
            let known = client.get("/v1/agents/a/estimates").await.body;
            let node = usize::try_from(to.as_u64().unwrap()).unwrap();
            assert_eq!(known["estimates"][node]["estimate"], 0.5, "{known}");
        }
    }
}

/// An edge that is on nobody's way changes no order.
#[tokio::test]
async fn a_team_whose_orders_all_stand_is_not_replanned() {
    let robot = Robot::on("circle:6", Some("anna")).await;
    let before = robot.ask().await;
    assert_eq!(before["path"], json!([]), "it measures where it starts");
    let blocked = json!({"sequence": 0, "edge": [2, 3]});
    assert_eq!(robot.client.done("/v1/agents/a/blocked", blocked).await["replanned"], false);
    assert_eq!(robot.ask().await["sequence"], before["sequence"]);
}
