//! How the service starts, stops, and whom it admits.

use crate::process::{Server, directory, gbandit, signal, token};
use crate::robot::{Robot, Whereabouts, request};
use serde_json::{Value, json};
use std::time::Duration;

#[test]
fn it_stops_cleanly_on_request_and_its_log_is_json() {
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
    // Nothing is left to recover: the write-ahead log was merged into the file.
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
    let (line, token) = token("office", "admin");
    let file = directory.join("tokens");
    std::fs::write(&file, &line).unwrap();
    assert!(!line.contains(&token));
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

/// The status of a request with a token.
fn status(server: &Server, token: &str) -> u16 {
    let config = ureq::Agent::config_builder().http_status_as_error(false).build();
    let request = ureq::Agent::from(config).get(format!("{}/v1/agents", server.url));
    request.header("Authorization", format!("Bearer {token}")).call().unwrap().status().as_u16()
}

#[test]
fn tokens_are_added_and_revoked_without_a_restart() {
    let directory = directory("reread");
    let (log, file) = (directory.join("log"), directory.join("tokens"));
    let (office, rover) = (token("office", "admin"), token("rover", "read"));
    std::fs::write(&file, &office.0).unwrap();
    let server = Server::start("memory:", &log, &["--token-file", file.to_str().unwrap()]);
    let reread = |text: &str, said: &str| {
        let heard = || std::fs::read_to_string(&log).unwrap().matches(said).count();
        let before = heard();
        std::fs::write(&file, text).unwrap();
        assert!(signal("HUP", &server.pid()).status().unwrap().success());
        while heard() == before {
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    assert_eq!((status(&server, &office.1), status(&server, &rover.1)), (200, 401));
    // Watchers must present a valid token again.
    let new_agent = json!({"id": "a", "graph": "line:3"});
    let created = ureq::post(format!("{}/v1/agents", server.url))
        .header("Authorization", format!("Bearer {}", office.1))
        .header("Content-Type", "application/json")
        .send(new_agent.to_string());
    assert_eq!(created.unwrap().status(), 201);
    let mut watched = ureq::get(format!("{}/v1/agents/a/events", server.url))
        .header("Authorization", format!("Bearer {}", office.1))
        .call()
        .unwrap();

    reread(&format!("{}{}", office.0, rover.0), "the tokens were read again");
    assert_eq!((status(&server, &office.1), status(&server, &rover.1)), (200, 200));
    assert!(watched.body_mut().read_to_string().unwrap().starts_with("event: state"));
    // An invalid file changes nothing.
    for wrong in ["", "office root 00", "# nobody"] {
        reread(wrong, "the old tokens stay valid");
        assert_eq!((status(&server, &office.1), status(&server, &rover.1)), (200, 200));
    }
    reread(&rover.0, "the tokens were read again");
    assert_eq!((status(&server, &office.1), status(&server, &rover.1)), (401, 200));
    assert!(server.terminate().success());
}
