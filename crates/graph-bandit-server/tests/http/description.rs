//! What the service says of itself, and that its answers are as described.

use crate::{Client, play};
use axum::http::header;
use graph_bandit_server::http::OPENAPI;
use serde_json::{Value, json};

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

/// The value is what the document describes under this name.
pub(crate) fn check(document: &Value, schema: &str, value: &Value) {
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
