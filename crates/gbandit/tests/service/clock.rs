//! The wall clock jumps forward and back by years: nothing depends on it, and no record is removed for its age.

use crate::backups::told;
use crate::process::{Server, directory, gbandit};
use crate::robot::{Robot, Whereabouts, request, tell_one};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The program with a wall clock that a file sets. The monotonic clock continues, as it does when a
/// clock is set.
fn by_the_clock_of(file: &Path) -> Command {
    let preload = Command::new("faketime").args(["-f", "+0d", "printenv", "LD_PRELOAD"]).output();
    let preload = preload.expect("faketime is a package of that name").stdout;
    let mut command = gbandit();
    command
        .env("LD_PRELOAD", String::from_utf8(preload).unwrap().trim())
        .env("FAKETIME_TIMESTAMP_FILE", file)
        .env("FAKETIME_NO_CACHE", "1")
        .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
        .env("DONT_FAKE_MONOTONIC", "1");
    command
}

/// The years in which lines were logged.
fn years(log: &Path) -> Vec<i32> {
    let text = std::fs::read_to_string(log).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let mut years: Vec<i32> =
        lines.map(|line| line["timestamp"].as_str().unwrap()[..4].parse().unwrap()).collect();
    years.dedup();
    years
}

/// A clock that is set forward makes no record older.
#[test]
fn a_jump_forward_removes_no_records() {
    let directory = directory("clock-retention");
    let (log, clock) = (directory.join("log"), directory.join("clock"));
    let store = format!("sqlite://{}", directory.join("fleet.db").display());
    let set = |to: &str| std::fs::write(&clock, to).unwrap();
    let keep = ["--log", "warn", "--keep-history", "30d"];
    set("+0d");
    let server = Server::start_by(by_the_clock_of(&clock), &store, &log, &keep);
    let place = Whereabouts::at(&server.url);
    told(&place, "a", 999);
    assert_eq!(request(&place, "/readyz", None).0, 200);
    set("+60d");
    let said = || std::fs::read_to_string(&log).unwrap();
    let tell = |sequence: u64| assert_eq!(tell_one(&place, "a", sequence).0, 200);
    // Compaction is due after 256 records.
    (999..1_300).for_each(tell);
    until(|| said().contains("\"the system's clock was set forward"));
    let first = || request(&place, "/v1/agents/a/history?limit=1", None).1["first"].clone();
    assert_eq!(first(), Value::Null);

    // Set back, it gives no record a time before the last one: the clock of the store never falls.
    set("+0d");
    (1_300..1_310).for_each(tell);
    let file = Connection::open(directory.join("fleet.db")).unwrap();
    let falls = "SELECT count(*) FROM records AS a JOIN records AS b
        ON a.agent = b.agent AND a.sequence + 1 = b.sequence WHERE a.received > b.received";
    assert_eq!(file.query_row(falls, [], |row| row.get(0)), Ok(0_u64));

    // A service that starts in that time believes it.
    server.kill();
    set("+60d");
    let server = Server::start_by(by_the_clock_of(&clock), &store, &log, &keep);
    place.moved_to(&server.url);
    (1_310..1_600).for_each(tell);
    until(|| first() == json!(998));
}

fn until(is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_jumping_clock_changes_nothing() {
    let directory = directory("clock");
    let (log, clock) = (directory.join("log"), directory.join("clock"));
    let store = format!("sqlite://{}", directory.join("fleet.db").display());
    let set = |to: &str| std::fs::write(&clock, to).unwrap();
    set("+0d");
    let server = Server::start_by(by_the_clock_of(&clock), &store, &log, &[]);
    let place = Whereabouts::at(&server.url);
    let count = std::cell::Cell::new(0);
    let diary = Robot::new("a", "g-ts", &place).work(60, &|| {
        count.set(count.get() + 1);
        match count.get() {
            15 => set("+800d"),
            30 => set("-800d"),
            45 => set("+0d"),
            _ => {}
        }
    });
    let twin = Server::start("memory:", &directory.join("twin-log"), &[]);
    let twin_place = Whereabouts::at(&twin.url);
    assert_eq!(diary, Robot::new("a", "g-ts", &twin_place).work(60, &|| {}));

    // The clock did jump.
    let years = years(&log);
    let now = years[0];
    assert!(years.contains(&(now + 2)) || years.contains(&(now + 3)), "{years:?}");
    assert!(years.contains(&(now - 2)) || years.contains(&(now - 3)), "{years:?}");

    // Killed in one time, it continues in the other.
    server.kill();
    set("-800d");
    let server = Server::start_by(by_the_clock_of(&clock), &store, &log, &[]);
    place.moved_to(&server.url);
    let ask = |place: &Whereabouts| Robot::new("a", "g-ts", place).ask();
    assert_eq!(ask(&place), ask(&twin_place));
    set("+0d");
    assert!(server.terminate().success());
}
