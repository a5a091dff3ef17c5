//! kill -9 over teams: several robots of one team report at the same time, to one process or to two
//! that share a database, while processes die. No acknowledged reward is lost or doubled, and a
//! service that was never interrupted, told the same in the same order, gives the same orders.

use crate::process::{Server, directory, gbandit};
use crate::robot::{Whereabouts, answered};
use serde_json::{Value, json};
use std::sync::mpsc;

const ROBOTS: [&str; 4] = ["anna", "bert", "cleo", "dora"];
/// How many reports each robot makes.
const REPORTS: u64 = 60;
/// How often a process dies while all robots work, and before, while an order changes.
const KILLS: u64 = 3;
const KILLS_OF_ORDER: u64 = 3;
const QUIET: [&str; 2] = ["--log", "warn"];

fn post(place: &Whereabouts, path: &str, body: &Value) -> (u16, Value) {
    answered(place, &format!("/v1/agents/team{path}"), Some(body))
}

fn done(place: &Whereabouts, path: &str, body: &Value) -> Value {
    let (status, answer) = post(place, path, body);
    assert_eq!(status, 200, "{path} {body}: {answer}");
    answer
}

fn get(place: &Whereabouts, path: &str) -> Value {
    let (status, answer) = answered(place, &format!("/v1/agents/team{path}"), None);
    assert_eq!(status, 200, "{path}: {answer}");
    answer
}

fn create(place: &Whereabouts, agent: &str) {
    let team = json!({"id": "team", "agent": agent, "graph": "grid:4x4", "seed": 17, "share": "capacity:2",
        "walkers": [{"name": "anna"}, {"name": "bert", "start": 15},
            {"name": "cleo", "start": 5, "nodes": [4, 5, 6, 7]}]});
    let (status, answer) = answered(place, "/v1/agents", Some(&team));
    assert!(status == 201 || status == 200, "{answer}");
}

/// While bert walks, a dispatcher blocks the edge that he takes: the order that he reports is not his order any more.
/// Processes die in between. Returns his visits.
fn an_order_changes(place: &Whereabouts, mut restart: impl FnMut()) -> Vec<(u64, f64)> {
    let ask = || done(place, "/ask?walker=bert", &json!({}));
    let tell = |order: &Value, (at, reward): (u64, f64)| {
        let body = json!({"walker": "bert", "sequence": order["sequence"], "number": order["number"],
            "seal": order["seal"], "visits": [{"at": at, "reward": reward}]});
        post(place, "/tell", &body)
    };
    let (start, reward) = (15, 0.25);
    assert_eq!(tell(&ask(), (start, reward)).0, 200);
    let before = ask();
    let next = before["path"][0]["node"].as_u64().expect("the order leads to another node");
    let edge = json!([start, next]);
    let blocked = done(place, "/blocked", &json!({"sequence": 0, "edge": edge}));
    assert_eq!(blocked["replanned"], true, "{blocked}");
    restart();
    let (status, refused) = tell(&before, (next, 2.0 * reward));
    let number = before["sequence"].as_u64().unwrap();
    assert_eq!((status, &refused["type"]), (409, &json!("urn:graph-bandit:sequence")), "{refused}");
    assert_eq!(refused["next_sequence"], number + 1, "{refused}");
    let said = format!(
        "order {number} has changed, because an edge was blocked or opened, so this report was not counted. \
         Nothing is lost: ask again, then report the same visits as {}; name the node of each, with `at` or `visits`",
        number + 1
    );
    assert_eq!(refused["detail"], said);
    restart();
    // What he did counts as soon as he reports it on the order that he has now.
    let after = ask();
    assert_eq!(after["sequence"], number + 1, "{after}");
    assert_ne!(after["path"][0]["node"], next, "{after}");
    assert_eq!(tell(&after, (next, 2.0 * reward)).0, 200);
    let opened = json!({"sequence": blocked["next_sequence"], "edge": edge});
    let receipt = done(place, "/opened", &opened);
    restart();
    assert_eq!(done(place, "/opened", &opened), receipt, "a repeat");
    vec![(start, reward), (next, 2.0 * reward)]
}

