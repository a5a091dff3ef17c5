//! A team over HTTP: every robot asks and tells on its own.

use super::{Answer, Client};
use serde_json::{Value, json};

async fn create(client: &Client, request: Value) -> Answer {
    client.post("/v1/agents", request).await
}

fn rooms() -> Value {
    json!({"nodes": 4, "names": ["hall", "yard", "roof", "gate"],
        "edges": [["hall", "yard"], ["yard", "roof"], ["roof", "gate"], ["gate", "hall"]]})
}

async fn team(client: &Client) -> Value {
    let request = json!({"id": "team", "graph": rooms(), "share": "capacity:2", "start": "hall",
        "walkers": [{"name": "anna"}, {"name": "bert", "start": "roof"}]});
    let created = create(client, request).await;
    assert_eq!(created.status, 201, "{}", created.body);
    created.body
}

async fn ask(client: &Client, walker: &str) -> Value {
    client.done(&format!("/v1/agents/team/ask?walker={walker}"), json!({})).await
}

async fn refused(client: &Client, path: &str, body: Value) -> (u16, String) {
    let answer = client.post(&format!("/v1/agents/team/{path}"), body).await;
    (answer.status, answer.body["detail"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn from_creation_to_the_last_walker() {
    let client = Client::fresh();
    let shown = team(&client).await;
    assert_eq!((&shown["sequence"], &shown["phase"]), (&json!(0), &json!("cover")));
    assert!(shown.get("at").is_none(), "{shown}");
    let walkers = &shown["team"]["walkers"];
    assert_eq!((&walkers[0]["name"], &walkers[1]["walker"]), (&json!("anna"), &json!(1)));
    assert_eq!(
        (&shown["team"]["share"], &shown["team"]["most"]),
        (&json!("capacity:2"), &json!(1_000))
    );
    assert_eq!(walkers[1]["at"], json!({"node": 2, "name": "roof"}));

    // Each has its own order and its own numbers; a name or a number names a walker.
    let (anna, bert) = (ask(&client, "anna").await, ask(&client, "1").await);
    assert_eq!((&anna["walker"], &bert["walker"]), (&json!(0), &json!(1)));
    assert_eq!((&anna["sequence"], &bert["sequence"]), (&json!(0), &json!(0)));
    assert_eq!(anna["why"]["reason"], "not every node has been visited yet");
    let receipt = client
        .done("/v1/agents/team/tell", json!({"walker": "anna", "sequence": 0, "reward": 1}))
        .await;
    assert_eq!(
        receipt,
        json!({"sequence": 0, "next_sequence": 1, "at": 0, "visits": 1, "replanned": false, "walker": 0, "log": 0})
    );
    let again = ask(&client, "bert").await;
    for member in ["sequence", "at", "path", "stay", "seal"] {
        assert_eq!(again[member], bert[member], "the others go on");
    }
    let late = json!({"walker": 1, "sequence": 0, "visits": [{"at": "roof", "reward": 3}, {"at": "gate", "reward": 2}]});
    assert_eq!(client.done("/v1/agents/team/tell", late.clone()).await["next_sequence"], 1);
    assert_eq!(client.done("/v1/agents/team/tell", late).await["next_sequence"], 1);
    let seen = json!({"sequence": 0, "observations": [{"at": "yard", "reward": 4}]});
    let receipt = client.done("/v1/agents/team/observe", seen).await;
    assert_eq!(
        receipt,
        json!({"sequence": 0, "next_sequence": 1, "visits": 4, "replanned": false, "log": 2})
    );

    // A dispatcher blocks an edge; a robot opens it, fails, is moved.
    client.done("/v1/agents/team/blocked", json!({"sequence": 1, "edge": ["hall", "gate"]})).await;
    let next = |order: &Value| order["sequence"].clone();
    let sequence = next(&ask(&client, "bert").await);
    let opened = json!({"walker": "bert", "sequence": sequence, "edge": ["gate", "hall"]});
    assert_eq!(client.done("/v1/agents/team/opened", opened).await["replanned"], true);
    let sequence = next(&ask(&client, "bert").await);
    let failed = json!({"walker": "bert", "sequence": sequence, "at": "yard", "reason": "wind"});
    assert_eq!(client.done("/v1/agents/team/failed", failed).await["at"], 1);
    let sequence = next(&ask(&client, "bert").await);
    client
        .done(
            "/v1/agents/team/moved",
            json!({"walker": "bert", "sequence": sequence, "at": "roof"}),
        )
        .await;

    // A third joins, and leaves.
    let cleo = json!({"name": "cleo", "start": "gate", "nodes": ["gate", "roof"], "speed": 2});
    assert_eq!(client.done("/v1/agents/team/joined", cleo.clone()).await["walker"], 2);
    assert_eq!(client.done("/v1/agents/team/joined", cleo).await["walker"], 2);
    let listed = client.get("/v1/agents/team/walkers").await.body;
    assert_eq!(listed["walkers"][2]["nodes"], json!([2, 3]));
    assert_eq!((&listed["walkers"][2]["speed"], &listed["records"]), (&json!(2.0), &json!(8)));
    client.done("/v1/agents/team/left", json!({"walker": "cleo", "reason": "flat"})).await;

    everything_is_shown(&client).await;
    it_continues_elsewhere(&client).await;
}

/// Everything that shows an agent shows a team.
async fn everything_is_shown(client: &Client) {
    let shown = client.get("/v1/agents/team").await.body;
    assert_eq!(
        (&shown["visits"], &shown["observed"], &shown["reward"]),
        (&json!(4), &json!(1), &json!(6.0))
    );
    assert_eq!(shown["phase"], "learn");
    let best = client.get("/v1/agents/team/best").await.body;
    assert_eq!(best["best"]["name"], "yard");
    let rewards = client.get("/v1/agents/team/rewards").await.body;
    assert_eq!(rewards["points"], json!([[0, 0.0], [1, 1.0], [2, 4.0], [3, 6.0]]));
    let estimates = client.get("/v1/agents/team/estimates").await.body;
    assert_eq!(
        (&estimates["nodes"], &estimates["estimates"][2]["estimate"]),
        (&json!(4), &json!(3.0))
    );
    assert_eq!(client.get("/v1/agents/team/map").await.body["names"][3], "gate");
    let history = client.get("/v1/agents/team/history").await.body;
    let kinds: Vec<&str> = history["records"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["kind"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        [
            "told",
            "told",
            "observed",
            "edge-blocked",
            "edge-opened",
            "leg-failed",
            "moved",
            "joined",
            "left"
        ]
    );
    assert_eq!(
        (&history["records"][1]["reporter"], &history["records"][1]["plans"][0]["walker"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(history["records"][7]["walker"]["name"], "cleo");
}

/// It can be exported, and continues elsewhere with numbers from 0 on.
async fn it_continues_elsewhere(client: &Client) {
    let export = client.get("/v1/agents/team/snapshot").await.body;
    let imported = client.done("/v1/import", json!({"id": "copy", "export": export})).await;
    assert_eq!(
        (&imported["visits"], &imported["team"]["walkers"][0]["sequence"]),
        (&json!(4), &json!(0))
    );
    let path = |order: &Value| (order["path"].clone(), order["stay"].clone());
    let there = client.done("/v1/agents/copy/ask?walker=anna", json!({})).await;
    assert_eq!(path(&there), path(&ask(client, "anna").await));
    let listed = client.get("/v1/agents").await.body["agents"][1].clone();
    assert_eq!(listed, json!({"id": "team", "agent": "g-star", "walkers": 2, "sequence": 9}));
    let repeated = json!({"id": "team", "graph": rooms(), "share": "capacity:2", "start": "hall",
        "walkers": [{"name": "anna"}, {"name": "bert", "start": "roof"}]});
    assert_eq!(create(client, repeated.clone()).await.status, 200);
    let mut other = repeated;
    other["share"] = json!("equal");
    assert_eq!(create(client, other).await.status, 409);
}

#[tokio::test]
async fn teams_that_cannot_be_are_refused_by_name() {
    let client = Client::fresh();
    let complaint = async |more: Value| {
        let mut request = json!({"id": "odd", "graph": rooms(), "walkers": 2});
        for (name, value) in more.as_object().unwrap() {
            request[name] = value.clone();
        }
        let answer = create(&client, request).await;
        assert_eq!(answer.status, 422, "{more}: {}", answer.body);
        answer.body["detail"].as_str().unwrap().to_owned()
    };
    let rows = |row: Value| json!({"share": [row.clone(), row.clone(), row.clone(), row]});
    for (more, part) in [
        (rows(json!([1, -0.5])), "node 0 has f(2) = -0.5; give a number from 0 on"),
        (rows(json!([1, 0.5])), "shares must not fall as walkers are added"),
        (rows(json!([0.5, 1])), "node 0 has f(1) = 0.5; it must be 1"),
        (rows(json!([1])), "2 walkers are too many; this team has room for 1"),
        (rows(json!([])), "the rows have no numbers"),
        (json!({"share": [[1, 1]]}), "1 rows of shares for 4 nodes; give one row per node"),
        (json!({"share": "log:-1"}), "log"),
        (json!({"share": "half"}), "half"),
        (json!({"walkers": 1_001}), "1001 walkers are too many; this team has room for 1000"),
        (
            json!({"walkers": 5, "seats": 1}),
            "5 walkers do not fit on 4 nodes with at most 1 on each",
        ),
        (json!({"seats": 0}), "with at most 0 on each"),
        (
            json!({"walkers": [{"nodes": ["hall", "roof"]}]}),
            "its allowed nodes do not connect node 2",
        ),
        (
            json!({"walkers": [{"start": "yard", "nodes": ["hall"]}]}),
            "starts on node 1, where it may not be",
        ),
        (json!({"walkers": [{"start": "attic"}]}), "walker 0: no node is named \"attic\""),
        (json!({"walkers": [{"speed": 0}]}), "speed 0; give a positive number"),
        (json!({"walkers": [{"name": "7"}]}), "\"7\" is not a name for a walker"),
        (
            json!({"walkers": [{"name": "a"}, {"name": "a"}]}),
            "the name \"a\" was given to another walker",
        ),
        (json!({"agent": "multi-g-ucb"}), "plans for all walkers at once; use g-star"),
        (json!({"agent": "g-ucb"}), "g-ucb"),
        (json!({"init": "lowest"}), "`init` is for agents alone; leave it out"),
        (json!({"clock": "stamps"}), "`clock` is for agents alone; leave it out"),
        (json!({"walkers": null, "share": "equal"}), "`share` is for teams; give `walkers`, too"),
        (json!({"walkers": null, "seats": 2}), "`seats` is for teams; give `walkers`, too"),
    ] {
        let said = complaint(more.clone()).await;
        assert!(said.contains(part), "{more}: {said}");
    }
    let many: Vec<Value> = (0..65).map(|_| json!({"nodes": ["hall"]})).collect();
    let said = complaint(json!({"walkers": many})).await;
    assert!(
        said.contains("65 walkers are too many for a team in which some may not be everywhere"),
        "{said}"
    );
    // NaN is not JSON.
    let nan = r#"{"id": "odd", "graph": "line:1", "walkers": 2, "share": [[1, NaN]]}"#;
    assert_eq!(client.raw("/v1/agents", "application/json", nan).await.status, 400);
    assert_eq!(client.get("/v1/agents/odd").await.status, 404, "nothing was created");
}

#[tokio::test]
async fn impossible_reports_change_nothing() {
    let client = Client::fresh();
    team(&client).await;
    let alone = json!({"id": "alone", "graph": rooms()});
    assert_eq!(create(&client, alone).await.status, 201);
    let before = client.get("/v1/agents/team").await.body;
    for (path, body, part) in [
        (
            "ask",
            json!({}),
            "say which walker reports with `walker` (the walkers are \"anna\", \"bert\")",
        ),
        ("tell", json!({"sequence": 0, "reward": 1}), "say which walker reports with `walker`"),
        ("tell", json!({"walker": "ana", "sequence": 0, "reward": 1}), "did you mean \"anna\"?"),
        (
            "tell",
            json!({"walker": 7, "sequence": 0, "reward": 1}),
            "there is no walker 7 in the team; the walkers are",
        ),
        ("tell", json!({"walker": 0, "sequence": 0, "reward": 1e200}), "too large"),
        ("tell", json!({"walker": 0, "sequence": 0, "visits": []}), "nothing was told"),
        (
            "tell",
            json!({"walker": 0, "sequence": 0, "reward": 1, "took": 2}),
            "a team does not learn how long roads take",
        ),
        (
            "tell",
            json!({"walker": 0, "sequence": 0, "reward": 1, "time": 2}),
            "the clocks of a team's walkers count visits",
        ),
        (
            "tell",
            json!({"walker": 0, "sequence": 0, "reward": 1, "at": "attic"}),
            "no node is named",
        ),
        ("failed", json!({"sequence": 0}), "say which walker reports"),
        ("moved", json!({"sequence": 0, "at": 0}), "say which walker reports"),
        ("blocked", json!({"sequence": 0, "edge": ["hall", "roof"]}), "there is no edge between"),
        ("blocked", json!({"sequence": 0, "edge": [0, 1], "at": 0}), "say which walker reports"),
        (
            "blocked",
            json!({"sequence": 0, "edge": [0, 1], "reopening_rate": 1}),
            "does not wait for roads to reopen",
        ),
        ("opened", json!({"sequence": 0, "edge": [0, 1]}), "is open already"),
        ("joined", json!({}), "needs a `name`"),
        ("joined", json!({"name": "anna", "start": 1}), "is in the team already"),
        ("joined", json!({"name": "dora", "nodes": ["hall", "roof"]}), "do not connect"),
        ("left", json!({"walker": "zoe"}), "there is no walker \"zoe\""),
    ] {
        let (status, said) = refused(&client, path, body.clone()).await;
        assert_eq!(status, 422, "{path} {body}: {said}");
        assert!(said.contains(part), "{path} {body}: {said}");
    }
    assert_eq!(client.get("/v1/agents/team").await.body, before);
    for (path, body) in [
        ("ask?walker=anna", json!({})),
        ("tell", json!({"walker": 0, "sequence": 0, "reward": 1})),
        ("joined", json!({"name": "dora"})),
        ("left", json!({"walker": 0})),
    ] {
        let answer = client.post(&format!("/v1/agents/alone/{path}"), body).await;
        let said = answer.body["detail"].as_str().unwrap();
        assert_eq!(answer.status, 422, "{path}: {said}");
        assert!(said.contains("leads one robot and is not a team"), "{path}: {said}");
    }
    assert_eq!(client.get("/v1/agents/alone/walkers").await.status, 422);
    // A conflict says which number is next.
    client
        .done("/v1/agents/team/tell", json!({"walker": "anna", "sequence": 0, "reward": 1}))
        .await;
    let other = client
        .post("/v1/agents/team/tell", json!({"walker": "anna", "sequence": 0, "reward": 2}))
        .await;
    assert_eq!((other.status, &other.body["next_sequence"]), (409, &json!(1)));
}

/// Cut off from each other, both go on in their part, and both know what was seen on the other side.
#[tokio::test]
async fn a_team_in_parts_goes_on() {
    let client = Client::fresh();
    let line = json!({"id": "team", "graph": "line:6", "walkers": [{}, {"start": 5}]});
    assert_eq!(create(&client, line).await.status, 201);
    client.done("/v1/agents/team/blocked", json!({"sequence": 0, "edge": [2, 3]})).await;
    for round in 0..60_u64 {
        for walker in ["0", "1"] {
            let order = ask(&client, walker).await;
            let next = &order["path"][0]["node"];
            let node = next.as_u64().or(order["at"]["node"].as_u64()).unwrap();
            assert_eq!(node < 3, walker == "0", "{order}");
            let tell = json!({"walker": walker, "sequence": order["sequence"], "reward": (round + node) % 3});
            client.done("/v1/agents/team/tell", tell).await;
        }
    }
    let shown = client.get("/v1/agents/team").await.body;
    assert_eq!((&shown["set_aside_nodes"], &shown["visits"]), (&json!(0), &json!(120)));
    assert_eq!(ask(&client, "0").await["why"]["set_aside_nodes"], 3);
    client.done("/v1/agents/team/left", json!({"walker": 1})).await;
    assert_eq!(client.get("/v1/agents/team").await.body["set_aside_nodes"], 3);
}

#[tokio::test]
async fn watchers_see_all_walkers() {
    let client = Client::fresh();
    team(&client).await;
    client
        .done("/v1/agents/team/tell", json!({"walker": "anna", "sequence": 0, "reward": 1}))
        .await;
    let seen = super::events::Reader::of(&client, "team").await.state().await;
    assert_eq!((&seen["sequence"], &seen["visits"]), (&json!(0), &json!(1)));
    assert_eq!(seen["team"]["walkers"][0]["sequence"], 1);
    assert_eq!(seen["team"]["walkers"][1]["name"], "bert");
}
