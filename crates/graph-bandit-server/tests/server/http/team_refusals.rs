//! What a team refuses, in whole messages: each names its field, the value, and what to do.

use super::Client;
use super::teams::{create, rooms, team};
use axum::body::Body;
use serde_json::{Value, json};

/// What the service says to a team that differs from a possible one in these members.
async fn complaint(client: &Client, more: &Value) -> String {
    let mut request = json!({"id": "odd", "graph": rooms(), "walkers": 2});
    for (name, value) in more.as_object().unwrap() {
        request[name] = value.clone();
    }
    let answer = create(client, request).await;
    assert_eq!(answer.status, 422, "{more}: {}", answer.body);
    answer.body["detail"].as_str().unwrap().to_owned()
}

async fn complaints(cases: Vec<(Value, &str)>) {
    let client = Client::fresh();
    for (more, said) in cases {
        assert_eq!(complaint(&client, &more).await, said, "{more}");
    }
    assert_eq!(client.get("/v1/agents/odd").await.status, 404, "nothing was created");
}

#[tokio::test]
async fn shares_that_cannot_be() {
    let rows = |row: Value| json!({"share": [row.clone(), row.clone(), row.clone(), row]});
    complaints(vec![
        (rows(json!([1, -0.5])), "share: node 0 has f(2) = -0.5; give a number of at least 0"),
        (
            rows(json!([1, 0.5])),
            "share: node 0 has f(2) = 0.5, less than f(1) = 1; shares must not fall as walkers are added",
        ),
        (
            rows(json!([0.5, 1])),
            "share: node 0 has f(1) = 0.5; it must be 1, because one walker gets the whole draw: scale the \
             means instead",
        ),
        (
            rows(json!([1])),
            "walkers: 2 walkers are too many; the rows of `share` are for at most 1: send fewer, or give rows \
             with more numbers",
        ),
        (
            rows(json!([])),
            "share: the rows have no numbers; give f(1), f(2) and so on for every node",
        ),
        (json!({"share": [[1, 1]]}), "share: 1 rows of shares for 4 nodes; give one row per node"),
        (
            json!({"share": [[1, 1], [1, 1], [1], [1, 1]]}),
            "share: the shares of node 2 end at f(1), but there are 2 walkers; give f(1) to f(2)",
        ),
        (
            json!({"share": "log:-1"}),
            "share: log:-1: bend is -1; it must be a number above 0 and at most 1000000000000",
        ),
        (
            json!({"share": "file:shares.csv"}),
            "share: \"file:shares.csv\" names a file, but the service reads no files; give its rows as a list, with \
             f(1), f(2) and so on for every node, such as [[1, 1.5], [1, 2]] for 2 nodes",
        ),
        (
            json!({"share": "half"}),
            "share: there is no share \"half\"; there are equal, capacity:ROOM, power:EXPONENT, log:BEND",
        ),
        (
            json!({"walkers": null, "share": "equal"}),
            "`share` is for teams; give `walkers`, too, or leave it out",
        ),
    ])
    .await;
}