/// One robot: whole legs, single visits, detours, failures, edges that are blocked and opened. Dora joins, and leaves at
/// the end. Returns the visits that were acknowledged.
fn work(place: &Whereabouts, name: &str, acknowledged: &dyn Fn()) -> Vec<(u64, f64)> {
    if name == "dora" {
        // However often she has to say so, she joins once.
        assert_eq!(done(place, "/joined", &json!({"name": "dora", "start": 3}))["walker"], 3);
    }
    let salt: u64 = name.bytes().map(u64::from).sum();
    let (mut visits, mut paid) = (Vec::new(), 0);
    let mut blocked: Vec<Value> = Vec::new();
    let mut reward = || {
        paid += 1;
        // Different between all visits of all robots, so that each can be found again.
        (salt * 1_000 + paid) as f64 / 1_000_000.0
    };
    for report in 0..REPORTS {
        // An order may change when another robot finds an edge blocked; then ask again.
        let mut said: Option<Vec<(u64, f64)>> = None;
        loop {
            let order = done(place, &format!("/ask?walker={name}"), &json!({}));
            let node = |it: &Value| it["node"].as_u64().unwrap();
            let at = node(&order["at"]);
            let path: Vec<u64> = order["path"].as_array().unwrap().iter().map(node).collect();
            let end = path.last().copied().unwrap_or(at);
            let stay = order["stay"].as_u64().unwrap().min(4) as usize;
            let leg: Vec<u64> =
                path.iter().copied().chain(std::iter::repeat_n(end, stay)).collect();
            let mut body = json!({"walker": name, "sequence": order["sequence"],
                "number": order["number"], "seal": order["seal"]});
            let kind = report % 8;
            let what = match kind {
                3 => "/failed",
                5 if name == "anna" && !path.is_empty() => {
                    body["edge"] = json!([at, path[0]]);
                    "/blocked"
                }
                // Some of her edges stay blocked.
                7 if blocked.len() > 1 => {
                    body["edge"] = blocked[0].clone();
                    "/opened"
                }
                _ => {
                    let visits = said.get_or_insert_with(|| {
                        let made = if kind == 6 { &leg[..1] } else { &leg[..] };
                        made.iter().map(|&node| (node, reward())).collect()
                    });
                    let told = visits.iter().map(|(at, paid)| json!({"at": at, "reward": paid}));
                    body["visits"] = told.collect();
                    "/tell"
                }
            };
            let (status, answer) = post(place, what, &body);
            match status {
                200 => {
                    match what {
                        "/blocked" => blocked.push(body["edge"].take()),
                        "/opened" => drop(blocked.remove(0)),
                        _ => {}
                    }
                    break;
                }
                // Nothing was counted, and what it did will be told with the next number.
                409 => assert_eq!(answer["type"], "urn:graph-bandit:sequence", "{answer}"),
                // Somebody else was faster.
                422 if what == "/blocked" => break,
                _ => panic!("{what} {body}: {status} {answer}"),
            }
        }
        visits.extend(said.unwrap_or_default());
        acknowledged();
    }
    if name == "dora" {
        // However often she has to say so, she leaves once.
        let left = json!({"walker": name, "reason": "flat battery"});
        assert_eq!(done(place, "/left", &left)["walker"], 3);
    }
    visits
}

/// All robots work at once, while `restart` kills a process again and again. Returns their visits, and how often it did.
fn all_work(
    (place, agent): (&Whereabouts, &str),
    mut restart: impl FnMut(),
) -> (Vec<Vec<(u64, f64)>>, u64) {
    create(place, agent);
    let mut kills = 0;
    let mut kill = || {
        restart();
        kills += 1;
    };
    let of_bert = an_order_changes(place, &mut kill);
    let every = REPORTS * ROBOTS.len() as u64 / (KILLS + 1);
    let mut diaries = std::thread::scope(|scope| {
        let (receipt, receipts) = mpsc::channel();
        let robot = |name: &'static str| {
            let receipt = receipt.clone();
            scope.spawn(move || work(place, name, &|| receipt.send(()).unwrap()))
        };
        let working: Vec<_> = ROBOTS.iter().map(|&name| robot(name)).collect();
        drop(receipt);
        for (count, ()) in (1..).zip(receipts) {
            if count % every == 0 && count / every <= KILLS {
                kill();
            }
        }
        working.into_iter().map(|robot| robot.join().unwrap()).collect::<Vec<Vec<(u64, f64)>>>()
    });
    diaries[1].splice(..0, of_bert);
    (diaries, kills)
}

