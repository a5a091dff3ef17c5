//! The wall clock jumps forward and back by years: nothing depends on it.

use crate::process::{Server, directory, gbandit};
use crate::robot::{Robot, Whereabouts};
use std::path::Path;
use std::process::Command;

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
