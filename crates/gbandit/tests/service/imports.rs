//! Imports into a store that has other agents of the same names, and of files that are not exports.

use crate::backups::{QUIET, store, told};
use crate::process::{Server, directory, gbandit};
use crate::robot::{Whereabouts, request, tell_one};
use serde_json::json;
use std::path::Path;

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
