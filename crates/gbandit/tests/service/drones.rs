//! Simulated drones against a service.

use crate::process::{Server, directory, gbandit};
use crate::robot::{Whereabouts, request};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

fn drones(server: &Server, more: &[&str]) -> Value {
    let output = gbandit()
        .args(["drone", "--json", "--server", &server.url, "--graph", "grid:3x3"])
        .args(more)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// In two flights or in one, a drone meets the same rewards and gets the same orders.
#[test]
fn a_drone_continues_where_it_landed() {
    let log = directory("drones").join("log");
    let (parted, whole) =
        (Server::start("memory:", &log, &[]), Server::start("memory:", &log, &[]));
    let fly = |server, reports| drones(server, &["--drones", "3", "--reports", reports]);
    let first = fly(&parted, "25");
    assert_eq!((&first["reports"], &first["drones"]), (&75.into(), &3.into()));
    fly(&parted, "15");
    let all = fly(&whole, "40");
    let best = all["best_mean"].as_f64().unwrap();
    let mean = all["mean_reward"].as_f64().unwrap();
    assert!(mean > 0.5 * best && mean < best + 0.5, "{all}");
    for drone in ["drone-0", "drone-1", "drone-2"] {
        for path in ["estimates", "history"] {
            let path = format!("/v1/agents/{drone}/{path}");
            let seen = [&parted, &whole].map(|s| request(&Whereabouts::at(&s.url), &path, None));
            assert_eq!(seen[0].0, 200);
            assert_eq!(seen[0], seen[1], "{path}");
        }
    }
}

/// Others show the agent every node: it decides from the first report on, and only what it had not
/// seen is shown to it.
#[test]
fn a_covered_graph_needs_no_initialization() {
    let log = directory("drone-covered").join("log");
    let server = Server::start("memory:", &log, &[]);
    let look = |path: &str| {
        let path = format!("/v1/agents/drone-0{path}");
        let (status, answer) = request(&Whereabouts::at(&server.url), &path, None);
        assert_eq!(status, 200, "{path}");
        answer
    };
    let flown = drones(&server, &["--covered", "--reports", "1"]);
    for times in ["ask_seconds", "tell_seconds"] {
        for key in ["median", "p99", "max"] {
            assert!(flown[times][key].as_f64().unwrap() > 0.0, "{flown}");
        }
    }
    let agent = look("");
    assert_eq!((&agent["observed"], &agent["phase"]), (&9.into(), &"learn".into()));
    // The tape goes on behind the rewards that were shown: no reward is paid twice.
    let again = drones(&server, &["--covered", "--reports", "12"]);
    assert!(again["next_order_seconds"]["median"].as_f64().unwrap() > 0.0, "{again}");
    assert_eq!(look("")["observed"], 9);
    let history = look("/history?limit=1000");
    let mut paid: Vec<String> = Vec::new();
    for record in history["records"].as_array().unwrap() {
        for runs in [&record["observations"], &record["visits"]] {
            for run in runs.as_array().into_iter().flatten() {
                let rewards = run["rewards"].as_array().unwrap().iter();
                paid.extend(rewards.map(|reward| format!("{} {reward}", run["node"])));
            }
        }
    }
    let all = paid.len();
    paid.sort();
    paid.dedup();
    assert_eq!((all as u64, paid.len()), (look("")["visits"].as_u64().unwrap(), all));
}

/// At a fixed rate a drone meets the same rewards, and not before they are due.
#[test]
fn a_rate_changes_only_the_time() {
    let log = directory("drone-rate").join("log");
    let (paced, eager) = (Server::start("memory:", &log, &[]), Server::start("memory:", &log, &[]));
    let trip = ["--drones", "3", "--reports", "20", "--tell", "reward"];
    let flown = drones(&paced, &[&trip[..], &["--rate", "300"]].concat());
    assert_eq!((&flown["rate"], &flown["reports"]), (&300.into(), &60.into()));
    assert!(flown["seconds"].as_f64().unwrap() >= 59.0 / 300.0, "{flown}");
    assert_eq!(drones(&eager, &trip)["rate"], Value::Null);
    for drone in ["drone-0", "drone-1", "drone-2"] {
        let path = format!("/v1/agents/{drone}/history");
        let seen = [&paced, &eager].map(|s| request(&Whereabouts::at(&s.url), &path, None));
        assert_eq!(seen[0], seen[1], "{path}");
    }
    let output = gbandit()
        .args(["drone", "--server", &paced.url, "--graph", "grid:3x3", "--rate", "1000000"])
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("the rate of 1,000,000 reports/s was not kept"), "{said}");
}

/// Drones that share a thread get the same orders; each uses one of the services.
#[test]
fn threads_and_services_are_shared() {
    let log = directory("drone-threads").join("log");
    let [apart, even, odd] = [(); 3].map(|()| Server::start("memory:", &log, &[]));
    let trip = ["--drones", "5", "--reports", "20", "--tell", "reward"];
    drones(&apart, &trip);
    drones(&even, &[&trip[..], &["--server", &odd.url, "--threads", "2"]].concat());
    for number in 0..5 {
        let path = format!("/v1/agents/drone-{number}/history");
        let [apart, even, odd] =
            [&apart, &even, &odd].map(|s| request(&Whereabouts::at(&s.url), &path, None));
        let (flown, other) = if number % 2 == 0 { (even, odd) } else { (odd, even) };
        assert_eq!((apart.0, other.0), (200, 404), "{path}");
        assert_eq!(apart, flown, "{path}");
    }
}

