//! A disk without room, by a limit on the size of files: said clearly, nothing lost, and over when
//! there is room again.

use crate::process::{Server, directory, gbandit};
use crate::robot::{Whereabouts, request};
use serde_json::json;
use std::process::Command;

#[test]
fn no_room_is_said_and_nothing_acknowledged_is_lost() {
    let directory = directory("full-disk");
    let log = directory.join("log");
    let store = format!("sqlite://{}", directory.join("fleet.db").display());
    let mut limited = Command::new("bash");
    // In blocks of 1024 bytes. Without the trap the signal would end the service.
    let script = "trap '' XFSZ; ulimit -S -f 400; exec \"$0\" \"$@\"";
    limited.args(["-c", script]).arg(gbandit().get_program());
    let server = Server::start_by(limited, &store, &log, &["--log", "error"]);
    let place = Whereabouts::at(&server.url);
    let wish = json!({"id": "a", "graph": "line:5", "agent": "g-ts"});
    assert_eq!(request(&place, "/v1/agents", Some(&wish)).0, 201);

    let tell = |sequence: u64| {
        let body = json!({"sequence": sequence, "reward": sequence as f64});
        request(&place, "/v1/agents/a/tell", Some(&body))
    };
    let refused = (0..10_000).find(|&sequence| tell(sequence).0 != 200).unwrap();
    assert!(refused > 10, "{refused}");
    let (status, problem) = tell(refused);
    assert_eq!((status, problem["title"].as_str()), (503, Some("The store is out of order")));
    assert_eq!(request(&place, "/readyz", None).0, 503);
    // What is known can still be asked for.
    let order = request(&place, "/v1/agents/a/ask", Some(&json!({})));
    assert_eq!((order.0, &order.1["sequence"]), (200, &json!(refused)));

    let more = Command::new("prlimit").args(["--pid", &server.pid(), "--fsize=unlimited"]).status();
    assert!(more.unwrap().success());
    assert_eq!(request(&place, "/v1/agents/a/ask", Some(&json!({}))), order);
    assert_eq!(request(&place, "/readyz", None).0, 200);
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
