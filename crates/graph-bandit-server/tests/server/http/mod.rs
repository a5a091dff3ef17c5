//! The service over HTTP, in process: what a client sees.

mod access;
mod changed_orders;
mod client;
mod description;
mod events;
mod failing_agent;
mod gone;
mod heavy;
mod hogs;
mod maps;
mod recovery;
mod refusals;
mod registry;
mod rewards;
mod roads;
mod shared;
mod team_refusals;
mod teams;
mod trial;

use axum::body::Body;
use axum::http::header;
pub(crate) use client::{Answer, Client, paid, play};
pub(crate) use description::check;
use serde_json::{Value, json};

#[tokio::test]
async fn from_creation_to_deletion() {
    let client = Client::fresh();
    let request = json!({
        "id": "rover", "agent": "g-ucb", "start": "hall", "seed": 5,
        "graph": {
            "nodes": 3, "names": ["hall", "yard", "roof"], "edges": [["hall", "yard"], [1, 2]],
            "coordinates": [[0, 0], [1, 0], [1.5, 2]],
        },
    });
    let created = client.post("/v1/agents", request.clone()).await;
    assert_eq!(created.status, 201, "{}", created.body);
    assert_eq!(created.headers[header::LOCATION], "/v1/agents/rover");
    assert_eq!(created.body["at"], json!({"node": 0, "name": "hall", "coordinates": [0.0, 0.0]}));
    assert_eq!(client.post("/v1/agents", request.clone()).await.status, 200);
    let mut other = request;
    other["seed"] = json!(6);
    assert_eq!(client.post("/v1/agents", other).await.status, 409);

    // A text is kept as the client wrote it.
    for graph in ["tree:7,2", "erdos-renyi:12,0.50", "line: 3"] {
        let request = json!({"id": "text", "graph": graph});
        assert_eq!(client.post("/v1/agents", request.clone()).await.status, 201);
        assert_eq!(client.post("/v1/agents", request).await.status, 200);
        let export = client.get("/v1/agents/text/snapshot").await.body;
        assert_eq!(export["definition"]["graph"], graph);
        assert_eq!(events::delete(&client, "text").await.status, 204);
    }

    // Ask gives the same order until the next report.
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

    // Visits of an offline robot, by name and by number.
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
    // By now the agent has moved on; each repeat still gets its first answer.
    let history = client.get("/v1/agents/a/history").await.body;
    for (sequence, receipt) in receipts.iter().enumerate() {
        let visits = history["records"][sequence]["visits"].as_array().unwrap();
        let rewards: Vec<&Value> =
            visits.iter().flat_map(|run| run["rewards"].as_array().unwrap()).collect();
        // The same body written differently: spaces and the order of members do not matter.
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
    let request = json!({"id": "a", "graph": "circle:5", "agent": "g-ucb", "init": "lowest"});
    client.done("/v1/agents", request).await;
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

    // Agents that learn edge by edge go on, too, without the nodes that are cut off.
    client.done("/v1/agents", json!({"id": "l", "graph": "line:3", "agent": "ql-eps"})).await;
    client.done("/v1/agents/l/blocked", json!({"sequence": 0, "edge": [1, 2]})).await;
    assert_eq!(client.get("/v1/agents/l").await.body["set_aside_nodes"], 1);
}

#[tokio::test]
async fn an_exported_agent_goes_on_elsewhere() {
    let (here, there) = (Client::fresh(), Client::fresh());
    let request = json!({"id": "a", "graph": "grid:3x3", "agent": "g-ts", "seed": 9});
    here.done("/v1/agents", request).await;
    play(&here, "a", 15).await;
    let export = here.get("/v1/agents/a/snapshot").await.body;
    let imported = there.done("/v1/import", json!({"id": "b", "export": export})).await;
    assert_eq!((&imported["id"], &imported["sequence"]), (&json!("b"), &json!(0)));
    for _ in 0..10 {
        let (mut one, mut other) = (here.ask("a").await, there.ask("b").await);
        for order in [&mut one, &mut other] {
            // Its log starts empty.
            for member in ["sequence", "seal"] {
                order.as_object_mut().unwrap().remove(member).unwrap();
            }
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
        refused.body["detail"]
            .as_str()
            .unwrap()
            .contains("its graph is not the one that it was created on"),
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
    newer["format"] = json!(4);
    assert_eq!(there.post("/v1/import", json!({"export": newer})).await.status, 422);
}