#[test]
fn mistakes_are_reported() {
    let log = directory("drone-errors").join("log");
    let server = Server::start("memory:", &log, &[]);
    for (arguments, said) in [
        (["--agent", "ucb"], "--agent: there is no agent"),
        (["--graph", "gird:3"], "--graph:"),
        (["--name", "a b"], "not a name for an agent"),
    ] {
        let output =
            gbandit().args(["drone", "--server", &server.url]).args(arguments).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains(said), "{error}");
    }
    let output = gbandit().args(["drone", "--server", "localhost:8080"]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("--server: \"localhost:8080\" is not an address"), "{error}");
}

/// Mistakes are reported first and at once: a drone does not wait for a service that never ran.
#[test]
fn a_missing_service_is_reported_at_once() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let server = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let output = gbandit().args(["drone", "--server", &server]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    let said = format!("no service answers at {server}; start one with `gbandit serve`");
    assert!(error.contains(&said), "{error}");
    // A hundred attempts would have been counted.
    assert!(!error.contains("attempts"), "{error}");
}

/// A scripted service, one connection per request; returns the requests.
fn scripted(answer: impl Fn(&str, usize) -> (u16, Value) + Send + 'static) -> (String, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let asked = Asked::default();
    let heard = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let mut head = String::new();
            while stream.read_line(&mut head).unwrap() > 2 {}
            let length = head.to_lowercase();
            let length = length.split("content-length: ").nth(1);
            let length = length.map_or(0, |length| length.lines().next().unwrap().parse().unwrap());
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            let path = head.split(' ').nth(1).unwrap().to_owned();
            let before = {
                let mut heard = heard.lock().unwrap();
                heard.push((path.clone(), serde_json::from_slice(&body).unwrap_or_default()));
                heard.iter().filter(|(other, _)| *other == path).count() - 1
            };
            let (status, body) = answer(&path, before);
            let (body, length) = (body.to_string(), body.to_string().len());
            let head = format!(
                "HTTP/1.1 {status} x\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
            );
            stream.get_mut().write_all(format!("{head}{body}").as_bytes()).unwrap();
        }
    });
    (url, asked)
}

/// Paths and bodies, in order.
type Asked = Arc<Mutex<Vec<(String, Value)>>>;

#[test]
fn after_a_conflict_a_drone_asks_again() {
    let (url, asked) = scripted(|path, before| match path {
        "/v1/agents/drone-0/ask" => {
            let order = json!({"sequence": 5 * before, "number": 1, "seal": "0c13d0a285591544",
                "at": {"node": 0}, "path": [], "stay": 5, "phase": "learn",
                "why": {"reason": "a stay", "visits": 0}});
            (200, order)
        }
        "/v1/agents/drone-0/tell" if before == 1 => (409, json!({"detail": "ask"})),
        "/v1/agents/drone-0/tell" => (200, json!({"next_sequence": 6 * before + 1})),
        path if path.contains("/estimates") => {
            (200, json!({"estimates": vec![json!({"visits": 0}); 9]}))
        }
        _ => (200, json!({})),
    });
    let flown = gbandit()
        .args(["drone", "--server", &url, "--graph", "grid:3x3", "--reports", "3"])
        .args(["--tell", "reward", "--json"])
        .output()
        .unwrap();
    assert!(flown.status.success(), "{}", String::from_utf8_lossy(&flown.stderr));
    let flown: Value = serde_json::from_slice(&flown.stdout).unwrap();
    assert_eq!((&flown["conflicts"], &flown["rewards"]), (&1.into(), &2.into()), "{flown}");
    let asked = asked.lock().unwrap();
    let of_agent = asked.iter().filter(|(path, _)| path.contains("/drone-0/"));
    let seen: Vec<_> = of_agent
        .map(|(path, body)| (path.rsplit('/').next().unwrap(), &body["sequence"]))
        .collect();
    let none = &Value::Null;
    assert_eq!(
        seen[1..],
        [
            ("ask", none),
            ("tell", &json!(0)),
            ("tell", &json!(1)),
            ("ask", none),
            ("tell", &json!(5))
        ]
    );
}

#[test]
fn refused_drones_learn_about_tokens() {
    let (url, _) = scripted(|path, _| match path {
        "/healthz" => (200, json!({})),
        _ => (401, json!({"detail": "a token is missing"})),
    });
    for (token, expected) in [
        (None, "GBANDIT_TOKEN to a token from `gbandit token`"),
        (Some("x"), "came from the environment variable GBANDIT_TOKEN"),
    ] {
        let mut command = gbandit();
        command.env_remove("GBANDIT_TOKEN").envs(token.map(|token| ("GBANDIT_TOKEN", token)));
        let output = command.args(["drone", "--server", &url]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && said.contains("answered 401: a token is missing; "),
            "{said}"
        );
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn a_token_needs_a_name() {
    for name in ["a b", "", "#a"] {
        let output = gbandit().args(["token", name]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{said}");
        assert!(said.contains("<NAME>") && !said.contains("--name"), "{said}");
        assert!(said.contains(&format!("{name:?} is not a name for a token")), "{said}");
    }
}
