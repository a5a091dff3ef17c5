//! A store that cannot be written or synced for a while: reported clearly, nothing lost, and over
//! when it is over.

use crate::faults::{Failing, with_read_only};
use crate::process::{Server, directory};
use crate::robot::{Robot, Whereabouts, answered, metric, request, tell_one};
use serde_json::json;

#[test]
fn unstored_reports_are_not_acknowledged_and_asks_continue() {
    for (calls, error) in [
        ("pwrite64", "EROFS"),
        ("pwrite64", "EIO"),
        ("pwrite64", "ENOSPC"),
        ("fsync,fdatasync", "EIO"),
    ] {
        let directory = directory(&format!("failing-{}-{error}", &calls[..5]));
        let log = directory.join("log");
        let store = format!("sqlite://{}", directory.join("fleet.db").display());
        let server = Server::start(&store, &log, &["--log", "error"]);
        let place = Whereabouts::at(&server.url);
        let twin = Server::start("memory:", &log, &["--log", "error"]);
        let twin_place = Whereabouts::at(&twin.url);
        for place in [&place, &twin_place] {
            Robot::new("a", "g-ts", place);
            assert!((0..20).all(|sequence| tell_one(place, "a", sequence).0 == 200));
        }
        let ask = |place: &Whereabouts| request(place, "/v1/agents/a/ask", Some(&json!({})));
        let order = ask(&twin_place);
        assert_eq!((order.0, &order.1["sequence"]), (200, &json!(20)));

        let failing = Failing::of(&server, calls, error);
        for _ in 0..3 {
            let (status, problem) = tell_one(&place, "a", 20);
            assert_eq!(status, 503, "{calls} {error}: {problem}");
            assert_eq!(problem["title"], "The store is out of order");
            assert_eq!(ask(&place), order, "{calls} {error}");
        }
        assert_eq!(request(&place, "/readyz", None).0, 503);
        assert_eq!(request(&place, "/healthz", None).0, 200);
        assert!(metric(&place, "gbandit_store_failed_commits_total") >= 4.0);
        drop(failing);

        assert_eq!(answered(&place, "/readyz", None).0, 200, "{calls} {error}");
        assert_eq!(ask(&place), order);
        for sequence in 20..30 {
            let receipt = tell_one(&place, "a", sequence);
            assert_eq!(receipt, tell_one(&twin_place, "a", sequence), "{calls} {error}");
            assert_eq!(receipt.0, 200);
        }
        server.kill();
        let server = Server::start(&store, &log, &[]);
        place.moved_to(&server.url);
        assert_eq!(ask(&place), ask(&twin_place), "{calls} {error}");
        let history = |place: &Whereabouts| request(place, "/v1/agents/a/history", None);
        assert_eq!(history(&place), history(&twin_place), "{calls} {error}");
    }
}

#[test]
fn a_store_that_is_read_only_at_the_start_is_refused() {
    let directory = directory("read-only");
    let (log, kept) = (directory.join("log"), directory.join("kept"));
    std::fs::create_dir(&kept).unwrap();
    let store = format!("sqlite://{}", kept.join("fleet.db").display());
    let server = Server::start(&store, &log, &[]);
    let place = Whereabouts::at(&server.url);
    Robot::new("a", "g-star", &place);
    assert_eq!(tell_one(&place, "a", 0).0, 200);
    assert!(server.terminate().success());

    let refused = with_read_only(&kept)
        .args(["serve", "--listen", "127.0.0.1:0", "--store", &store])
        .output()
        .unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("--store:") && said.contains("Read-only file system"), "{said}");

    let server = Server::start(&store, &log, &[]);
    place.moved_to(&server.url);
    assert_eq!(tell_one(&place, "a", 1).0, 200);
}
