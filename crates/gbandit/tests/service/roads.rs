//! Agents on roads: a service that is killed in between, and drones that report how long their
//! steps took.

use crate::process::{Server, directory, gbandit};
use crate::robot::{Whereabouts, request};
use graph_bandit::random::label;
use graph_bandit::{Graph, Road, Seed, Travel};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;

/// A one-way ring of six with a street across it; `time` is the extra time beyond the visit.
const TOWN: &str =
    "source,target,time\n0,1,0.5\n1,2,0\n2,3,2\n3,4,0.25\n4,5,0\n5,0,1\n1,4,3\n4,1,0.75\n";

fn done(server: &Server, path: &str, body: &Value) -> Value {
    let (status, answer) = request(&Whereabouts::at(&server.url), path, Some(body));
    assert!(status < 300, "{path}: {status} {answer}");
    answer
}

fn seen(server: &Server, path: &str) -> Value {
    request(&Whereabouts::at(&server.url), path, None).1
}

/// Closures and reported times survive kill -9, to the bit: the twin never died.
#[test]
fn closed_roads_and_reported_times_outlive_the_process() {
    let directory = directory("roads-kills");
    let log = directory.join("log");
    let store = format!("sqlite://{}", directory.join("fleet.db").display());
    let twin = Server::start("memory:", &log, &[]);
    let mut server = Server::start(&store, &log, &[]);
    let roads =
        TOWN.lines().skip(1).map(|line| serde_json::from_str(&format!("[{line}]")).unwrap());
    let roads: Vec<Value> = roads.collect();
    let new_agent =
        json!({"id": "van", "seed": 2, "agent": "g-star", "graph": {"nodes": 6, "roads": roads}});
    for server in [&server, &twin] {
        done(server, "/v1/agents", &new_agent);
    }
    let closures = [
        ("blocked", json!([1, 4]), "one"),
        ("blocked", json!([2, 3]), "one"),
        ("opened", json!([4, 1]), "both"),
        ("opened", json!([2, 3]), "both"),
    ];
    for round in 0..12_usize {
        let (what, edge, directions) = &closures[round % 4];
        for _ in 0..9 {
            let order = done(&server, "/v1/agents/van/ask", &json!({}));
            assert_eq!(order, done(&twin, "/v1/agents/van/ask", &json!({})), "{round}");
            let steps = order["path"].as_array().unwrap().len().max(1);
            let took: Vec<f64> = (0..steps).map(|step| 1.0 + (round + step) as f64 / 8.0).collect();
            let rewards = vec![0.5; steps];
            let body = json!({"sequence": order["sequence"], "rewards": rewards, "took": took});
            for server in [&server, &twin] {
                done(server, "/v1/agents/van/tell", &body);
            }
        }
        let sequence = seen(&server, "/v1/agents/van")["sequence"].clone();
        let body = json!({"sequence": sequence, "edge": edge, "directions": directions});
        for server in [&server, &twin] {
            done(server, &format!("/v1/agents/van/{what}"), &body);
        }
        server.kill();
        server = Server::start(&store, &log, &[]);
        for path in ["", "/map?blocked=true", "/estimates", "/history?limit=1000"] {
            let path = format!("/v1/agents/van{path}");
            let mut both = [&server, &twin].map(|server| seen(server, &path));
            for answer in &mut both {
                // Stores number their agents.
                answer.as_object_mut().unwrap().remove("number");
            }
            assert_eq!(both[0], both[1], "{path}");
        }
    }
}

