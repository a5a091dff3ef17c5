//! How the service starts, stops, and whom it lets in.

use crate::process::{Server, directory, gbandit};
use crate::robot::{Robot, Whereabouts, request};
use serde_json::{Value, json};

#[test]
fn asked_to_stop_it_stops_well_and_its_log_is_json() {
    let directory = directory("stop");
    let log = directory.join("log");
    let store = format!("sqlite://{}", directory.join("fleet.db").display());
    let server = Server::start(&store, &log, &[]);
    let whereabouts = Whereabouts::at(&server.url);
    Robot::new("a", "g-star", &whereabouts).work(20, &|| {});
    assert!(server.terminate().success());
    let text = std::fs::read_to_string(&log).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let said =
        |message: &str| lines.iter().filter(|line| line["fields"]["message"] == message).count();
    assert_eq!((said("listening"), said("stopping"), said("stopped")), (1, 1, 1));
    assert!(said("request") >= 40, "{text}");
    // Nothing is left to recover: the write-ahead log went into the file.
    assert!(!directory.join("fleet.db-wal").exists());
    let server = Server::start(&store, &log, &[]);
    whereabouts.moved_to(&server.url);
    let (_, agent) = request(&whereabouts, "/v1/agents/a", None);
    assert_eq!(agent["sequence"], 20);
}

#[test]
fn other_machines_need_tokens() {
    let run = |args: &[&str]| {
        let output = gbandit().args(args).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, said) = run(&["serve", "--listen", "0.0.0.0:0", "--store", "memory:"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("--listen: 0.0.0.0:0 can be reached from other machines"), "{said}");
    let (code, said) = run(&["serve", "--listen", "127.0.0.1:0", "--store", "mysql://a:secret@b"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("--store:") && !said.contains("secret"), "{said}");

    let directory = directory("tokens");
    let made = gbandit().args(["token", "office", "--scope", "admin"]).output().unwrap();
    let token = String::from_utf8(made.stderr).unwrap();
    let token = token.trim().rsplit(' ').next().unwrap().to_owned();
    let file = directory.join("tokens");
    std::fs::write(&file, &made.stdout).unwrap();
    assert!(!String::from_utf8(made.stdout).unwrap().contains(&token));
    let log = directory.join("log");
    let server = Server::start("memory:", &log, &["--token-file", file.to_str().unwrap()]);
    let whereabouts = Whereabouts::at(&server.url);
    assert_eq!(request(&whereabouts, "/v1/agents", None).0, 401);
    let mut with_token = ureq::get(format!("{}/v1/agents", server.url))
        .header("Authorization", format!("Bearer {token}"))
        .call()
        .unwrap();
    let body: Value =
        serde_json::from_str(&with_token.body_mut().read_to_string().unwrap()).unwrap();
    assert_eq!(body, json!({"agents": []}));
    assert!(!std::fs::read_to_string(&log).unwrap().contains(&token));

    std::fs::write(&file, "office root 00\n").unwrap();
    let (code, said) = run(&["serve", "--token-file", file.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    assert!(said.contains("line 1: there is no scope \"root\""), "{said}");
}
