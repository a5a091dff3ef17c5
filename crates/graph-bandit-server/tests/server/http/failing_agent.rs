//! An agent of another crate may fail. Then its report is refused as a whole, and nothing is lost.

use super::Client;
use graph_bandit::spec::{AgentEntry, Standing};
use graph_bandit::{Agent, AgentSpec, Leg, Origin, Raised, Situation, Stream};
use graph_bandit_server::store::{MemoryStore, Store};
use serde_json::json;
use std::sync::Arc;

/// Stays where it is, and cannot plan after a loss.
struct Fragile;

impl Agent for Fragile {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        if now.estimates.sample(now.at).sum < 0.0 {
            return Err(Raised::new("a loss is too much to bear"));
        }
        *leg = Leg { path: vec![], stay: 2 };
        Ok(())
    }
}

static FRAGILE: AgentEntry = AgentEntry {
    name: "fragile",
    summary: "Fragile: stays, and fails after a loss",
    about: "Fragile: stays, and fails after a loss",
    origin: Origin::Frontier,
    standing: Standing::Other,
    look: None,
    parameters: &[],
    program: "",
    noise_scale: |_values| None,
    build: |_values, _graph| Ok(Box::new(Fragile)),
};

#[tokio::test]
async fn a_report_that_makes_the_agent_fail_changes_nothing() {
    AgentSpec::register(&FRAGILE).unwrap();
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let client = Client::on(Arc::clone(&store));
    let request = json!({"id": "a", "graph": "circle:4", "agent": "fragile", "init": "none"});
    client.done("/v1/agents", request).await;
    client.done("/v1/agents/a/tell", json!({"sequence": 0, "rewards": [1.0]})).await;
    let order = client.ask("a").await;

    // The first visits are fine; the last ends a leg, and then planning fails.
    let visits: Vec<_> =
        [2.0, 3.0, -9.0].iter().map(|reward| json!({"at": 0, "reward": reward})).collect();
    let refused = client.post("/v1/agents/a/tell", json!({"sequence": 1, "visits": visits})).await;
    assert_eq!(refused.status, 422, "{}", refused.body);
    let detail = refused.body["detail"].as_str().unwrap();
    assert!(detail.contains("a loss is too much to bear"), "{detail}");
    assert_eq!(client.ask("a").await, order);

    let receipt = client.done("/v1/agents/a/tell", json!({"sequence": 1, "reward": 0.5})).await;
    assert_eq!(receipt["visits"], 2);
    // Loading it from the log gives the same.
    let other = Client::on(store);
    assert_eq!(other.ask("a").await, client.ask("a").await);
    assert_eq!(other.get("/v1/agents/a").await.body["visits"], 2);
}