fn history(place: &Whereabouts) -> Vec<Value> {
    let (mut records, mut next) = (Vec::new(), Some(0));
    while let Some(from) = next {
        let page = get(place, &format!("/history?from={from}&limit=100"));
        records.extend(page["records"].as_array().unwrap().iter().cloned());
        next = page["next"].as_u64();
    }
    records
}

/// Tells a service what a record says.
fn tell_again(place: &Whereabouts, record: &Value) -> Value {
    let mut body = json!({"sequence": record["receipt"]["sequence"]});
    if let Some(walker) = record.get("reporter") {
        body["walker"] = walker.clone();
    }
    let what = match record["kind"].as_str().unwrap() {
        "told" => {
            let runs = record["visits"].as_array().unwrap().iter();
            let visits = runs.flat_map(|run| {
                let rewards = run["rewards"].as_array().unwrap().iter();
                rewards.map(|reward| json!({"at": run["node"], "reward": reward}))
            });
            body["visits"] = visits.collect();
            "/tell"
        }
        "leg-failed" => {
            body["at"] = record["at"].clone();
            "/failed"
        }
        "edge-blocked" => {
            (body["edge"], body["at"]) = (record["edge"].clone(), record["at"].clone());
            "/blocked"
        }
        "edge-opened" => {
            body["edge"] = record["edge"].clone();
            "/opened"
        }
        "joined" => {
            body = record["walker"].clone();
            "/joined"
        }
        "left" => {
            body = json!({"walker": record["walker"], "reason": record["reason"]});
            "/left"
        }
        other => panic!("{other}"),
    };
    done(place, what, &body)
}

/// What robots remember is in the history, once each; and a twin that was never interrupted, told the same in the same
/// order, has the same receipts, plans, orders and estimates.
fn same_as_twin(
    (place, agent): (&Whereabouts, &str),
    diaries: &[Vec<(u64, f64)>],
    log: &std::path::Path,
) -> String {
    let records = history(place);
    for kind in ["told", "leg-failed", "edge-blocked", "edge-opened", "joined", "left"] {
        assert!(records.iter().any(|record| record["kind"] == kind), "no record is {kind}");
    }
    for (walker, diary) in diaries.iter().enumerate() {
        let own = records.iter().filter(|record| record["reporter"] == walker as u64);
        let runs = own.flat_map(|record| record["visits"].as_array().into_iter().flatten());
        let there: Vec<(u64, f64)> = runs
            .flat_map(|run| {
                let rewards = run["rewards"].as_array().unwrap().iter();
                rewards.map(|reward| (run["node"].as_u64().unwrap(), reward.as_f64().unwrap()))
            })
            .collect();
        assert_eq!(&there, diary, "walker {walker}");
    }
    let server = Server::start("memory:", log, &QUIET);
    let twin = Whereabouts::at(&server.url);
    create(&twin, agent);
    for record in &records {
        assert_eq!(tell_again(&twin, record), record["receipt"], "{record}");
    }
    let plans = |records: &[Value]| -> Vec<Value> {
        records.iter().map(|record| record["plans"].clone()).collect()
    };
    assert_eq!(plans(&history(&twin)), plans(&records));
    // Dora has left.
    for name in &ROBOTS[..3] {
        let order = |place: &Whereabouts| {
            let mut order = done(place, &format!("/ask?walker={name}"), &json!({}));
            // These say which log it is.
            order.as_object_mut().unwrap().retain(|key, _| key != "number" && key != "seal");
            order
        };
        assert_eq!(order(place), order(&twin), "{name}");
    }
    for place in [place, &twin] {
        let (status, listed) = answered(place, "/v1/agents", None);
        let listed = &listed["agents"][0];
        assert_eq!((status, &listed["walkers"]), (200, &json!(3)), "{listed}");
        assert_eq!(listed["sequence"], records.len() as u64, "{listed}");
        let (status, answer) = post(place, "/ask?walker=dora", &json!({}));
        assert_eq!(status, 422, "{answer}");
        assert!(answer["detail"].as_str().unwrap().contains("has left the team"), "{answer}");
    }
    assert_eq!(get(place, "/estimates"), get(&twin, "/estimates"));
    let found = |place: &Whereabouts| get(place, "/rewards")["changes"].take();
    assert_eq!(found(place), found(&twin));
    // To g-drift, the rewards of different robots are changes.
    assert_eq!(found(place).is_array(), agent != "g-star");
    let rewards: usize = diaries.iter().map(Vec::len).sum();
    assert_eq!(get(place, "")["visits"], rewards as u64);
    format!("{} records of {rewards} rewards", records.len())
}

