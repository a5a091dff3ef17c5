//! The description of the service, and that answers match it.

use super::{Client, play};
use axum::http::header;
use graph_bandit_server::http::openapi;
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
    assert_eq!(description.body, openapi());
    assert_eq!(description.headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
    assert!(description.headers.get(header::ACCESS_CONTROL_ALLOW_ORIGIN).is_none());
}

/// Answers match the description, and have no member that it does not name.
#[tokio::test]
async fn answers_are_as_described() {
    let client = Client::fresh();
    let request = json!({"id": "a", "graph": "grid:2x3", "agent": "g-ucb"});
    let document = openapi();
    let created = client.done("/v1/agents", request).await;
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
        ("/v1/registry", "Registry"),
        ("/readyz", "Status"),
    ] {
        check(&document, schema, &client.get(path).await.body);
    }
    check(&document, "Problem", &client.get("/v1/agents/b").await.body);
}

/// Asserts that the value matches the schema of this name.
pub(crate) fn check(document: &Value, schema: &str, value: &Value) {
    let schema = &document["components"]["schemas"][schema];
    assert!(schema.is_object());
    fits(document, schema, value).unwrap_or_else(|misfit| panic!("{misfit}"));
}

/// The part of JSON Schema that the document uses for answers.
fn fits(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let ensure = |holds: bool, what: &str| {
        if holds { Ok(()) } else { Err(format!("{what}: {value} is not {schema}")) }
    };
    if let Some(reference) = schema["$ref"].as_str() {
        fits(document, document.pointer(&reference[1..]).unwrap(), value)?;
    }
    if let Some(kinds) = schema.get("type") {
        let kinds = kinds.as_array().map_or(std::slice::from_ref(kinds), Vec::as_slice);
        ensure(kinds.iter().any(|kind| is_of(kind.as_str().unwrap(), value)), "type")?;
    }
    if let Some(constant) = schema.get("const") {
        ensure(constant == value, "const")?;
    }
    if let Some(words) = schema["enum"].as_array() {
        ensure(words.contains(value), "enum")?;
    }
    // The described members, here or in the form that fits.
    let mut members: Vec<&String> =
        schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name).collect();
    for keyword in ["oneOf", "anyOf"] {
        if let Some(forms) = schema[keyword].as_array() {
            let fitting: Vec<&Value> =
                forms.iter().filter(|form| fits(document, form, value).is_ok()).collect();
            ensure(fitting.len() == 1 || keyword == "anyOf" && !fitting.is_empty(), keyword)?;
            let named = fitting[0]["properties"].as_object().into_iter().flatten();
            members.extend(named.map(|(name, _)| name));
        }
    }
    if let Value::Object(object) = value {
        for name in schema["required"].as_array().into_iter().flatten() {
            ensure(object.contains_key(name.as_str().unwrap()), "required")?;
        }
        let closed =
            schema["additionalProperties"] == false || schema["unevaluatedProperties"] == false;
        for (name, member) in object {
            ensure(!closed || members.contains(&name), name)?;
            if let Some(part) = schema["properties"].get(name) {
                fits(document, part, member)?;
            }
        }
    }
    if let Some(number) = value.as_f64() {
        ensure(schema["minimum"].as_f64().is_none_or(|least| number >= least), "minimum")?;
        ensure(schema["maximum"].as_f64().is_none_or(|most| number <= most), "maximum")?;
    }
    if let Value::Array(list) = value {
        let length = list.len() as u64;
        ensure(schema["minItems"].as_u64().is_none_or(|least| length >= least), "minItems")?;
        ensure(schema["maxItems"].as_u64().is_none_or(|most| length <= most), "maxItems")?;
    }
    if let (Value::Array(list), Some(part)) = (value, schema.get("items")) {
        for member in list {
            fits(document, part, member)?;
        }
    }
    Ok(())
}

fn is_of(kind: &str, value: &Value) -> bool {
    match value {
        Value::Object(_) => kind == "object",
        Value::Array(_) => kind == "array",
        Value::String(_) => kind == "string",
        Value::Bool(_) => kind == "boolean",
        Value::Null => kind == "null",
        Value::Number(number) => kind == "number" || kind == "integer" && !number.is_f64(),
    }
}

/// A walker that joins needs a name; one of a new team does not.
#[test]
fn only_walkers_that_join_need_a_name() {
    let schemas = &openapi()["components"]["schemas"];
    assert_eq!(schemas["Joined"]["required"], json!(["name"]));
    assert!(schemas["Joined"]["properties"]["name"].get("default").is_none());
    assert_eq!(schemas["NewWalker"]["required"], Value::Null);
    for team in ["Joined", "Left"] {
        assert_eq!(schemas[team]["properties"]["number"]["minimum"], 0, "{team}");
    }
}

/// The check above notices wrong values.
#[test]
fn undescribed_members_are_noticed() {
    let document = openapi();
    let record = |record: &Value| {
        fits(&document, &document["components"]["schemas"]["Record"], record).is_ok()
    };
    let receipt =
        json!({"sequence": 0, "next_sequence": 1, "at": 2, "visits": 3, "replanned": false});
    assert!(record(&json!({"kind": "edge-opened", "edge": [0, 1], "receipt": receipt})));
    assert!(!record(&json!({"kind": "edge-opened", "edge": [0, -1.5], "receipt": receipt})));
    assert!(!record(&json!({"kind": "edge-opened", "receipt": receipt})));
    assert!(!record(&json!({"kind": "edge-opened", "edge": [0, 1]})));
    assert!(!record(&json!({"kind": "opened", "edge": [0, 1], "receipt": receipt})));
    assert!(!record(&json!({"kind": "edge-opened", "edge": [0, 1], "at": 1, "receipt": receipt})));
}
