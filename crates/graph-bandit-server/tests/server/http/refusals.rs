//! Refusals and their messages.

use super::Client;
use axum::http::header;
use serde_json::{Value, json};

/// Whatever the request, what cannot be read is named; serde adds the place in the text.
#[tokio::test]
async fn members_of_the_wrong_kind_are_named() {
    let client = Client::fresh();
    client.done("/v1/agents", json!({"id": "a", "graph": "line:3"})).await;
    let whole = "expected a whole number, 0 or greater";
    let node = "a node is a number or a name";
    let text = "expected a string";
    let cases: Vec<(&str, Value, String)> = vec![
        (
            "tell",
            json!({"sequence": 0, "reward": "high"}),
            "reward: invalid type: string \"high\", expected a number".into(),
        ),
        (
            "tell",
            json!({"sequence": "ten", "reward": 1}),
            format!("sequence: invalid type: string \"ten\", {whole}"),
        ),
        (
            "tell",
            json!({"sequence": 0, "rewards": [1, null]}),
            "rewards[1]: invalid type: null, expected a number".into(),
        ),
        (
            "tell",
            json!({"sequence": 0, "visits": [{"at": 1, "reward": 1}, {"at": 1}]}),
            "visits[1]: missing field `reward`".into(),
        ),
        (
            "tell",
            json!({"sequence": 0, "visits": [{"at": [1], "reward": 1}]}),
            format!("visits[0].at: {node}"),
        ),
        (
            "tell",
            json!({"sequence": 0, "visits": [{"at": 1, "rward": 1}]}),
            "visits[0]: unknown field `rward`".into(),
        ),
        (
            "tell",
            json!({"sequence": 0, "reward": 1, "number": "one"}),
            format!("number: invalid type: string \"one\", {whole}"),
        ),
        (
            "failed",
            json!({"sequence": 0, "reason": 7}),
            format!("reason: invalid type: integer `7`, {text}"),
        ),
        ("moved", json!({"sequence": 0, "at": {}}), format!("at: {node}")),
        (
            "observe",
            json!({"sequence": 0, "observations": [{"at": 1, "reward": "x"}]}),
            "observations[0].reward: invalid type: string \"x\", expected a number".into(),
        ),
        ("blocked", json!({"sequence": 0, "edge": [0]}), "edge: invalid length 1, expected".into()),
        ("blocked", json!({"sequence": 0, "edge": [0, true]}), format!("edge[1]: {node}")),
        (
            "opened",
            json!({"sequence": 0, "edge": [0, 1], "directions": "all"}),
            "directions: unknown variant `all`, expected `one` or `both`".into(),
        ),
        (
            "joined",
            json!({"name": "anna", "speed": "fast"}),
            "speed: invalid type: string \"fast\", expected a number".into(),
        ),
        ("left", json!({"walker": 1.5}), "walker: a walker is a number or a name".into()),
        ("left", json!({"walker": 1, "hurry": true}), "unknown field `hurry`".into()),
    ];
    for (path, body, said) in cases {
        let answer = client.post(&format!("/v1/agents/a/{path}"), body.clone()).await;
        assert_eq!(answer.status, 422, "{path} {body}: {}", answer.body);
        let detail = answer.body["detail"].as_str().unwrap();
        assert!(detail.starts_with(&said), "{path} {body}: {detail}");
        assert!(detail.contains(" at line 1 column "), "{path} {body}: {detail}");
    }
}

/// In a graph, too, which is read as a whole before its form is known.
#[tokio::test]
async fn members_of_new_agents_of_the_wrong_kind_are_named() {
    let client = Client::fresh();
    for (path, body, said) in [
        ("/v1/agents", json!({"graph": "line:3", "seed": "x"}), "seed: invalid type"),
        ("/v1/agents", json!({"graph": "line:3", "init": "farthest"}), "init: unknown variant"),
        ("/v1/agents", json!({"graph": "line:3", "noise_scale": "x"}), "noise_scale: invalid type"),
        ("/v1/import", json!({"export": {"format": "two"}}), "export.format: invalid type"),
        ("/v1/import", json!({"id": 3}), "id: invalid type"),
        (
            "/v1/agents",
            json!({"graph": {"nodes": 3, "edgs": []}}),
            "graph: unknown field `edgs`, expected one of `nodes`, `edges`",
        ),
        (
            "/v1/import",
            json!({"export": {"definition": {"graph": {"nodes": 3, "edgs": []}}}}),
            "export.definition.graph: unknown field `edgs`, expected one of `nodes`, `edges`",
        ),
        (
            "/v1/agents",
            json!({"graph": {"nodes": 3, "edges": [[0, 1], [1, true]]}}),
            "graph: edges[1][1]: a node is a number or a name",
        ),
        (
            "/v1/agents",
            json!({"graph": {"nodes": 3, "roads": [[0, 1, "far"]]}}),
            "graph: roads[0][2]: invalid type: string \"far\", expected a number",
        ),
        ("/v1/agents", json!({"graph": {"nodes": "x"}}), "graph: nodes: invalid type"),
        ("/v1/agents", json!({"graph": 3}), "graph: invalid type: integer `3`"),
        (
            "/v1/agents",
            json!({"graph": "line:3", "agent": 3}),
            "agent: an agent is a text such as \"g-ucb:bonus=0.5\", or an object",
        ),
    ] {
        let answer = client.post(path, body.clone()).await;
        let detail = answer.body["detail"].as_str().unwrap();
        assert!(answer.status == 422 && detail.starts_with(said), "{path} {body}: {detail}");
    }
}

