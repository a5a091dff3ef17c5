//! A full disk, simulated by a limit on file sizes: reported clearly, nothing lost, and over when
//! there is room again.

use crate::process::{Server, directory, gbandit};
use crate::robot::{Robot, Whereabouts, answered, metric, request, tell_one};
use serde_json::json;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// A service whose files may have this many blocks of 1024 bytes.
pub(crate) fn limited(store: &str, log: &Path, blocks: &str, level: &str) -> Server {
    let mut limited = Command::new("bash");
    let script = "ulimit -S -f $0; exec \"$@\"";
    limited.args(["-c", script, blocks]).arg(gbandit().get_program());
    Server::start_by(limited, store, log, &["--log", level])
}

/// Sets the largest size of its files from now on.
pub(crate) fn allow(server: &Server, bytes: &str) {
    let soft = format!("--fsize={bytes}:");
    let allowed = Command::new("prlimit").args(["--pid", &server.pid(), &soft]).status();
    assert!(allowed.unwrap().success());
}

#[test]
fn a_full_disk_is_reported_and_no_acknowledged_report_is_lost() {
    let directory = directory("full-disk");
    let log = directory.join("log");
    let store = format!("sqlite://{}", directory.join("fleet.db").display());
    let server = limited(&store, &log, "400", "warn");
    let place = Whereabouts::at(&server.url);
    let new_agent = json!({"id": "a", "graph": "line:5", "agent": "g-ts"});
    assert_eq!(request(&place, "/v1/agents", Some(&new_agent)).0, 201);

    let tell = |sequence: u64| {
        let body = json!({"sequence": sequence, "reward": sequence as f64});
        request(&place, "/v1/agents/a/tell", Some(&body))
    };
    let refused = (0..10_000).find(|&sequence| tell(sequence).0 != 200).unwrap();
    assert!(refused > 10, "{refused}");
    let (status, problem) = tell(refused);
    assert_eq!((status, problem["title"].as_str()), (503, Some("The store is out of order")));
    assert_eq!(request(&place, "/readyz", None).0, 503);
    // Known state can still be read.
    let order = request(&place, "/v1/agents/a/ask", Some(&json!({})));
    assert_eq!((order.0, &order.1["sequence"]), (200, &json!(refused)));

    allow(&server, "unlimited");
    assert_eq!(request(&place, "/v1/agents/a/ask", Some(&json!({}))), order);
    assert_eq!(answered(&place, "/readyz", None).0, 200);
    assert_eq!(tell(refused).0, 200);
    server.kill();

    let server = Server::start(&store, &log, &[]);
    place.moved_to(&server.url);
    let (_, history) = request(&place, &format!("/v1/agents/a/history?from={}", refused - 1), None);
    assert_eq!(history["end"], refused + 1);
    for (record, sequence) in history["records"].as_array().unwrap().iter().zip(refused - 1..) {
        assert_eq!(record["visits"][0]["rewards"], json!([sequence as f64]));
    }
}

/// A report that has room is answered even if the snapshot after it has none; the snapshot is made
/// later.
#[test]
fn a_snapshot_without_room_is_made_later() {
    let directory = directory("full-disk-snapshot");
    let log = directory.join("log");
    let store = format!("sqlite://{}", directory.join("fleet.db").display());
    let server = limited(&store, &log, "unlimited", "warn");
    let twin = Server::start("memory:", &directory.join("twin-log"), &[]);
    let (place, twin_place) = (Whereabouts::at(&server.url), Whereabouts::at(&twin.url));
    for place in [&place, &twin_place] {
        Robot::new("a", "g-ts", place);
        assert!((0..255).all(|sequence| tell_one(place, "a", sequence).0 == 200));
    }
    // Just enough room for the report; one page less was too little.
    let used = std::fs::metadata(directory.join("fleet.db-wal")).unwrap().len();
    let step = 4_096;
    let enough = (0..20).find(|steps| {
        allow(&server, &(used + steps * step).to_string());
        tell_one(&place, "a", 255).0 == 200
    });
    assert!(enough.unwrap() > 0);
    let said = || std::fs::read_to_string(&log).unwrap().contains("a snapshot was not kept");
    let is_said = (0..6_000).any(|_| {
        std::thread::sleep(Duration::from_millis(5));
        said()
    });
    assert!(is_said);
    assert_eq!(metric(&place, "gbandit_snapshots_total"), 0.0);
    allow(&server, "unlimited");
    tell_one(&twin_place, "a", 255);
    for sequence in 256..600 {
        let receipt = tell_one(&place, "a", sequence);
        assert_eq!(receipt, tell_one(&twin_place, "a", sequence));
    }
    while metric(&place, "gbandit_snapshots_total") < 1.0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    server.kill();
    let server = Server::start(&store, &log, &[]);
    place.moved_to(&server.url);
    let ask = |place: &Whereabouts| request(place, "/v1/agents/a/ask", Some(&json!({})));
    assert_eq!(ask(&place), ask(&twin_place));
    assert_eq!(metric(&place, "gbandit_damaged_snapshots_total"), 0.0);
    let kept: u64 = rusqlite::Connection::open(directory.join("fleet.db"))
        .and_then(|file| file.query_row("SELECT sequence FROM snapshots", [], |row| row.get(0)))
        .unwrap();
    assert_eq!(kept, 512);
}