#[test]
fn a_killed_team_loses_nothing_and_continues_as_its_twin() {
    kill_again_and_again("g-star", "team-kills");
}

/// What the team has learned about changes comes back with its log.
#[test]
fn also_a_team_that_follows_changes() {
    kill_again_and_again("g-drift:noise-scale=0.001", "team-kills-drift");
}

fn kill_again_and_again(agent: &str, name: &str) {
    let directory = directory(name);
    let log = directory.join("log");
    let file = directory.join("fleet.db");
    let store = format!("sqlite://{}", file.display());
    let mut server = Some(Server::start(&store, &log, &QUIET));
    let place = Whereabouts::at(&server.as_ref().unwrap().url);
    let (diaries, kills) = all_work((&place, agent), || {
        server.take().unwrap().kill();
        let next = Server::start(&store, &log, &QUIET);
        place.moved_to(&next.url);
        server = Some(next);
    });
    assert_eq!(kills, KILLS + KILLS_OF_ORDER);
    // Once more: only what is on disk counts.
    server.take().unwrap().kill();
    let last = Server::start(&store, &log, &QUIET);
    place.moved_to(&last.url);
    let counted = same_as_twin((&place, agent), &diaries, &log);
    println!("{kills} kills: {counted}, none lost or doubled");

    // Upkeep knows teams, too.
    last.kill();
    let copy = directory.join("copy.db");
    for arguments in [
        vec!["store", "verify", &store],
        vec!["store", "stats", &store],
        vec!["store", "backup", &store, copy.to_str().unwrap()],
    ] {
        let output = gbandit().args(&arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments:?}: {said}");
    }
    let again = Server::start(&format!("sqlite://{}", copy.display()), &log, &QUIET);
    same_as_twin((&Whereabouts::at(&again.url), agent), &diaries, &log);
}

/// Robots talk to both processes in turn, and each process dies.
#[cfg(target_os = "linux")]
#[test]
fn two_processes_lead_one_team() {
    let log = directory("team-two-processes").join("log");
    let database = graph_bandit_testing::Postgres::start();
    let start = || Server::start(&database.url(), &log, &QUIET);
    let mut servers = [Some(start()), Some(start())];
    let urls: Vec<String> = servers.iter().flatten().map(|server| server.url.clone()).collect();
    let place = Whereabouts::at_all(&[urls[0].as_str(), urls[1].as_str()]);
    let mut process = 0;
    let (diaries, kills) = all_work((&place, "g-star"), || {
        servers[process].take().unwrap().kill();
        let next = start();
        place.one_moved_to(process, &next.url);
        servers[process] = Some(next);
        process = 1 - process;
    });
    assert_eq!(kills, KILLS + KILLS_OF_ORDER);
    let counted = same_as_twin((&place, "g-star"), &diaries, &log);
    println!("{kills} kills of two processes: {counted}, none lost or doubled");
}