#[tokio::test]
async fn walkers_that_cannot_be() {
    let confined = |number: usize| {
        let mut walkers = vec![json!({}); number];
        walkers[number / 2] = json!({"nodes": ["hall"]});
        json!({"walkers": walkers})
    };
    complaints(vec![
        (
            json!({"walkers": 1_001}),
            "walkers: 1001 walkers are too many; the limit is 1000: send fewer",
        ),
        (
            confined(65),
            "walkers: 65 walkers are too many for a team with walkers that are confined to some nodes; the limit \
             is 64: send fewer, allow all of them on all nodes, or report which blocked edges are open again",
        ),
        (
            confined(1_200),
            "walkers: 1200 walkers are too many for a team with walkers that are confined to some nodes; the limit \
             is 64: send fewer, allow all of them on all nodes, or report which blocked edges are open again",
        ),
        (
            json!({"walkers": 7, "seats": 1}),
            "walkers: 7 walkers do not fit on 4 nodes with at most 1 on each; allow more per node, or send fewer \
             walkers",
        ),
        (
            json!({"seats": 0}),
            "seats: 2 walkers do not fit on 4 nodes with at most 0 on each; allow more per node, or send fewer \
             walkers",
        ),
        (
            json!({"seats": 1, "walkers": [{"nodes": ["hall"]}, {"nodes": ["hall"]}, {}, {}]}),
            "walkers: 4 walkers do not all have a seat where they may be, with at most 1 on each node; allow more \
             per node, or allow the walkers on more nodes",
        ),
        (
            json!({"walkers": null, "seats": 2}),
            "`seats` is for teams; give `walkers`, too, or leave it out",
        ),
        (
            json!({"walkers": [{"nodes": ["hall", "roof"]}]}),
            "nodes: walker 0 may be on node \"roof\", but its allowed nodes do not connect node \"roof\" with its \
             start \"hall\"; allow a way between them, or leave node \"roof\" out",
        ),
        (
            json!({"walkers": [{}, {"nodes": ["hall", "attic"]}]}),
            "nodes: walker 1: no node is named \"attic\"; one is named \"hall\"",
        ),
        (
            json!({"walkers": [{"start": "yard", "nodes": ["hall"]}]}),
            "start: walker 0 starts on node \"yard\", where it may not be; allow it there",
        ),
        (
            json!({"walkers": [{"start": "yart"}]}),
            "start: walker 0: no node is named \"yart\"; did you mean \"yard\"?",
        ),
        (
            json!({"walkers": [{"name": "bert", "start": 9}]}),
            "start: walker bert: there is no node 9; the nodes are 0 to 3",
        ),
        (
            json!({"walkers": [{"speed": 0}]}),
            "speed: walker 0 has speed 0; give a positive number",
        ),
        (
            json!({"walkers": [{}, {"speed": -2.5}]}),
            "speed: walker 1 has speed -2.5; give a positive number",
        ),
        (
            json!({"walkers": [{"name": "7"}]}),
            "name: \"7\" is not a name for a walker; write 1 to 64 letters, digits, `-` or `_`, not only digits",
        ),
        (
            json!({"walkers": [{"name": "a"}, {"name": "a"}]}),
            "name: \"a\" was given to another walker of this team; choose a name that no walker had before",
        ),
    ])
    .await;
}

/// Only agents that the service lets lead are offered.
#[tokio::test]
async fn agents_and_settings_that_teams_do_not_have() {
    complaints(vec![
        (
            json!({"agent": "multi-g-ucb:until=median"}),
            "agent: multi-g-ucb plans for all walkers at once, but the robots of a service ask one by one, each \
             when its own leg ends; use g-star or g-drift, which plan for each walker (multi-g-ucb works in studies: \
             `gbandit run --walkers`)",
        ),
        (
            json!({"agent": {"agent": "comb-ucb"}}),
            "agent: comb-ucb plans for all walkers at once, but the robots of a service ask one by one, each \
             when its own leg ends; use g-star or g-drift, which plan for each walker (comb-ucb works in studies: \
             `gbandit run --walkers`)",
        ),
        (
            json!({"agent": "g-ucb"}),
            "agent: there is no agent for teams \"g-ucb\"; there are g-star, g-drift",
        ),
        (
            json!({"agent": {"agent": "multi-g-uc"}}),
            "agent: there is no agent for teams \"multi-g-uc\"; there are g-star, g-drift",
        ),
        (
            json!({"init": "lowest"}),
            "`init` is for agents alone; leave it out: the walkers of a team cover the graph together",
        ),
        (
            json!({"clock": "stamps"}),
            "`clock` is for agents alone; leave it out: the clock of every walker counts its visits",
        ),
    ])
    .await;
}