#[test]
fn drones_on_roads_report_how_long_their_steps_took() {
    let directory = directory("roads-drones");
    let server = Server::start("memory:", &directory.join("log"), &[]);
    let map = directory.join("town.csv");
    fs::write(&map, TOWN).unwrap();
    let fly = |more: &[&str]| {
        let mut command = gbandit();
        command.args([
            "drone",
            "--server",
            &server.url,
            "--directed",
            "--times",
            "time",
            "--visit-time",
            "2",
        ]);
        let output = command.arg("--graph").arg(&map).args(more).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let flown: Value = serde_json::from_str(&fly(&["--reports", "40", "--json"])).unwrap();
    // Times in the file are seconds, and a visit takes two.
    let shown = seen(&server, "/v1/agents/drone-0");
    assert_eq!((&shown["roads"], &shown["visits"]), (&json!(8), &flown["rewards"]));
    assert_eq!(shown["time"], flown["time"]);
    assert!(flown["time"].as_f64() > flown["rewards"].as_f64(), "{flown}");
    let graph = seen(&server, "/v1/agents/drone-0/map");
    assert_eq!((&graph["roads"][0], &graph["visit_time"]), (&json!([0, 1, 0.25]), &json!(2.0)));
    let history = seen(&server, "/v1/agents/drone-0/history?limit=1000");
    let records = history["records"].as_array().unwrap();
    let runs = records.iter().flat_map(|record| record["visits"].as_array().unwrap());
    let (mut at, mut steps) = (0, 0);
    for run in runs {
        let node = run["node"].as_u64().unwrap();
        let road = graph["roads"].as_array().unwrap().iter();
        let mut road = road.filter(|road| (&road[0], &road[1]) == (&json!(at), &json!(node)));
        let beyond = road.next().map_or(0.0, |road| road[2].as_f64().unwrap());
        let took: Vec<f64> =
            run["took"].as_array().unwrap().iter().map(|t| t.as_f64().unwrap()).collect();
        assert_eq!(took[0], 1.0 + beyond, "{run}");
        assert!(took[1..].iter().all(|&took| took == 1.0), "{run}");
        steps += usize::from(node != at);
        at = node;
    }
    assert!(steps > 5, "{steps}");
    assert!(fly(&["--reports", "5"]).contains("per unit of time"));
}

/// Every drive of two flights is the run's next one along its road: noisy, and reported unchanged.
#[test]
fn drones_drive_noisy_times_and_report_them() {
    let directory = directory("noisy-drones");
    let server = Server::start("memory:", &directory.join("log"), &[]);
    let map = directory.join("town.csv");
    fs::write(&map, TOWN).unwrap();
    for _ in 0..2 {
        let mut command = gbandit();
        command.args(["drone", "--server", &server.url, "--directed", "--times", "time"]);
        command.args(["--travel-noise", "0.5", "--seed", "3", "--reports", "30"]);
        let output = command.arg("--graph").arg(&map).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let graph = seen(&server, "/v1/agents/drone-0/map");
    let roads = graph["roads"].as_array().unwrap().iter().map(|road| Road {
        from: road[0].as_u64().unwrap() as u32,
        to: road[1].as_u64().unwrap() as u32,
        time: road[2].as_f64().unwrap(),
    });
    let graph = Graph::from_roads(graph["nodes"].as_u64().unwrap() as usize, roads).unwrap();
    let (travel, run) = (Travel::noisy(0.5).unwrap(), Seed(3).child(label::RUNS).child(0));
    let history = seen(&server, "/v1/agents/drone-0/history?limit=1000");
    let mut made: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    let mut at = 0;
    for record in history["records"].as_array().unwrap() {
        for visits in record["visits"].as_array().unwrap() {
            let node = visits["node"].as_u64().unwrap() as u32;
            if node != at {
                let k = made.entry((at, node)).or_default();
                let beyond = travel.drive(&graph, run, (at, node), *k);
                let told = visits["took"][0].as_f64().unwrap();
                assert!((told - 1.0 - beyond).abs() < 1e-9, "{at} {node} {k}: {told} {beyond}");
                *k += 1;
            }
            at = node;
        }
    }
    assert!(made.values().any(|&k| k > 2), "{made:?}");
    let refused = gbandit().args(["drone", "--travel-noise", "-1"]).output().unwrap();
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("--travel-noise") && said.contains("from 0 to 10"), "{said}");
}
