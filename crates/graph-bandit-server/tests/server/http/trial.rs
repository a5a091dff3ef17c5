//! Robots in a building: dead ends that close, misspelled names, the best node.

use super::Client;
use serde_json::{Value, json};

fn building() -> Value {
    json!({
        "nodes": 4, "names": ["hall", "yard", "roof", "gate"],
        "edges": [["hall", "yard"], ["yard", "roof"], ["hall", "gate"]],
    })
}

fn names(order: &Value) -> Vec<&str> {
    order["path"].as_array().unwrap().iter().map(|place| place["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_closed_dead_end_traps_no_robot() {
    let client = Client::fresh();
    client.done("/v1/agents", json!({"id": "a", "graph": building(), "init": "nearest"})).await;
    client.done("/v1/agents/a/tell", json!({"sequence": 0, "reward": 1})).await;
    assert_eq!(names(&client.ask("a").await), ["yard"]);
    let blocked = json!({"sequence": 1, "edge": ["hall", "yard"]});
    let receipt = client.done("/v1/agents/a/blocked", blocked.clone()).await;
    assert_eq!(receipt["replanned"], true);
    assert_eq!(client.done("/v1/agents/a/blocked", blocked).await, receipt);
    let order = client.ask("a").await;
    assert_eq!(names(&order), ["gate"]);
    assert_eq!(order["why"]["set_aside_nodes"], 2);
    let shown = client.get("/v1/agents/a").await.body;
    assert_eq!((&shown["set_aside_nodes"], &shown["blocked"]), (&json!(2), &json!([[0, 1]])));
    let known = client.get("/v1/agents/a/estimates").await.body;
    let aside: Vec<_> =
        known["estimates"].as_array().unwrap().iter().map(|n| &n["set_aside"]).collect();
    assert_eq!(aside, [&json!(null), &json!(true), &json!(true), &json!(null)]);

    // An imported copy goes on the same.
    let export = client.get("/v1/agents/a/snapshot").await.body;
    client.done("/v1/import", json!({"id": "b", "export": export})).await;
    assert_eq!(client.ask("b").await["path"], order["path"]);

    client.done("/v1/agents/a/tell", json!({"sequence": 2, "reward": 1})).await;
    client.done("/v1/agents/a/opened", json!({"sequence": 3, "edge": ["yard", "hall"]})).await;
    let order = client.ask("a").await;
    assert_eq!((names(&order), &order["phase"]), (vec!["hall", "yard"], &json!("cover")));
    assert_eq!(order["why"]["set_aside_nodes"], Value::Null);
}

#[tokio::test]
async fn refusals_name_nodes_by_their_names() {
    let client = Client::fresh();
    client.done("/v1/agents", json!({"id": "a", "graph": building()})).await;
    client.done("/v1/agents/a/blocked", json!({"sequence": 0, "edge": ["hall", "gate"]})).await;
    for (path, body, said) in [
        (
            "tell",
            json!({"at": "rof", "reward": 1}),
            "no node is named \"rof\"; did you mean \"roof\"?",
        ),
        ("tell", json!({"at": "Hall", "reward": 1}), "did you mean \"hall\"?"),
        ("failed", json!({"at": "cellar"}), "no node is named \"cellar\"; one is named \"hall\""),
        (
            "blocked",
            json!({"edge": ["hall", "roof"]}),
            "there is no edge between \"hall\" and \"roof\"",
        ),
        (
            "blocked",
            json!({"edge": [3, 0]}),
            "the edge between \"hall\" and \"gate\" is blocked already",
        ),
        (
            "opened",
            json!({"edge": ["yard", "roof"]}),
            "between \"yard\" and \"roof\" is open already",
        ),
        ("tell", json!({"at": "roof", "reward": 1e200}), "at \"roof\" is too large"),
    ] {
        let mut body = body;
        body["sequence"] = json!(1);
        let refused = client.post(&format!("/v1/agents/a/{path}"), body).await;
        assert_eq!(refused.status, 422);
        let detail = refused.body["detail"].as_str().unwrap();
        assert!(detail.contains(said), "{detail}");
    }
    let request = json!({"id": "b", "graph": building(), "start": "yrad"});
    let refused = client.post("/v1/agents", request).await;
    assert!(refused.body["detail"].as_str().unwrap().contains("start: no node is named"));
    assert!(refused.body["detail"].as_str().unwrap().contains("did you mean \"yard\"?"));
    let taken = client.post("/v1/agents", json!({"id": "a", "graph": "line:3"})).await;
    assert_eq!(taken.status, 409);
    assert!(taken.body["detail"].as_str().unwrap().contains("choose another id"), "{}", taken.body);
}

#[tokio::test]
async fn the_best_node_and_its_certainty() {
    let client = Client::fresh();
    let request = json!({"id": "a", "graph": building(), "agent": "g-star", "noise_scale": 0.1});
    client.done("/v1/agents", request).await;
    let nothing = client.get("/v1/agents/a/best").await.body;
    let expected =
        json!({"unvisited": 4, "settled": false, "confidence": 0.95, "noise_scale": 0.1});
    assert_eq!(nothing, expected);
    let visits =
        |at: &str, reward: f64, times: usize| vec![json!({"at": at, "reward": reward}); times];
    let told = [visits("hall", 0.5, 20), visits("yard", 0.75, 20), visits("roof", 2.0, 9)].concat();
    client.done("/v1/agents/a/tell", json!({"sequence": 0, "visits": told})).await;
    let best = client.get("/v1/agents/a/best").await.body;
    assert_eq!((&best["best"]["name"], &best["best"]["estimate"]), (&json!("roof"), &json!(2.0)));
    assert_eq!((&best["best"]["visits"], &best["unvisited"]), (&json!(9), &json!(1)));
    assert_eq!((&best["runner_up"]["name"], &best["settled"]), (&json!("yard"), &json!(false)));
    // 2 +- 0.1 sqrt(2 ln(2 * 4 * 9 * 10 / 0.05) / 9)
    let [low, high] = [0, 1].map(|end| best["best"]["interval"][end].as_f64().unwrap());
    let radius = 0.1 * (2.0 * (720.0_f64 / 0.05).ln() / 9.0).sqrt();
    assert!(
        (low - (2.0 - radius)).abs() < 1e-12 && (high - (2.0 + radius)).abs() < 1e-12,
        "{best}"
    );
    client.done("/v1/agents/a/tell", json!({"sequence": 1, "at": "gate", "reward": 0.0})).await;
    let sure = client.get("/v1/agents/a/best").await.body;
    assert_eq!((&sure["settled"], &sure["chance"]), (&json!(true), &json!(1.0)));
    let unsure = client.get("/v1/agents/a/best?noise_scale=9&confidence=0.5").await.body;
    assert_eq!((&unsure["settled"], &unsure["noise_scale"]), (&json!(false), &json!(9.0)));
    assert!(unsure["chance"].as_f64().unwrap() < 0.8, "{unsure}");
    client.done("/v1/agents/a/failed", json!({"sequence": 2, "at": "gate"})).await;
    client.done("/v1/agents/a/blocked", json!({"sequence": 3, "edge": ["hall", "gate"]})).await;
    assert_eq!(client.get("/v1/agents/a/best").await.body["best"]["set_aside"], true);
    for query in ["confidence=1", "confidence=0", "noise_scale=-1", "noise_scale=nan", "sure=1"] {
        let refused = client.get(&format!("/v1/agents/a/best?{query}")).await;
        assert_eq!(refused.status, 400, "{query}: {}", refused.body);
    }
    assert_eq!(client.get("/v1/agents/nobody/best").await.status, 404);
    // An agent without a noise scale answers like any other.
    let request = json!({"id": "still", "graph": building(), "agent": "g-star", "noise_scale": 0});
    client.done("/v1/agents", request).await;
    let still = client.get("/v1/agents/still/best").await;
    assert_eq!((still.status, &still.body["noise_scale"]), (200, &json!(0.0)), "{}", still.body);
}

#[tokio::test]
async fn a_graph_is_covered_by_short_paths() {
    let client = Client::fresh();
    // A ring whose next number is always on the other side.
    let ring = json!({"nodes": 6, "edges": [[0, 5], [5, 1], [1, 4], [4, 2], [2, 3], [3, 0]]});
    let created = client.done("/v1/agents", json!({"id": "new", "graph": ring})).await;
    assert_eq!(created["init"], "nearest");
    let mut visits = 0;
    while client.ask("new").await["phase"] == "cover" {
        let order = client.ask("new").await;
        let rewards = vec![0.5; order["path"].as_array().unwrap().len().max(1)];
        let told = json!({"sequence": order["sequence"], "rewards": rewards});
        visits = client.done("/v1/agents/new/tell", told).await["visits"].as_u64().unwrap();
    }
    assert_eq!(visits, 6);
    let other = json!({"id": "new", "graph": ring, "init": "lowest"});
    assert_eq!(client.post("/v1/agents", other).await.status, 409);
}

#[tokio::test]
async fn observations_and_robots_that_take_over() {
    let client = Client::fresh();
    client.done("/v1/agents", json!({"id": "a", "graph": building()})).await;
    client.done("/v1/agents/a/tell", json!({"sequence": 0, "reward": 1})).await;
    let before = client.ask("a").await;
    let seen = json!({"sequence": 1, "observations": [{"at": "roof", "reward": 3}, {"at": 3, "reward": 2}]});
    let receipt = client.done("/v1/agents/a/observe", seen.clone()).await;
    let expected =
        json!({"sequence": 1, "next_sequence": 2, "at": 0, "visits": 3, "replanned": false});
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&receipt[key], value, "{receipt}");
    }
    assert_eq!(client.done("/v1/agents/a/observe", seen).await, receipt);
    let order = client.ask("a").await;
    assert_eq!((&order["path"], &order["sequence"]), (&before["path"], &json!(2)));
    let shown = client.get("/v1/agents/a").await.body;
    assert_eq!(
        (&shown["visits"], &shown["observed"], &shown["reward"]),
        (&json!(3), &json!(2), &json!(1.0))
    );
    let curve = client.get("/v1/agents/a/rewards").await.body;
    assert_eq!((&curve["visits"], &curve["points"]), (&json!(1), &json!([[0, 0.0], [1, 1.0]])));
    assert_eq!(client.get("/v1/agents/a/best").await.body["best"]["name"], "roof");

    let moved = json!({"sequence": 2, "at": "gate", "reason": "robot 2 takes over"});
    let receipt = client.done("/v1/agents/a/moved", moved).await;
    assert_eq!(
        (&receipt["at"], &receipt["replanned"], &receipt["visits"]),
        (&json!(3), &json!(true), &json!(3))
    );
    assert_eq!(client.ask("a").await["at"]["name"], "gate");
    let records = client.get("/v1/agents/a/history?from=1").await.body["records"].clone();
    assert_eq!(records[0]["kind"], "observed");
    let runs = json!([{"node": 2, "rewards": [3.0]}, {"node": 3, "rewards": [2.0]}]);
    assert_eq!(records[0]["observations"], runs);
    assert_eq!((&records[1]["kind"], &records[1]["at"]), (&json!("moved"), &json!(3)));
    assert_eq!(records[1]["reason"], "robot 2 takes over");

    for (path, body, said) in [
        ("observe", json!({"observations": []}), "nothing was told"),
        (
            "observe",
            json!({"observations": [{"at": "rof", "reward": 1}]}),
            "did you mean \"roof\"?",
        ),
        ("observe", json!({"at": "roof", "reward": 1}), "unknown field `at`"),
        ("moved", json!({}), "missing field `at`"),
        ("moved", json!({"at": "gate", "reason": "x".repeat(1_001)}), "1000 characters"),
    ] {
        let mut body = body;
        body["sequence"] = json!(3);
        let refused = client.post(&format!("/v1/agents/a/{path}"), body).await;
        assert_eq!(refused.status, 422);
        assert!(refused.body["detail"].as_str().unwrap().contains(said), "{}", refused.body);
    }
    // An imported copy goes on with all of it.
    let export = client.get("/v1/agents/a/snapshot").await.body;
    let imported = client.done("/v1/import", json!({"id": "b", "export": export})).await;
    assert_eq!((&imported["observed"], &imported["reward"]), (&json!(2), &json!(1.0)));
}
