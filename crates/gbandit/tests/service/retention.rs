//! `--keep-history`: old records are removed, and nothing else changes. A twin that keeps
//! everything gives the same answers.

use crate::backups::{QUIET, store, told};
use crate::process::{Server, directory, gbandit};
use crate::robot::{Whereabouts, request, tell_one};
#[cfg(target_os = "linux")]
use graph_bandit_testing::Postgres;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

const REPORTS: u64 = 1_100;
/// Compaction runs every 256 records here; the last time it cuts before record 1024 - 50 + 1.
const FIRST: u64 = 974;
const KEEP: [&str; 4] = ["--log", "warn", "--keep-history", "50"];

fn history(place: &Whereabouts, from: u64) -> Value {
    request(place, &format!("/v1/agents/a/history?from={from}&limit=1000"), None).1
}

/// Waits until at least the records before this one are gone.
fn begins_at(place: &Whereabouts, first: u64) {
    let start = Instant::now();
    while history(place, 0)["first"].as_u64().unwrap_or(0) < first {
        assert!(start.elapsed() < Duration::from_secs(60), "{}", history(place, 0)["first"]);
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn same_as(place: &Whereabouts, twin: &Whereabouts, first: u64) {
    for what in ["/estimates", "/rewards"] {
        let look = |place| request(place, &format!("/v1/agents/a{what}"), None).1;
        assert_eq!(look(place), look(twin), "{what}");
    }
    let ask = |place| request(place, "/v1/agents/a/ask", Some(&json!({}))).1;
    assert_eq!(ask(place)["path"], ask(twin)["path"]);
    let (page, whole) = (history(place, 0), history(twin, first));
    assert_eq!((&page["first"], &page["end"]), (&json!(first), &json!(REPORTS)), "{first}");
    assert_eq!(page["records"], whole["records"]);
    assert_eq!(history(place, first)["first"], Value::Null);
    // A repeat is recognized as far back as records are kept.
    let last = tell_one(place, "a", REPORTS - 1);
    assert_eq!(last, tell_one(twin, "a", REPORTS - 1));
    let (status, refusal) = tell_one(place, "a", 3);
    assert_eq!(status, 409, "{refusal}");
    assert!(refusal["detail"].as_str().unwrap().contains("not kept any more"), "{refusal}");
    assert_eq!(refusal["next_sequence"], REPORTS);
}

/// `processes` share the store; `sql` runs a statement on it and returns a number.
fn old_records_are_removed_and_nothing_else_changes(
    directory: &Path,
    url: &str,
    processes: usize,
    sql: impl Fn(&str) -> u64,
) {
    let log = directory.join("log");
    let servers: Vec<_> = (0..processes).map(|_| Server::start(url, &log, &KEEP)).collect();
    let urls: Vec<&str> = servers.iter().map(|server| server.url.as_str()).collect();
    let place = Whereabouts::at_all(&urls);
    let twin_server = Server::start("memory:", &log, &QUIET);
    let twin = Whereabouts::at(&twin_server.url);
    told(&place, "a", REPORTS);
    told(&twin, "a", REPORTS);
    begins_at(&place, FIRST);
    servers.into_iter().for_each(Server::kill);

    // Whichever process was first: removed records stay removed.
    let first = sql("SELECT released FROM bases");
    assert!((FIRST..FIRST + 2).contains(&first), "{first}");
    // Without snapshots there are the base and the records after it.
    for statement in ["SELECT 1", "DELETE FROM snapshots"] {
        sql(statement);
        let server = Server::start(url, &log, &QUIET);
        let place = Whereabouts::at(&server.url);
        begins_at(&place, first);
        same_as(&place, &twin, first);
    }
    let (code, said, errors) = store(&["verify", url]);
    assert_eq!(code, Some(0), "{said}{errors}");
    assert!(said.contains("1 agent "), "{said}");

    // It continues elsewhere, too.
    let exported = gbandit().args(["store", "export", url]).output().unwrap();
    let lines = directory.join("fleet.jsonl");
    std::fs::write(&lines, exported.stdout).unwrap();
    let other = format!("sqlite://{}", directory.join("other.db").display());
    let (code, said, errors) = store(&["import", &other, lines.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{said}{errors}");
    assert!(said.contains(&format!("1 agent with {} records", REPORTS - first)), "{said}");
    assert_eq!(store(&["verify", &other]).0, Some(0));
    let server = Server::start(&other, &log, &QUIET);
    same_as(&Whereabouts::at(&server.url), &twin, first);
    drop(server);

    // The same by hand.
    let (code, said, errors) = store(&["compact", url, "--keep-history", "10"]);
    assert_eq!(code, Some(0), "{said}{errors}");
    let removed = REPORTS - 10 - first;
    assert!(said.contains(&format!("removed {removed} records of 1 agent")), "{said}");
    let (_, said, _) = store(&["stats", url, "--json"]);
    let stats: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(stats["records"], 10, "{said}");
    let server = Server::start(url, &log, &QUIET);
    let place = Whereabouts::at(&server.url);
    same_as(&place, &twin, REPORTS - 10);
    assert_eq!(tell_one(&place, "a", REPORTS).0, 200);
}

#[test]
fn a_file_keeps_the_configured_number_of_records() {
    let directory = directory("retention");
    let file = directory.join("fleet.db");
    let url = format!("sqlite://{}", file.display());
    old_records_are_removed_and_nothing_else_changes(&directory, &url, 1, |statement| {
        let on = Connection::open(&file).unwrap();
        if statement.starts_with("SELECT") {
            on.query_row(statement, [], |row| row.get(0)).unwrap()
        } else {
            on.execute(statement, []).unwrap() as u64
        }
    });
}

#[cfg(target_os = "linux")]
#[test]
fn a_database_of_two_processes_keeps_the_configured_number_of_records() {
    let directory = directory("retention-postgres");
    let database = Postgres::start();
    old_records_are_removed_and_nothing_else_changes(&directory, &database.url(), 2, |statement| {
        let said = database.sql(&format!("SET search_path = gbandit; {statement}"));
        said.lines().last().and_then(|line| line.parse().ok()).unwrap_or(0)
    });
}

#[test]
fn records_are_kept_for_the_configured_time() {
    let directory = directory("retention-time");
    let file = directory.join("fleet.db");
    let url = format!("sqlite://{}", file.display());
    let server = Server::start(&url, &directory.join("log"), &QUIET);
    told(&Whereabouts::at(&server.url), "a", 300);
    assert!(server.terminate().success());
    let set = |sql: &str| assert!(Connection::open(&file).unwrap().execute(sql, []).unwrap() > 0);
    let removed = |records: u64| {
        let (code, said, errors) = store(&["compact", &url, "--keep-history", "1h"]);
        assert_eq!(code, Some(0), "{said}{errors}");
        assert!(said.starts_with(&format!("removed {records} records")), "{said}");
    };
    removed(0);
    set("UPDATE records SET received = received - 7200 WHERE sequence < 200");
    removed(199);
    removed(0);
}

#[test]
fn invalid_retention_is_refused() {
    let (code, _, said) = store(&["compact", "nowhere.db", "--keep-history", "3w"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("3w") && said.contains("30d"), "{said}");
}
