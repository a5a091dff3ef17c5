//! Imports into a store that has other agents of the same names, and of files that are not exports.

use crate::backups::{QUIET, store, told};
use crate::process::{Server, directory, gbandit};
use crate::robot::{Whereabouts, request, tell_one};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// An export, in a new file, of the agents that these reports are made to.
fn export_of(directory: &Path, name: &str, reports: &dyn Fn(&Whereabouts)) -> (String, String) {
    let fleet = directory.join(format!("{name}.db")).display().to_string();
    let server = Server::start(&format!("sqlite://{fleet}"), &directory.join("log"), &QUIET);
    reports(&Whereabouts::at(&server.url));
    assert!(server.terminate().success());
    let output = gbandit().args(["store", "export", &fleet]).output().unwrap();
    let exported = directory.join(format!("{name}.jsonl"));
    std::fs::write(&exported, output.stdout).unwrap();
    (fleet, exported.display().to_string())
}

#[test]
fn an_agent_that_differs_is_named_and_the_others_are_imported() {
    let directory = directory("import-differs");
    let (_, exported) = export_of(&directory, "one", &|place| {
        for id in ["definition", "log", "new", "short"] {
            told(place, id, 3);
        }
    });
    let (fleet, _) = export_of(&directory, "other", &|place| {
        let new_agent =
            json!({"id": "definition", "graph": "grid:4x4", "agent": "g-ts", "seed": 4});
        assert_eq!(request(place, "/v1/agents", Some(&new_agent)).0, 201);
        told(place, "log", 1);
        let report = json!({"sequence": 1, "reward": 0.125});
        assert_eq!(request(place, "/v1/agents/log/tell", Some(&report)).0, 200);
        assert_eq!(tell_one(place, "log", 2).0, 200);
        assert_eq!(tell_one(place, "log", 3).0, 200);
        told(place, "short", 2);
    });
    let (code, said, errors) = store(&["import", &fleet, &exported]);
    assert_eq!(code, Some(1), "{said}{errors}");
    assert!(errors.contains("\"definition\"") && errors.contains("--skip-existing"), "{errors}");

    let (code, said, errors) = store(&["import", &fleet, &exported, "--skip-existing"]);
    assert_eq!(code, Some(1), "{said}{errors}");
    assert_eq!(said, "imported 2 agents with 6 records, skipped 0\n");
    let stays = "in the store differs from the exported one and was kept";
    let remedy = "delete it and import again, or import into another store";
    let lines: Vec<&str> = errors.lines().collect();
    let [definition, log, end] = &lines[..] else { panic!("{errors}") };
    assert_eq!(
        *definition,
        format!("agent definition {stays}: it has another definition; {remedy}")
    );
    assert_eq!(*log, format!("agent log {stays}: record 1 of its log differs; {remedy}"));
    assert_eq!(
        *end,
        "error: not imported because the store has other agents of the same name: 2 agents"
    );
    assert_eq!(store(&["verify", &fleet]).0, Some(0));
}

#[test]
fn a_file_that_is_not_an_export_leaves_no_store_behind() {
    let directory = directory("import-of-something");
    let (file, other) = (directory.join("notes.txt"), directory.join("new.db"));
    let (named, into) = (file.display().to_string(), other.display().to_string());
    for (text, expected) in [
        ("notes\n", "is not an export; `gbandit store export` writes one"),
        ("", "is not an export"),
        ("{\"end\":{\"agents\":0}}\n", "is not an export"),
        ("{\"store\":{\"format\":99}}\n", "format 99"),
    ] {
        std::fs::write(&file, text).unwrap();
        let (code, _, errors) = store(&["import", &into, &named]);
        assert_eq!(code, Some(1), "{errors}");
        assert!(errors.contains(expected), "{errors}");
        assert!(!other.exists(), "{text}");
    }
    let (code, _, errors) = store(&["import", &into, directory.to_str().unwrap()]);
    assert!(code == Some(1) && !other.exists(), "{errors}");
}