/// What cannot be read is named, too. serde adds the place in the text.
#[tokio::test]
async fn members_of_the_wrong_kind_are_named() {
    let client = Client::fresh();
    let whole = "expected a whole number, 0 or greater";
    let walkers = format!("{whole}, or a list with an object for each walker");
    let object = r#"expected an object, such as {"name": "anna", "start": 3}"#;
    let number = "expected a number";
    let cases = [
        (json!({"walkers": -1}), format!("walkers: invalid type: integer `-1`, {walkers}")),
        (
            json!({"walkers": 1.5}),
            format!("walkers: invalid value: floating point `1.5`, {walkers}"),
        ),
        (json!({"walkers": "two"}), format!("walkers: invalid type: string \"two\", {walkers}")),
        (
            json!({"walkers": ["anna"]}),
            format!("walkers[0]: invalid type: string \"anna\", {object}"),
        ),
        (
            json!({"walkers": [{}, ["anna"]]}),
            format!("walkers[1]: invalid type: sequence, {object}"),
        ),
        (
            json!({"walkers": [{}, {"speed": "NaN"}]}),
            format!("walkers[1].speed: invalid type: string \"NaN\", {number}"),
        ),
        (
            json!({"walkers": [{"start": 0.5}]}),
            "walkers[0].start: a node is a number or a name".to_owned(),
        ),
        (
            json!({"walkers": [{"nodes": 3}]}),
            "walkers[0].nodes: invalid type: integer `3`, expected a list".to_owned(),
        ),
        (
            json!({"walkers": [{"name": 3}]}),
            "walkers[0].name: invalid type: integer `3`, expected a string".to_owned(),
        ),
        (
            json!({"walkers": [{"sped": 3}]}),
            "walkers[0]: unknown field `sped`, expected one of `name`, `start`, `speed`, `nodes`"
                .to_owned(),
        ),
        (
            json!({"share": 3}),
            "share: give a text such as \"log:0.05\", or a list of rows of numbers".to_owned(),
        ),
        (
            json!({"share": [[1, "NaN"]]}),
            "share: give a text such as \"log:0.05\", or a list of rows of numbers".to_owned(),
        ),
        (json!({"seats": "two"}), format!("seats: invalid type: string \"two\", {whole}")),
        (json!({"start": [0]}), "start: a node is a number or a name".to_owned()),
    ];
    for (more, said) in cases {
        let there = complaint(&client, &more).await;
        assert!(there.starts_with(&format!("{said} at line 1 column ")), "{more}: {there}");
    }
    let near = complaint(&client, &json!({"walkers": [{"sped": 3}]})).await;
    assert!(near.ends_with("; did you mean `speed`?"), "{near}");
    // NaN is not JSON.
    let nan = r#"{"id": "odd", "graph": "line:1", "walkers": 2, "share": [[1, NaN]]}"#;
    assert_eq!(client.raw("/v1/agents", "application/json", nan).await.status, 400);
    assert_eq!(client.get("/v1/agents/odd").await.status, 404, "nothing was created");
}

/// Reports to a team with these walkers, and what is wrong with them.
fn impossible() -> Vec<(&'static str, Value, &'static str)> {
    let who = "the agent is a team; say which walker reports with `walker` (the walkers are \"anna\", \"bert\")";
    vec![
        (
            "ask",
            json!({}),
            "the agent is a team; say which walker asks, with `?walker=` (the walkers are \"anna\", \"bert\")",
        ),
        ("tell", json!({"sequence": 0, "reward": 1}), who),
        ("failed", json!({"sequence": 0}), who),
        ("moved", json!({"sequence": 0, "at": 0}), who),
        ("blocked", json!({"sequence": 0, "edge": [0, 1], "at": 0}), who),
        (
            "tell",
            json!({"walker": "ana", "sequence": 0, "reward": 1}),
            "there is no walker \"ana\" in the team; did you mean \"anna\"?",
        ),
        (
            "tell",
            json!({"walker": 7, "sequence": 0, "reward": 1}),
            "there is no walker 7 in the team; the walkers are \"anna\", \"bert\"",
        ),
        (
            "tell",
            json!({"walker": 0, "sequence": 0, "reward": -1.5e100}),
            "reward -1.5e100 at \"hall\" is too large; give one of magnitude at most 1e100",
        ),
        (
            "tell",
            json!({"walker": 0, "sequence": 0, "visits": []}),
            "nothing was told; tell at least one reward",
        ),
        (
            "tell",
            json!({"walker": 0, "sequence": 0, "reward": 1, "took": 2}),
            "`took` is 2, but a team does not learn how long roads take; leave it out",
        ),
        (
            "tell",
            json!({"walker": 0, "sequence": 0, "reward": 1, "time": 2}),
            "`time` is 2, but the clocks of a team's walkers count visits; leave it out, or give the time as text",
        ),
        (
            "tell",
            json!({"walker": 0, "sequence": 0, "reward": 1, "at": "attic"}),
            "no node is named \"attic\"; one is named \"hall\"",
        ),
        (
            "blocked",
            json!({"sequence": 0, "edge": ["hall", "roof"]}),
            "there is no edge between \"hall\" and \"roof\"",
        ),
        (
            "blocked",
            json!({"sequence": 0, "edge": [0, 1], "reopening_rate": 1}),
            "`reopening_rate` is 1, but a team does not wait for roads to reopen; leave it out, and report the \
             road when it is open",
        ),
        (
            "opened",
            json!({"sequence": 0, "edge": [0, 1]}),
            "the edge between \"hall\" and \"yard\" is open already",
        ),
        (
            "joined",
            json!({}),
            "a walker that joins needs a `name`, so that a repeated request is recognized",
        ),
        (
            "joined",
            json!({"name": "anna", "start": 1}),
            "walker \"anna\" is in the team already, with other settings; repeat its exact settings, or choose a \
             name that no walker had before",
        ),
        (
            "joined",
            json!({"name": "dora", "nodes": ["hall", "roof"]}),
            "nodes: walker 2 may be on node \"roof\", but its allowed nodes do not connect node \"roof\" with its \
             start \"hall\"; allow a way between them, or leave node \"roof\" out",
        ),
        (
            "joined",
            json!({"name": "dora", "speed": -1}),
            "speed: walker 2 has speed -1; give a positive number",
        ),
        (
            "joined",
            json!({"name": "12"}),
            "name: \"12\" is not a name for a walker; write 1 to 64 letters, digits, `-` or `_`, not only digits",
        ),
        (
            "left",
            json!({"walker": "zoe"}),
            "there is no walker \"zoe\" in the team; the walkers are \"anna\", \"bert\"",
        ),
    ]
}

