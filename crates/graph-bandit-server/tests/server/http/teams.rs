//! A team over HTTP: every robot asks and tells on its own.

use super::{Answer, Client};
use serde_json::{Value, json};

pub(super) async fn create(client: &Client, request: Value) -> Answer {
    client.post("/v1/agents", request).await
}

pub(super) fn rooms() -> Value {
    json!({"nodes": 4, "names": ["hall", "yard", "roof", "gate"],
        "edges": [["hall", "yard"], ["yard", "roof"], ["roof", "gate"], ["gate", "hall"]]})
}

pub(super) async fn team(client: &Client) -> Value {
    let request = json!({"id": "team", "graph": rooms(), "share": "capacity:2", "start": "hall",
        "walkers": [{"name": "anna"}, {"name": "bert", "start": "roof"}]});
    let created = create(client, request).await;
    assert_eq!(created.status, 201, "{}", created.body);
    created.body
}

async fn ask(client: &Client, walker: &str) -> Value {
    client.done(&format!("/v1/agents/team/ask?walker={walker}"), json!({})).await
}

#[tokio::test]
async fn from_creation_to_the_last_walker() {
    let client = Client::fresh();
    let shown = team(&client).await;
    assert_eq!((&shown["sequence"], &shown["phase"]), (&json!(0), &json!("cover")));
    for of_agents_alone in ["at", "init", "clock", "time"] {
        assert!(shown.get(of_agents_alone).is_none(), "{shown}");
    }
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

/// The list counts those who are in the team now, and `most` is the limit that holds for them.
#[tokio::test]
async fn lists_and_limits_follow_who_is_there() {
    let client = Client::fresh();
    team(&client).await;
    let listed = async || client.get("/v1/agents").await.body["agents"][0]["walkers"].clone();
    let most = async || client.get("/v1/agents/team/walkers").await.body["most"].clone();
    assert_eq!((listed().await, most().await), (json!(2), json!(1_000)));
    let cleo = json!({"name": "cleo", "start": "gate", "nodes": ["gate", "roof"]});
    client.done("/v1/agents/team/joined", cleo).await;
    assert_eq!((listed().await, most().await), (json!(3), json!(64)));
    for walker in ["anna", "cleo", "bert"] {
        client.done("/v1/agents/team/left", json!({"walker": walker})).await;
    }
    assert_eq!((listed().await, most().await), (json!(0), json!(1_000)));
    // Reports keep the count, and so does an agent alone.
    let seen = json!({"sequence": 0, "observations": [{"at": "yard", "reward": 4}]});
    client.done("/v1/agents/team/observe", seen).await;
    client.done("/v1/agents", json!({"id": "alone", "graph": "line:2"})).await;
    let all = client.get("/v1/agents").await.body["agents"].clone();
    assert_eq!(all[0], json!({"id": "alone", "agent": "g-star", "sequence": 0}));
    assert_eq!(all[1], json!({"id": "team", "agent": "g-star", "walkers": 0, "sequence": 5}));
}

/// An order says the same in its answer and in the history, whoever has seen its node meanwhile.
#[tokio::test]
async fn history_and_orders_have_one_phase() {
    let client = Client::fresh();
    team(&client).await;
    let told = json!({"walker": "anna", "sequence": 0, "reward": 1});
    client.done("/v1/agents/team/tell", told).await;
    let order = ask(&client, "anna").await;
    assert_eq!((&order["phase"], &order["path"][0]["node"]), (&json!("cover"), &json!(1)));
    let plan = |history: &Value, at: usize| history["records"][at]["plans"][0].clone();
    let history = client.get("/v1/agents/team/history").await.body;
    assert_eq!(plan(&history, 0)["leg"]["phase"], "cover");
    let seen = json!({"sequence": 0, "observations": [{"at": "yard", "reward": 4}, {"at": "gate", "reward": 4},
        {"at": "roof", "reward": 4}]});
    client.done("/v1/agents/team/observe", seen).await;
    let same = ask(&client, "anna").await;
    for member in ["sequence", "phase", "path", "stay"] {
        assert_eq!(same[member], order[member]);
    }
    let failed = json!({"walker": "anna", "sequence": 1});
    client.done("/v1/agents/team/failed", failed).await;
    let history = client.get("/v1/agents/team/history").await.body;
    assert_eq!(
        (&plan(&history, 2)["leg"]["phase"], &ask(&client, "anna").await["phase"]),
        (&json!("learn"), &json!("learn"))
    );
}

/// By hand: a robot of speed 2 on roads of 3 and 5 units; a visit takes 10 seconds.
#[tokio::test]
async fn orders_say_when_their_robot_arrives() {
    let client = Client::fresh();
    let roads = json!({"nodes": 3, "visit_time": 10.0, "roads": [[0, 1, 3.0], [1, 0, 3.0], [1, 2, 5.0], [2, 1, 5.0]]});
    let request = json!({"id": "team", "graph": roads, "walkers": [{"speed": 2.0}, {"start": 2}]});
    let created = create(&client, request).await;
    assert_eq!(created.status, 201, "{}", created.body);
    assert_eq!(created.body["team"]["walkers"][0]["time"], json!(0.0));
    let first = ask(&client, "0").await;
    assert_eq!((&first["arrival"], &first["times"]), (&json!(0.0), &json!([])), "it stays");
    client.done("/v1/agents/team/tell", json!({"walker": 0, "sequence": 0, "reward": 1})).await;
    let second = ask(&client, "0").await;
    assert_eq!(second["path"], json!([{"node": 1}]));
    assert_eq!(second["times"], json!([2.5]));
    assert_eq!((&second["arrival"], &second["arrival_in_seconds"]), (&json!(3.5), &json!(35.0)));
    client.done("/v1/agents/team/tell", json!({"walker": 0, "sequence": 1, "reward": 1})).await;
    let shown = client.get("/v1/agents/team").await.body;
    assert_eq!(shown["team"]["walkers"][0]["time"], json!(3.5));
    assert_eq!(shown["team"]["walkers"][1]["time"], json!(0.0));
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