#[test]
fn a_killed_import_leaves_nothing_that_is_served() {
    const REPORTS: u64 = 1_500;
    let directory = directory("import-killed");
    let (_, exported) = export_of(&directory, "one", &|place| told(place, "a", REPORTS));
    let (fleet, _) = export_of(&directory, "other", &|place| told(place, "b", 3));
    let lines = std::fs::read_to_string(&exported).unwrap();
    let cut = lines.len() * 9 / 10;

    // It waits for the rest of the lines while some are stored.
    let mut command = gbandit();
    command.args(["store", "import", &fleet, "-"]).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut import = command.spawn().unwrap();
    let mut pipe = import.stdin.take().unwrap();
    pipe.write_all(&lines.as_bytes()[..cut]).unwrap();
    let begun = Instant::now();
    let stored = || {
        let file = Connection::open(&fleet).unwrap();
        file.query_row("SELECT count(*) FROM records", [], |row| row.get::<_, u64>(0)).unwrap()
    };
    while stored() < 100 {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(10));
    }
    import.kill().unwrap();
    import.wait().unwrap();

    let (code, said, errors) = store(&["verify", &fleet]);
    assert_eq!(code, Some(1), "{said}{errors}");
    assert!(
        said.starts_with("in order: 1 agent with 3 records\nagent a was not imported"),
        "{said}"
    );
    assert_eq!(errors, "error: an import was not finished: 1 agent\n");
    let (_, said, _) = store(&["verify", &fleet, "--json"]);
    assert!(said.contains("\"unfinished\":[\"a\"]"), "{said}");
    let names = |place: &Whereabouts| -> Vec<Value> {
        let (_, listed) = request(place, "/v1/agents", None);
        listed["agents"].as_array().unwrap().iter().map(|agent| agent["id"].clone()).collect()
    };
    // Another one, that is given up.
    let other = "INSERT INTO agents (id, label, definition) VALUES ('~import:z', '', '')";
    assert_eq!(Connection::open(&fleet).unwrap().execute(other, []), Ok(1));
    let serve = || Server::start(&format!("sqlite://{fleet}"), &directory.join("log"), &QUIET);
    let server = serve();
    let place = Whereabouts::at(&server.url);
    assert_eq!(names(&place), ["b"]);
    for id in ["a", "~import:a"] {
        for what in ["", "/history", "/estimates"] {
            assert_eq!(
                request(&place, &format!("/v1/agents/{id}{what}"), None).0,
                404,
                "{id}{what}"
            );
        }
        assert_eq!(tell_one(&place, id, 1).0, 404);
    }
    let new_agent = json!({"id": "~import:a", "graph": "grid:4x4"});
    assert_eq!(request(&place, "/v1/agents", Some(&new_agent)).0, 422);
    let given_up = ureq::delete(format!("{}/v1/agents/~import:z", server.url)).call();
    assert_eq!(given_up.unwrap().status(), 204);
    assert!(server.terminate().success());
    // Other work goes on beside it.
    assert_eq!(store(&["compact", &fleet, "--keep-history", "1"]).0, Some(0));
    let output = gbandit().args(["store", "export", &fleet]).output().unwrap();
    assert!(output.status.success() && !output.stdout.windows(7).any(|text| text == b"~import"));

    // The next one replaces what is left.
    let (code, said, errors) = store(&["import", &fleet, &exported]);
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(said, "imported 1 agent with 1,500 records, skipped 0\n");
    assert_eq!(store(&["verify", &fleet]).0, Some(0));
    let server = serve();
    let place = Whereabouts::at(&server.url);
    assert_eq!(names(&place), ["a", "b"]);
    assert_eq!(request(&place, "/v1/agents/a/history", None).1["end"], REPORTS);
    assert_eq!(tell_one(&place, "a", REPORTS).0, 200);
}