#[tokio::test]
async fn impossible_reports_change_nothing() {
    let client = Client::fresh();
    team(&client).await;
    let alone = json!({"id": "alone", "graph": rooms()});
    assert_eq!(create(&client, alone).await.status, 201);
    let before = client.get("/v1/agents/team").await.body;
    for (path, body, said) in impossible() {
        let answer = client.post(&format!("/v1/agents/team/{path}"), body.clone()).await;
        assert_eq!(answer.body["detail"], said, "{path} {body}");
        assert_eq!(answer.status, 422, "{path} {body}");
    }
    assert_eq!(client.get("/v1/agents/team").await.body, before);
    for (path, body) in [
        ("ask?walker=anna", json!({})),
        ("tell", json!({"walker": 0, "sequence": 0, "reward": 1})),
        ("joined", json!({"name": "dora"})),
        ("left", json!({"walker": 0})),
    ] {
        let answer = client.post(&format!("/v1/agents/alone/{path}"), body).await;
        assert_eq!(
            answer.body["detail"],
            "this agent leads one robot and is not a team; leave `walker` out, or create a team with `walkers`",
            "{path}"
        );
        assert_eq!(answer.status, 422, "{path}");
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
    assert_eq!(
        other.body["detail"],
        "another report already has the number 0, so this one was not counted. Nothing is lost: ask again. If \
         this report is new, send it as 1; name the node of each visit, with `at` or `visits`"
    );
}

/// What was meant for a deleted team does not reach a new one of its name, nor an agent alone.
#[tokio::test]
async fn requests_for_a_deleted_team_are_refused() {
    let client = Client::fresh();
    let number = |shown: Value| shown["number"].as_u64().unwrap();
    let old = number(team(&client).await);
    let join = |number: u64| json!({"name": "cleo", "start": "gate", "number": number});
    let leave = |walker: &str, number: u64| json!({"walker": walker, "number": number});
    client.done("/v1/agents/team/joined", join(old)).await;
    client.done("/v1/agents/team/joined", join(old)).await;
    client.done("/v1/agents/team/left", leave("cleo", old)).await;
    for request in [
        json!({"id": "team", "graph": rooms(), "walkers": [{"name": "anna"}, {"name": "bert"}]}),
        json!({"id": "team", "graph": rooms()}),
    ] {
        let delete = client.request("DELETE", "/v1/agents/team").body(Body::empty()).unwrap();
        assert_eq!(client.send(delete).await.status, 204);
        let new = number(client.done("/v1/agents", request).await);
        let before = client.get("/v1/agents/team").await.body;
        let told = json!({"walker": "cleo", "number": old, "sequence": 0, "reward": 1});
        // Somebody who is in the new team, too; and somebody who is not.
        for (path, body) in [
            ("joined", join(old)),
            ("left", leave("anna", old)),
            ("left", leave("cleo", old)),
            ("tell", told),
        ] {
            let refused = client.post(&format!("/v1/agents/team/{path}"), body.clone()).await;
            assert_eq!(refused.status, 409, "{path} {body}: {}", refused.body);
            assert_eq!(refused.body["type"], "urn:graph-bandit:other-agent", "{path} {body}");
            let said = format!(
                "the report is for agent \"team\" with number {old}, which was deleted; the agent of that name \
                 has number {new} now: ask it, and report its order"
            );
            assert_eq!(refused.body["detail"], said, "{path} {body}");
        }
        assert_eq!(client.get("/v1/agents/team").await.body, before);
    }
}
