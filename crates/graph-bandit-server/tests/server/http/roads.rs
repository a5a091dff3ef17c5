//! Agents on roads, as clients see them: directions, times and closures.

use super::{Answer, Client, check, play};
use graph_bandit::spec::{AgentEntry, Standing};
use graph_bandit::{Agent, AgentSpec, Leg, Origin, Raised, Situation, Stream};
use graph_bandit_server::http::openapi;
use graph_bandit_server::store::{MemoryStore, Store};
use serde_json::{Value, json};
use std::sync::Arc;

/// A one-way ring, and a street between yard and gate that is slower in one direction.
fn request(agent: &str) -> Value {
    json!({
        "id": "van", "agent": agent, "seed": 4,
        "graph": {
            "nodes": 4, "names": ["hall", "yard", "roof", "gate"], "visit_time": 30,
            "roads": [
                ["hall", "yard", 2.5], ["yard", "roof"], ["roof", "gate", 1], ["gate", "hall", 0.5],
                ["yard", "gate", 4], ["gate", "yard", 0.25],
            ],
        },
    })
}

async fn refused(client: &Client, path: &str, body: Value) -> String {
    let Answer { status, body, .. } = client.post(path, body).await;
    assert_eq!(status, 422, "{body}");
    body["detail"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn orders_maps_and_history_know_roads() {
    let client = Client::fresh();
    let shown = client.done("/v1/agents", request("g-star")).await;
    assert_eq!((&shown["edges"], &shown["roads"]), (&json!(5), &json!(6)));
    // The same request written differently is the same agent.
    let mut again = request("g-star");
    again["graph"]["roads"][1] = json!(["yard", "roof", 0.0]);
    assert_eq!(client.post("/v1/agents", again.clone()).await.status, 200);
    again["graph"]["roads"][1] = json!(["yard", "roof", 0.5]);
    assert_eq!(client.post("/v1/agents", again).await.status, 409);

    let told = json!({"sequence": 0, "reward": 0.5, "took": 1.25});
    client.done("/v1/agents/van/tell", told).await;
    let order = client.ask("van").await;
    assert_eq!(order["path"][0]["name"], "yard");
    let first = order["times"][0].as_f64().unwrap();
    assert_eq!(first, 3.5);
    assert_eq!(order["times_in_seconds"][0], 105.0);
    let all: f64 = order["times"].as_array().unwrap().iter().map(|t| t.as_f64().unwrap()).sum();
    assert_eq!(
        (&order["arrival"], &order["arrival_in_seconds"]),
        (&json!(1.25 + all), &json!((1.25 + all) * 30.0))
    );
    check(&openapi(), "Order", &order);

    // The map has the form in which an agent is created, with the same roads.
    let map = client.get("/v1/agents/van/map").await.body;
    check(&openapi(), "Map", &map);
    assert_eq!(map["roads"][0], json!([0, 1, 2.5]));
    assert_eq!((&map["visit_time"], map.get("edges")), (&json!(30.0), None));
    let twin = json!({"id": "twin", "graph": map, "agent": "g-star", "seed": 4});
    client.done("/v1/agents", twin).await;
    let both =
        [client.get("/v1/agents/van/snapshot").await, client.get("/v1/agents/twin/snapshot").await];
    let [van, twin] = both.map(|export| export.body["definition"]["graph_fingerprint"].clone());
    assert_eq!(van, twin);

    // The history has the times as they were reported.
    let leg = json!({"sequence": 1, "rewards": [1.0], "took": [4.5]});
    client.done("/v1/agents/van/tell", leg).await;
    let visits = json!([{"at": "roof", "reward": 2, "took": 1.5}, {"at": "roof", "reward": 2}]);
    client.done("/v1/agents/van/tell", json!({"sequence": 2, "visits": visits})).await;
    let history = client.get("/v1/agents/van/history").await.body;
    check(&openapi(), "History", &history);
    let took = |record: usize| history["records"][record]["visits"][0]["took"].clone();
    assert_eq!([took(0), took(1), took(2)], [json!([1.25]), json!([4.5]), json!([1.5, null])]);
    // A report with other times is not a repeat.
    let repeat = json!({"sequence": 2, "visits": visits});
    assert_eq!(client.post("/v1/agents/van/tell", repeat).await.status, 200);
    let other = json!({"sequence": 2, "visits": [{"at": "roof", "reward": 2, "took": 1.75}]});
    assert_eq!(client.post("/v1/agents/van/tell", other).await.status, 409);
}

/// Answers about agents without roads do not mention them.
#[tokio::test]
async fn agents_without_roads_do_not_mention_them() {
    let client = Client::fresh();
    let shown = client.done("/v1/agents", json!({"id": "a", "graph": "line:3"})).await;
    let order = client.ask("a").await;
    for new in ["times", "arrival", "times_in_seconds", "arrival_in_seconds", "roads"] {
        assert!(order.get(new).is_none() && shown.get(new).is_none(), "{new}");
    }
    let map = client.get("/v1/agents/a/map").await.body;
    let members: Vec<&String> = map.as_object().unwrap().keys().collect();
    assert_eq!(members, ["coordinates", "edges", "nodes"]);
    assert_eq!(map["edges"], json!([[0, 1], [1, 2]]));
    let both = json!({"sequence": 0, "edge": [1, 0], "directions": "both"});
    client.done("/v1/agents/a/blocked", both).await;
    let one = json!({"sequence": 1, "edge": [1, 2], "directions": "one"});
    let detail = refused(&client, "/v1/agents/a/blocked", one).await;
    assert!(detail.contains("edge between node 1 and node 2 leads both ways"), "{detail}");
    let records = client.get("/v1/agents/a/history").await.body["records"].clone();
    assert_eq!(records[0]["edge"], json!([1, 0]));
    assert!(records[0].get("directions").is_none());
    let map = client.get("/v1/agents/a/map?blocked=true").await.body;
    assert_eq!(map["blocked"], json!([[0, 1]]));
}

#[tokio::test]
async fn a_wrong_time_is_named_and_nothing_is_stored() {
    let client = Client::fresh();
    client.done("/v1/agents", request("g-star")).await;
    let before = client.ask("van").await;
    let tell = "/v1/agents/van/tell";
    for (body, said) in [
        (json!({"reward": 1, "took": 0.5}), "`took` is 0.5 for the step to \"hall\""),
        (json!({"reward": 1, "took": -3}), "`took` is -3 for the step"),
        (json!({"reward": 1, "took": 1e12}), "give a number from 1 to 134217729"),
        (json!({"reward": 1, "took": "long"}), "a list with a number or null"),
        (json!({"reward": 1, "took": [1, 2]}), "2 numbers for one `reward`"),
        (json!({"rewards": [1], "took": [1, 2]}), "2 numbers for 1 visits"),
        (json!({"rewards": [1], "took": [0]}), "`took` is 0 for"),
        (json!({"visits": [{"at": 1, "reward": 1}], "took": 2}), "into each visit"),
        (json!({"visits": [{"at": 1, "reward": 1, "took": 0.1}]}), "the step to \"yard\""),
    ] {
        let mut body = body;
        body["sequence"] = json!(0);
        let detail = refused(&client, tell, body.clone()).await;
        assert!(detail.contains(said), "{body}: {detail}");
    }
    let observed = json!({"sequence": 0, "observations": [{"at": 1, "reward": 1, "took": 2}]});
    assert!(refused(&client, "/v1/agents/van/observe", observed).await.contains("took"));
    assert_eq!(client.ask("van").await, before);
    assert_eq!(client.get("/v1/agents/van/history").await.body["end"], 0);
}

#[tokio::test]
async fn roads_close_one_way_or_both() {
    let client = Client::fresh();
    client.done("/v1/agents", request("g-star")).await;
    let (blocked, opened) = ("/v1/agents/van/blocked", "/v1/agents/van/opened");
    let shown = |value: &Value| value["blocked"].clone();

    client.done(blocked, json!({"sequence": 0, "edge": ["yard", "gate"]})).await;
    assert_eq!(shown(&client.get("/v1/agents/van").await.body), json!([[1, 3]]));
    // This closes the open direction; the other is already closed.
    client
        .done(blocked, json!({"sequence": 1, "edge": ["gate", "yard"], "directions": "both"}))
        .await;
    assert_eq!(
        shown(&client.get("/v1/agents/van/map?blocked=true").await.body),
        json!([[1, 3], [3, 1]])
    );
    client.done(opened, json!({"sequence": 2, "edge": ["gate", "yard"]})).await;
    client
        .done(opened, json!({"sequence": 3, "edge": ["gate", "yard"], "directions": "both"}))
        .await;
    assert_eq!(shown(&client.get("/v1/agents/van").await.body), json!([]));

    // Nodes have their names, and a road its direction.
    for (path, edge, directions, said) in [
        (
            blocked,
            json!(["yard", "hall"]),
            "one",
            "no road from \"yard\" to \"hall\", only a road from \"hall\" to \"yard\"",
        ),
        (blocked, json!(["hall", "roof"]), "both", "there is no road from \"hall\" to \"roof\""),
        (blocked, json!(["hall", "hall"]), "both", "there is no road from \"hall\" to \"hall\""),
        (
            opened,
            json!(["hall", "yard"]),
            "one",
            "the road from \"hall\" to \"yard\" is open already",
        ),
        (opened, json!(["gate", "yard"]), "both", "is open already"),
        (blocked, json!(["hall", "cellar"]), "one", "no node is named \"cellar\""),
        (blocked, json!(["hall", "yard"]), "neither", "neither"),
    ] {
        let body = json!({"sequence": 4, "edge": edge, "directions": directions});
        let detail = refused(&client, path, body).await;
        assert!(detail.contains(said), "{detail}");
    }
    // Both directions of a one-way street are its only one.
    client
        .done(blocked, json!({"sequence": 4, "edge": ["yard", "hall"], "directions": "both"}))
        .await;
    assert_eq!(shown(&client.get("/v1/agents/van").await.body), json!([[0, 1]]));

    // Without it no road leaves the hall: all other nodes are set aside, and their estimates are kept.
    let at_hall = client.get("/v1/agents/van").await.body;
    assert_eq!(at_hall["set_aside_nodes"], 3);
    let estimates = client.get("/v1/agents/van/estimates").await.body["estimates"].clone();
    let aside = estimates.as_array().unwrap().iter().filter(|node| node["set_aside"] == true);
    assert_eq!(aside.count(), 3);
    assert_eq!(client.ask("van").await["path"], json!([]));
    // In the ring, the part without the hall is a trap only if its road back is closed, too.
    client.done("/v1/agents/van/moved", json!({"sequence": 5, "at": "yard"})).await;
    assert_eq!(client.get("/v1/agents/van").await.body["set_aside_nodes"], 1);
    let history = client.get("/v1/agents/van/history").await.body;
    assert_eq!(history["records"][1]["directions"], "both");
    assert_eq!(history["records"][1]["edge"], json!([3, 1]));
    assert!(history["records"][0].get("directions").is_none());
    check(&openapi(), "History", &history);
}

/// Stays where it is, and needs every node.
struct Homebody;

impl Agent for Homebody {
    fn next_leg(
        &mut self,
        _now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        *leg = Leg { path: vec![], stay: 2 };
        Ok(())
    }
}

static HOMEBODY: AgentEntry = AgentEntry {
    name: "homebody",
    summary: "Homebody: stays, and needs every node",
    about: "Homebody: stays, and needs every node",
    origin: Origin::Frontier,
    standing: Standing::Other,
    look: None,
    parameters: &[],
    program: "",
    noise_scale: |_values| None,
    build: |_values, _graph| Ok(Box::new(Homebody)),
};

/// A closure that the agent cannot handle is refused, and neither direction is closed. Agents that do not need all
/// nodes accept it.
#[tokio::test]
async fn a_road_closes_in_both_directions_or_in_neither() {
    AgentSpec::register(&HOMEBODY).unwrap();
    let client = Client::fresh();
    for agent in ["homebody", "g-star", "g-ucb", "ucrl2", "local-ts", "ql-eps", "ql-ucb-h"] {
        let street =
            json!({"nodes": 3, "roads": [[0, 1, 1], [1, 0], [1, 2, 1], [2, 1], [2, 0, 3]]});
        let request = json!({"id": agent, "agent": agent, "graph": street, "init": "none"});
        client.done("/v1/agents", request).await;
        let before = client.ask(agent).await;
        let path = format!("/v1/agents/{agent}/blocked");
        let body = json!({"sequence": 0, "edge": [1, 2], "directions": "both"});
        if agent == "homebody" {
            let detail = refused(&client, &path, body).await;
            assert!(
                detail.contains("without the road from node 1 to node 2 the graph falls apart"),
                "{detail}"
            );
            assert_eq!(client.ask(agent).await, before);
            let shown = client.get(&format!("/v1/agents/{agent}")).await.body;
            assert_eq!((&shown["blocked"], &shown["sequence"]), (&json!([]), &json!(0)));
        } else {
            client.done(&path, body).await;
            let shown = client.get(&format!("/v1/agents/{agent}")).await.body;
            assert_eq!(shown["blocked"], json!([[1, 2], [2, 1]]), "{agent}");
            assert_eq!(shown["set_aside_nodes"], 1, "{agent}");
        }
    }
}

/// The expected time of a road is the mean of its reported times and the map's time.
#[tokio::test]
async fn reported_times_are_learned() {
    let client = Client::fresh();
    client.done("/v1/agents", request("g-star")).await;
    let tell = "/v1/agents/van/tell";
    client.done(tell, json!({"sequence": 0, "reward": 0.5, "took": 1.5})).await;
    client.done(tell, json!({"sequence": 1, "reward": 0.5, "at": "yard", "took": 6.5})).await;
    let shown = client.get("/v1/agents/van").await.body;
    assert_eq!(shown["time"], 8.0, "{shown}");
    client.done("/v1/agents/van/moved", json!({"sequence": 2, "at": "hall"})).await;
    let order = client.ask("van").await;
    assert_eq!(order["path"][0]["name"], "yard");
    // The map says 2.5 beyond the visit, the drive took 5.5.
    assert_eq!(order["times"][0], 1.0 + f64::midpoint(2.5, 5.5));
    let map = client.get("/v1/agents/van/map?learned=true").await.body;
    check(&openapi(), "Map", &map);
    assert_eq!(map["learned"], json!([{"from": 0, "to": 1, "time": 4.0, "told": 1}]));
    // The map is unchanged.
    assert_eq!(client.get("/v1/agents/van/map").await.body["roads"][0], json!([0, 1, 2.5]));

    // On a graph without times, a road may be learned to take time.
    client.done("/v1/agents", json!({"id": "a", "graph": "line:3"})).await;
    client.done("/v1/agents/a/tell", json!({"sequence": 0, "reward": 0.5, "took": 1})).await;
    assert!(client.ask("a").await.get("times").is_none());
    client.done("/v1/agents/a/tell", json!({"sequence": 1, "reward": 0.5, "took": 4})).await;
    client.done("/v1/agents/a/moved", json!({"sequence": 2, "at": 0})).await;
    let order = client.ask("a").await;
    assert_eq!(order["times"], json!([2.5, 1.0]));
    // Its edges still lead both ways.
    client.done("/v1/agents/a/blocked", json!({"sequence": 3, "edge": [1, 0]})).await;
    assert_eq!(client.get("/v1/agents/a").await.body["blocked"], json!([[0, 1]]));
}

/// Files are read into roads, with the options of the command line.
#[tokio::test]
async fn maps_are_read_with_directions_and_times() {
    let client = Client::fresh();
    let file = "source,target,time\nhall,yard,60\nyard,hall,15\nyard,roof,30\nroof,hall,0\nroof,cellar,9\n";
    let read = |query: &'static str| client.raw(query, "text/csv", file);
    let roads = "/v1/maps?directed=true&times=time&visit_time=30&largest_component=true";
    let map = read(roads).await.body;
    check(&openapi(), "ReadMap", &map);
    let graph = json!({
        "nodes": 3, "names": ["hall", "yard", "roof"], "visit_time": 30.0,
        "roads": [[0, 1, 2.0], [1, 0, 0.5], [1, 2, 1.0], [2, 0, 0.0]],
    });
    assert_eq!(map["graph"], graph);
    client.done("/v1/agents", json!({"id": "a", "graph": map["graph"]})).await;
    assert_eq!(client.get("/v1/agents/a/map").await.body, graph);
    // Without road options all is as before, and notes name what was left out.
    let plain = read("/v1/maps").await.body;
    assert_eq!(plain["graph"]["edges"], json!([[0, 1], [0, 2], [1, 2], [2, 3]]));
    assert!(plain["notes"].to_string().contains("times=FIELD"), "{plain}");
    for (query, status, said) in [
        ("/v1/maps?directed=true", 422, "largest_component=true"),
        ("/v1/maps?times=tiem&largest_component=true", 422, "(times=FIELD)"),
        ("/v1/maps?times=time&visit_time=0&largest_component=true", 422, "(visit_time=SECONDS)"),
        ("/v1/maps?visit_time=soon", 400, "visit_time"),
    ] {
        let answer = read(query).await;
        assert_eq!(answer.status, status, "{}", answer.body);
        assert!(answer.body["detail"].to_string().contains(said), "{}", answer.body);
    }
}

/// A service that is killed and started again goes on with the same closed roads, to the bit.
#[tokio::test]
async fn a_new_process_goes_on_with_closed_roads() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let twin = Client::fresh();
    for client in [&Client::on(Arc::clone(&store)), &twin] {
        client.done("/v1/agents", request("g-ts")).await;
    }
    let closures = [
        ("blocked", json!(["yard", "gate"]), "one"),
        ("blocked", json!(["hall", "yard"]), "both"),
        ("opened", json!(["yard", "gate"]), "both"),
        ("opened", json!(["hall", "yard"]), "one"),
    ];
    for (round, (what, edge, directions)) in closures.iter().cycle().take(48).enumerate() {
        let rate = (*what == "blocked" && round % 3 == 0).then_some(0.4);
        // A new process for every round.
        let process = Client::on(Arc::clone(&store));
        let order = process.ask("van").await;
        assert_eq!(order, twin.ask("van").await, "{round}");
        let mut body =
            json!({"sequence": order["sequence"], "edge": edge, "directions": directions});
        if let Some(rate) = rate {
            body["reopening_rate"] = json!(rate);
        }
        for client in [&process, &twin] {
            client.done(&format!("/v1/agents/van/{what}"), body.clone()).await;
        }
        let process = Client::on(Arc::clone(&store));
        assert_eq!(play(&process, "van", 7).await, play(&twin, "van", 7).await);
        let sequence = process.ask("van").await["sequence"].clone();
        let told = json!({"sequence": sequence, "reward": 0.5, "took": 1.0 + round as f64 / 7.0});
        for client in [&process, &twin] {
            client.done("/v1/agents/van/tell", told.clone()).await;
        }
        let both = [&process, &twin].map(|client| client.get("/v1/agents/van/map?blocked=true"));
        let [here, there] = both;
        assert_eq!(here.await.body, there.await.body);
    }
    let key = store.find("van").await.unwrap().unwrap().key();
    assert!(store.snapshot(&key).await.unwrap().is_some_and(|snapshot| snapshot.sequence >= 256));
}

/// From the hall to the yard directly or around by the gate: the reopening rate of the closed road decides.
#[tokio::test]
async fn a_robot_waits_for_a_road_that_is_expected_to_reopen() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let client = Client::on(Arc::clone(&store));
    let roads = json!([[0, 1, 0], [1, 0, 0], [0, 2, 2], [2, 1, 2], [1, 2, 0]]);
    let graph = json!({"nodes": 3, "names": ["hall", "yard", "gate"], "roads": roads});
    let request = json!({"id": "van", "agent": "direct-sp", "graph": graph, "init": "none"});
    client.done("/v1/agents", request).await;
    let visits = json!([
        {"at": "hall", "reward": 0.1}, {"at": "yard", "reward": 9}, {"at": "gate", "reward": 0.1}
    ]);
    client.done("/v1/agents/van/tell", json!({"sequence": 0, "visits": visits})).await;
    client.done("/v1/agents/van/moved", json!({"sequence": 1, "at": "hall"})).await;
    assert_eq!(client.ask("van").await["path"][0]["name"], "yard");
    // The detour takes 6; waiting 1 / 0.25 and one step take 5, waiting 1 / 0.15 and one step take 7.7.
    let road = json!(["hall", "yard"]);
    let blocked = |sequence: u64, rate: f64| json!({"sequence": sequence, "edge": road, "reopening_rate": rate});
    client.done("/v1/agents/van/blocked", blocked(2, 0.15)).await;
    assert_eq!(client.ask("van").await["path"][0]["name"], "gate");
    client.done("/v1/agents/van/opened", json!({"sequence": 3, "edge": road})).await;
    client.done("/v1/agents/van/blocked", blocked(4, 0.25)).await;
    let waits = client.ask("van").await;
    assert_eq!((&waits["path"], &waits["stay"]), (&json!([]), &json!(1)));
    let shown = client.get("/v1/agents/van").await.body;
    assert_eq!(shown["blocked"], json!([[0, 1]]));
    assert_eq!(shown["reopening"], json!([{"edge": [0, 1], "rate": 0.25}]));
    assert_eq!(shown["set_aside_nodes"], 0);
    // Still closed for a new process, and after every visit.
    for sequence in 5..9 {
        let client = Client::on(Arc::clone(&store));
        client.done("/v1/agents/van/tell", json!({"sequence": sequence, "reward": 0.1})).await;
        assert_eq!(client.ask("van").await["path"], json!([]));
    }
    let client = Client::on(store);
    let history = client.get("/v1/agents/van/history?from=2&limit=3").await.body;
    assert_eq!(history["records"][0]["reopening_rate"], 0.15);
    assert_eq!(history["records"][2]["reopening_rate"], 0.25);
    client.done("/v1/agents/van/opened", json!({"sequence": 9, "edge": road})).await;
    assert_eq!(client.ask("van").await["path"][0]["name"], "yard");
    let shown = client.get("/v1/agents/van").await.body;
    assert!(shown.get("reopening").is_none(), "{shown}");
    for (rate, said) in [
        (json!(-1), "0 (closed for good)"),
        (json!(1e-9), "or leave it out"),
        (json!(2000), "to 1000"),
    ] {
        let body = json!({"sequence": 10, "edge": road, "reopening_rate": rate});
        let refused = client.post("/v1/agents/van/blocked", body).await;
        assert_eq!(refused.status, 422, "{}", refused.body);
        assert!(refused.body["detail"].as_str().unwrap().contains(said), "{}", refused.body);
    }
    // A road that is closed for good works as before.
    client.done("/v1/agents/van/blocked", blocked(10, 0.0)).await;
    let history = client.get("/v1/agents/van/history?from=10").await.body;
    assert!(history["records"][0].get("reopening_rate").is_none(), "{history}");
    assert_eq!(client.ask("van").await["path"][0]["name"], "gate");
}
