//! Everything in the registry can be used in a request.

use super::Client;
use graph_bandit_server::http::openapi;
use serde_json::{Map, Value, json};

#[tokio::test]
async fn every_agent_and_family_of_the_registry_can_be_created() {
    let client = Client::fresh();
    let registry = client.get("/v1/registry").await;
    assert_eq!(registry.status, 200);
    let of = |kind: &str| registry.body[kind].as_array().unwrap().clone();
    for agent in of("agents") {
        let mut request = Map::from_iter([("agent".to_owned(), agent["name"].clone())]);
        for parameter in agent["parameters"].as_array().unwrap() {
            request.insert(
                parameter["name"].as_str().unwrap().to_owned(),
                parameter["default"].clone(),
            );
        }
        // Some agents need a complete graph, and nobody can serve an agent that knows the future.
        let body = json!({"graph": "complete:3", "agent": request});
        if agent["name"] == "restarting-klucb" {
            let refused = client.post("/v1/agents", body).await;
            assert_eq!(refused.status, 422);
            let detail = refused.body["detail"].as_str().unwrap();
            assert!(detail.contains("only a simulation knows"), "{detail}");
            continue;
        }
        let made = client.done("/v1/agents", body).await;
        assert_eq!(made["agent"], Value::Object(request));
    }
    for family in of("families") {
        client.done("/v1/agents", json!({"graph": family["example"]})).await;
    }
    assert_eq!(of("presets"), ["paper", "program"]);
}

#[tokio::test]
async fn the_description_knows_every_field_of_the_registry() {
    let document = openapi();
    let schemas = &document["components"]["schemas"];
    let registry = Client::fresh().get("/v1/registry").await.body;
    let same = |schema: &str, value: &Value| {
        let described: Vec<&String> =
            schemas[schema]["properties"].as_object().unwrap().keys().collect();
        let told: Vec<&String> = value.as_object().unwrap().keys().collect();
        assert_eq!(described, told, "{schema}");
    };
    same("Registry", &registry);
    same("AgentEntry", &registry["agents"][0]);
    same("Entry", &registry["families"][0]);
    same("Entry", &registry["means"][0]);
    same("NoiseEntry", &registry["noises"][0]);
    same("Parameter", &registry["agents"][0]["parameters"][0]);
}

#[tokio::test]
async fn names_outside_the_registry_are_refused() {
    let client = Client::fresh();
    for graph in [
        json!({"family": "torus", "nodes": 3}),
        json!({"family": "line", "nodes": 0}),
        json!({"family": "line", "nodes": 3, "edges": 2}),
        json!({"family": 3}),
        json!("torus:3"),
    ] {
        let refused = client.post("/v1/agents", json!({"graph": graph})).await;
        assert_eq!(refused.status, 422);
        assert_eq!(refused.body["type"], "urn:graph-bandit:no-such-agent", "{}", refused.body);
    }
}
