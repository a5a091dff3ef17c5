//! A log that cannot be written, or is not read, costs only lines of the log.

use crate::full_disk::{allow, limited};
use crate::process::{Server, directory, gbandit};
use crate::robot::{Robot, Whereabouts, metric, request, tell_one};
use std::io::Read;
use std::process::Stdio;

/// Reports until one is refused; its number.
fn refused(place: &Whereabouts) -> u64 {
    (0..10_000).find(|&sequence| tell_one(place, "a", sequence).0 != 200).unwrap()
}

#[test]
fn log_and_store_on_one_full_disk_continue_when_there_is_room() {
    let directory = directory("full-disk-log");
    let log = directory.join("log");
    let store = format!("sqlite://{}", directory.join("fleet.db").display());
    // The log reaches the limit when the store does.
    std::fs::write(&log, "a line of before\n".repeat(390 * 1_024 / 17)).unwrap();
    let server = limited(&store, &log, "400", "info");
    let place = Whereabouts::at(&server.url);
    Robot::new("a", "g-ts", &place);
    let refused = refused(&place);
    for _ in 0..100 {
        assert_eq!(tell_one(&place, "a", refused).0, 503);
    }
    assert_eq!(request(&place, "/healthz", None).0, 200);
    let lost = metric(&place, "gbandit_log_lines_dropped_total");
    assert!(lost >= 100.0, "{lost}");

    allow(&server, "unlimited");
    for sequence in refused..refused + 10 {
        assert_eq!(tell_one(&place, "a", sequence).0, 200);
    }
    assert!(server.terminate().success());
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.ends_with('\n') && log.contains("\"stopped\""), "{log}");
    // The torn line is the only incomplete one.
    let torn = log.lines().filter(|line| line.starts_with('{'));
    let torn = torn.filter(|line| serde_json::from_str::<serde_json::Value>(line).is_err());
    assert!(torn.count() <= 1, "{log}");
}

#[test]
fn a_closed_log_delays_nothing() {
    let directory = directory("closed-log");
    let store = format!("sqlite://{}", directory.join("fleet.db").display());
    let mut server = Server::start_with(gbandit(), &store, Stdio::piped(), &[]);
    drop(server.log());
    let place = Whereabouts::at(&server.url);
    Robot::new("a", "g-star", &place).work(50, &|| {});
    assert!(metric(&place, "gbandit_log_lines_dropped_total") >= 50.0);
    assert!(server.terminate().success());
}

#[test]
fn an_unread_log_delays_nothing_not_even_the_end() {
    let directory = directory("stalled-log");
    let store = format!("sqlite://{}", directory.join("fleet.db").display());
    let mut server = Server::start_with(gbandit(), &store, Stdio::piped(), &[]);
    let mut log = server.log();
    let place = Whereabouts::at(&server.url);
    Robot::new("a", "g-star", &place);
    // More than the pipe and the queue hold.
    for sequence in 0..1_000 {
        assert_eq!(tell_one(&place, "a", sequence).0, 200);
    }
    let address = server.url.clone();
    let http = ureq::agent();
    while metric(&place, "gbandit_log_lines_dropped_total") == 0.0 {
        for _ in 0..500 {
            http.get(format!("{address}/healthz"))
                .call()
                .unwrap()
                .body_mut()
                .read_to_vec()
                .unwrap();
        }
    }
    assert_eq!(tell_one(&place, "a", 1_000).0, 200);
    assert!(server.terminate().success());
    let mut text = String::new();
    log.read_to_string(&mut text).unwrap();
    assert!(text.contains("\"listening\""), "{text}");
}

/// The last message does not wait for a reader either.
#[test]
fn an_error_at_the_start_is_not_delayed() {
    let full = "yes | head -c 65536 >&2; exec \"$@\"";
    let mut child = std::process::Command::new("bash")
        .args(["-c", full, "bash"])
        .arg(gbandit().get_program())
        .args(["serve", "--store", "sqlite:///no/such/directory/fleet.db"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The pipe is full, and is not read while this value exists.
    let unread = child.stderr.take();
    assert_eq!(child.wait().unwrap().code(), Some(2));
    drop(unread);
}