/// Programs that write NaN or Infinity are told that JSON has none; other bad syntax is not about them.
#[tokio::test]
async fn json_has_no_nan() {
    let client = Client::fresh();
    client.done("/v1/agents", json!({"id": "a", "graph": "line:3"})).await;
    let detail = async |body: &str| {
        let answer = client.raw("/v1/agents/a/tell", "application/json", body.to_owned()).await;
        assert_eq!(answer.status, 400, "{body}");
        answer.body["detail"].as_str().unwrap().to_owned()
    };
    for word in ["NaN", "nan", "Infinity", "-Infinity", "inf", "-inf"] {
        for end in ["}", ", \"sequence\": 0}"] {
            let said = detail(&format!("{{\n  \"reward\": {word}{end}")).await;
            let no = format!(
                "JSON has no {}; a number, such as a reward,",
                word.trim_start_matches('-')
            );
            assert!(said.contains(&no) && said.contains("line 2"), "{word}: {said}");
        }
        let said = detail(&format!("{{\"sequence\": 0, \"rewards\": [1, {word}, 2]}}")).await;
        assert!(said.contains("must be finite"), "{word}: {said}");
    }
    for other in ["", "NaNa", "{\"reward\": nano}", "{\"reward\": }", "[1, é NaN"] {
        let said = detail(other).await;
        assert!(!said.contains("JSON has no"), "{other}: {said}");
    }
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
    let detail = &wrong_method.body["detail"];
    assert_eq!(detail, "the path does not have the method GET; use POST");
    let two = client.post("/v1/agents/a", json!({})).await;
    let detail = &two.body["detail"];
    assert_eq!(detail, "the path does not have the method POST; use DELETE or GET");
    assert_eq!(client.raw(tell, "text/plain", "{}").await.status, 415);
    assert_eq!(client.raw(tell, json, "{\"sequence\": 0,").await.status, 400);
    assert_eq!(client.raw(tell, json, vec![0xff, 0xfe]).await.status, 400);
    assert_eq!(client.raw("/v1/agents", json, deep).await.status, 400);
    assert_eq!(client.raw(tell, json, vec![b' '; (16 << 20) + 1]).await.status, 413);
    for (body, said) in [
        (json!({"sequence": 0}), "exactly one"),
        (json!({"sequence": 0, "reward": 1, "rewards": [1]}), "exactly one"),
        (json!({"sequence": 0, "rewards": [1], "at": 0}), "exactly one"),
        (json!({"sequence": -1, "reward": 1}), "invalid value"),
        (json!({"sequence": 0, "reward": "high"}), "invalid type"),
        (json!({"sequence": "ten", "reward": 1}), "expected a whole number"),
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
        (json!({"graph": "gird:3x3"}), "\"gird\"; did you mean grid?"),
        (json!({"graph": "line:3", "agent": "g-sta"}), "did you mean g-star?"),
        (json!({"graph": {"nodes": 2, "edges": []}}), "cut off"),
        (json!({"graph": {"nodes": 2}}), "give `edges`, or `roads`"),
        (json!({"graph": {"family": "grid"}}), "grid needs rows"),
        (json!({"graph": "complete:9000"}), "too large"),
        (json!({"graph": "line:3", "agent": "ucb"}), "there is no agent \"ucb\""),
        (
            json!({"graph": "line:3", "agent": {"agent": "g-ucb", "bonus": -1}}),
            "bonus is -1; it must be",
        ),
        (json!({"graph": "line:3", "agent": "ucrl2", "noise_scale": 1}), "ucrl2 does not use it"),
        (json!({"graph": "line:3", "noise_scale": -1}), "noise-scale is -1"),
        (json!({"graph": "line:3", "start": 9}), "the nodes are 0 to 2"),
        (json!({"graph": "line:3", "id": "a b"}), "not a name for an agent"),
        (json!({"graph": "line:3", "id": ""}), "not a name for an agent"),
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
    for path in ["ask", "tell", "failed", "blocked", "opened", "observe", "moved"] {
        let body = json!({"sequence": 0, "reward": 1});
        let body = match path {
            "failed" => json!({"sequence": 0}),
            "moved" => json!({"sequence": 0, "at": 1}),
            "observe" => json!({"sequence": 0, "observations": [{"at": 1, "reward": 1}]}),
            "blocked" | "opened" => json!({"sequence": 0, "edge": [0, 1]}),
            _ => body,
        };
        assert_eq!(client.post(&format!("/v1/agents/nobody/{path}"), body).await.status, 404);
    }
    for path in ["best", "estimates", "history", "map", "rewards", "events", "snapshot"] {
        assert_eq!(client.get(&format!("/v1/agents/nobody/{path}")).await.status, 404, "{path}");
    }
    assert_eq!(client.get("/v1/agents/a").await.body["sequence"], 0);
}
