//! Remarks of reports: an id that tells a repeat from another robot's report, the robot, and the time.

use crate::http::Client;
use serde_json::{Value, json};

async fn agent() -> Client {
    let client = Client::fresh();
    client.done("/v1/agents", json!({"id": "a", "graph": "circle:5"})).await;
    client
}

#[tokio::test]
async fn the_same_reward_of_another_robot_is_not_a_repeat() {
    let client = agent().await;
    let told = |id: Value| json!({"sequence": 0, "reward": 1.5, "id": id});
    let receipt = client.done("/v1/agents/a/tell", told("x".into())).await;
    assert_eq!(client.done("/v1/agents/a/tell", told("x".into())).await, receipt);
    for id in [json!("y"), Value::Null] {
        let other = client.post("/v1/agents/a/tell", told(id)).await;
        assert_eq!(other.status, 409, "{}", other.body);
        assert_eq!(other.body["next_sequence"], 1);
    }
    // The header means the same as the field.
    let with_key = |body: Value, key: &str| {
        let request = client.request("POST", "/v1/agents/a/tell");
        let request = request.header("content-type", "application/json");
        request.header("Idempotency-Key", key).body(body.to_string().into()).unwrap()
    };
    let answer = client.send(with_key(json!({"sequence": 0, "reward": 1.5}), "x")).await;
    assert_eq!((answer.status, answer.body), (200, receipt));
    let answer = client.send(with_key(json!({"sequence": 0, "reward": 1.5}), "y")).await;
    assert_eq!(answer.status, 409);
    let answer = client.send(with_key(told("x".into()), "y")).await;
    assert_eq!(answer.status, 422, "{}", answer.body);
}

#[tokio::test]
async fn robot_and_time_are_checked_and_in_the_history() {
    let client = agent().await;
    let time = "2026-11-16T08:30:00.25+01:00";
    let report = json!({"sequence": 0, "reward": 1, "robot": "rover 7", "time": time, "id": "ä"});
    client.done("/v1/agents/a/tell", report).await;
    let report = json!({"sequence": 1, "robot": "rover 8"});
    client.done("/v1/agents/a/failed", report).await;
    let history = client.get("/v1/agents/a/history").await.body;
    let of = |record: usize, member: &str| history["records"][record][member].clone();
    assert_eq!(
        [of(0, "robot"), of(0, "time"), of(0, "id")],
        [json!("rover 7"), time.into(), "ä".into()]
    );
    assert_eq!([of(1, "robot"), of(1, "time")], [json!("rover 8"), Value::Null]);
    for (member, value, said) in [
        ("time", json!("yesterday"), "RFC 3339"),
        ("time", json!("2026-11-16"), "RFC 3339"),
        ("robot", json!(""), "1 to 128"),
        ("robot", json!("r".repeat(129)), "1 to 128"),
        ("id", json!("i".repeat(129)), "1 to 128"),
    ] {
        let mut report = json!({"sequence": 2, "reward": 1});
        report[member] = value;
        let refused = client.post("/v1/agents/a/tell", report).await;
        assert_eq!(refused.status, 422);
        let detail = refused.body["detail"].as_str().unwrap();
        assert!(detail.contains(said) && detail.contains(member), "{detail}");
    }
}
