//! Backups made while robots report, restored as in docs/guides/service-in-production.md; exports
//! that continue elsewhere; and `verify` on a damaged store.

use crate::kills::{ROBOTS, work};
use crate::process::{Server, directory, gbandit};
use crate::robot::{Robot, Whereabouts, request, tell_one};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

pub(crate) const QUIET: [&str; 2] = ["--log", "warn"];

/// The shell commands of the chapter on backups, block by block.
pub(crate) fn chapter() -> Vec<String> {
    chapter_called("Backups\n")
}

/// The same of the chapter with this title.
pub(crate) fn chapter_called(title: &str) -> Vec<String> {
    let page = include_str!("../../../../docs/guides/service-in-production.md");
    let chapter = page.split("\n## ").find(|chapter| chapter.starts_with(title)).unwrap();
    let blocks = chapter.split("```sh\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

/// Runs a block unchanged, with `gbandit` on the path and these variables set.
pub(crate) fn shell(block: &str, directory: &Path, variables: &[(&str, &str)]) -> Output {
    let output = bash(block, directory).envs(variables.iter().copied()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{block}\n{said}");
    output
}

/// A script that stops at the first error, with `gbandit` on the path.
pub(crate) fn bash(script: &str, directory: &Path) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_gbandit")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut bash = Command::new("bash");
    bash.args(["-c", &format!("set -e\n{script}")]).current_dir(directory).env("PATH", path);
    bash
}

/// Output and exit code of a command on a store.
pub(crate) fn store(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = gbandit().arg("store").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Robots continue with a service restored to an earlier state: it knows the beginning of their
/// reports, refuses a report that is too early, and after an ask they continue.
pub(crate) fn robots_continue(whereabouts: &Whereabouts, diaries: &[crate::robot::Diary]) {
    for (&(id, agent), diary) in ROBOTS.iter().zip(diaries) {
        let robot = Robot::new(id, agent, whereabouts);
        let kept = robot.visits_in_history();
        assert_eq!(kept, diary.visits[..kept.len()], "{id}");
        assert!(!kept.is_empty() && kept.len() < diary.visits.len(), "{id}: {}", kept.len());
        let order = robot.ask();
        let sequence = order["sequence"].as_u64().unwrap();
        assert_eq!(order, diary.orders[sequence as usize], "{id}");
        let (status, refusal) = tell_one(whereabouts, id, diary.receipts.len() as u64);
        assert_eq!(status, 409, "{refusal}");
        assert_eq!(refusal["next_sequence"], sequence, "{refusal}");
        assert_eq!(tell_one(whereabouts, id, sequence).0, 200);
    }
}

#[test]
fn a_backup_made_under_load_is_restored_as_the_guide_says() {
    let directory = directory("backups");
    let log = directory.join("log");
    let file = format!("sqlite://{}", directory.join("fleet.db").display());
    let server = Server::start(&file, &log, &QUIET);
    let whereabouts = Whereabouts::at(&server.url);
    let chapter = chapter();
    let mut backups = 0;
    let diaries = work(&whereabouts, 100, |count| {
        // Several backups while the robots continue; the last one stays.
        if count % 60 == 0 && backups < 4 {
            let _ = std::fs::remove_file(directory.join("monday.db"));
            let said = shell(&chapter[0], &directory, &[]);
            let said = String::from_utf8(said.stdout).unwrap();
            assert!(said.contains("4 agents with"), "{said}");
            backups += 1;
        }
    });
    assert_eq!(backups, 4);
    let monday = directory.join("monday.db");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&monday).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let parts = std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(parts.filter(|name| name.to_str().unwrap().contains("part")).count(), 0);
    server.kill();
    shell(&chapter[1], &directory, &[]);
    let server = Server::start(&file, &log, &QUIET);
    robots_continue(&Whereabouts::at(&server.url), &diaries);
}

#[test]
fn an_existing_file_stays_unless_replaced() {
    let directory = directory("backup-there");
    let (fleet, copy) = (directory.join("fleet.db"), directory.join("copy.db"));
    let (fleet, copy) = (fleet.to_str().unwrap(), copy.to_str().unwrap());
    let server = Server::start(&format!("sqlite://{fleet}"), &directory.join("log"), &QUIET);
    Robot::new("a", "g-star", &Whereabouts::at(&server.url));
    std::fs::write(copy, "precious").unwrap();
    let (code, _, said) = store(&["backup", fleet, copy]);
    assert_eq!(code, Some(1));
    assert!(said.contains("already exists") && said.contains("--force"), "{said}");
    assert_eq!(std::fs::read_to_string(copy).unwrap(), "precious");
    assert_eq!(store(&["backup", fleet, copy, "--force"]).0, Some(0));
    assert_eq!(store(&["verify", copy]).0, Some(0));
    let (code, _, said) = store(&["backup", "postgres://me@host/db", "x"]);
    assert_eq!(code, Some(1));
    assert!(said.contains("pg_dump --format=custom"), "{said}");
    let (code, _, said) = store(&["verify", "nowhere.db"]);
    assert_eq!(code, Some(1));
    assert!(said.contains("nowhere.db"), "{said}");
    assert!(!Path::new("nowhere.db").exists());
}

/// Neither the store itself, by whatever path, nor another that is open or was killed is overwritten.
#[test]
fn a_store_in_use_is_never_replaced() {
    let directory = directory("backup-onto-a-store");
    let (fleet, other) = (directory.join("fleet.db"), directory.join("other.db"));
    let serve = |file: &Path, log: &str| {
        Server::start(&format!("sqlite://{}", file.display()), &directory.join(log), &QUIET)
    };
    let (first, second) = (serve(&fleet, "log"), serve(&other, "log-2"));
    let (place, second_place) = (Whereabouts::at(&first.url), Whereabouts::at(&second.url));
    told(&place, "a", 20);
    told(&second_place, "b", 20);
    let is_ready = |place: &Whereabouts| request(place, "/readyz", None).0;
    assert_eq!((is_ready(&place), is_ready(&second_place)), (200, 200));
    let same = directory.join("../backup-onto-a-store").join("fleet.db");
    let [link, other_link, socket] =
        ["link.db", "link-2.db", "socket"].map(|name| directory.join(name));
    std::os::unix::fs::symlink(&fleet, &link).unwrap();
    std::os::unix::fs::symlink(&other, &other_link).unwrap();
    std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let mut targets = vec![fleet.clone(), same, other.clone(), link, socket];
    let beside = ["fleet.db-wal", "fleet.db-shm", "fleet.db-lock", "other.db-wal", "other.db-shm"];
    targets.extend(beside.map(|name| directory.join(name)));
    let backup = |into: &Path| {
        let [from, into] = [fleet.as_path(), into].map(|file| file.to_str().unwrap());
        let (code, _, said) = store(&["backup", "--force", from, into]);
        (code, said)
    };
    for target in &targets {
        let (code, said) = backup(target);
        assert_eq!(code, Some(1), "{}: {said}", target.display());
        assert!(said.contains("choose another file"), "{said}");
    }
    assert_eq!((is_ready(&place), is_ready(&second_place)), (200, 200));
    for (place, id) in [(&place, "a"), (&second_place, "b")] {
        for sequence in 20..40 {
            assert_eq!(tell_one(place, id, sequence).0, 200);
        }
    }
    first.kill();
    second.kill();
    // What it acknowledged last is in this file.
    assert!(directory.join("other.db-wal").metadata().unwrap().len() > 0);
    for killed in [&other, &other_link] {
        let (code, said) = backup(killed);
        assert_eq!(code, Some(1));
        assert!(said.contains("other.db-wal lies beside it"), "{said}");
    }
    for (file, id) in [(&fleet, "a"), (&other, "b")] {
        let (code, out, said) = store(&["verify", file.to_str().unwrap()]);
        assert_eq!(code, Some(0), "{said}");
        let place = serve(file, "log");
        let place = Whereabouts::at(&place.url);
        assert_eq!(request(&place, &format!("/v1/agents/{id}"), None).1["sequence"], 40, "{out}");
    }
    // A leftover of SQLite would be taken for part of a new file, too.
    let new = directory.join("new.db");
    std::fs::write(directory.join("new.db-journal"), "old").unwrap();
    assert_eq!(backup(&new).0, Some(1));
    assert!(!new.exists());
}

/// A killed backup is cleaned up by the next one into the same file.
#[cfg(target_os = "linux")]
#[test]
fn a_backup_that_fails_or_is_killed_leaves_nothing_for_long() {
    let directory = directory("backup-parts");
    let (fleet, copy) = (directory.join("fleet.db"), directory.join("copy.db"));
    let server =
        Server::start(&format!("sqlite://{}", fleet.display()), &directory.join("log"), &QUIET);
    let place = Whereabouts::at(&server.url);
    told(&place, "a", 100);
    assert_eq!(request(&place, "/readyz", None).0, 200);
    let names = || {
        let entries = std::fs::read_dir(&directory).unwrap();
        entries.map(|entry| entry.unwrap().file_name()).collect::<BTreeSet<_>>()
    };
    let backup = |by: &[&str]| {
        let mut command = Command::new(by[0]);
        command.args(&by[1..]).arg(gbandit().get_program()).args(["store", "backup"]);
        command.args([&fleet, &copy]).output().unwrap()
    };
    let before = names();
    let full = backup(&["bash", "-c", "trap '' XFSZ; ulimit -f 20; \"$0\" \"$@\""]);
    assert_eq!(full.status.code(), Some(1), "{full:?}");
    assert_eq!(names(), before);
    let inject = "inject=pwrite64:signal=KILL:when=10";
    let killed = backup(&["strace", "--follow-forks", "--output=/dev/null", "-e", inject]);
    assert!(!killed.status.success());
    assert_eq!(names().len(), before.len() + 1, "{:?}", names());
    assert_eq!(store(&["backup", fleet.to_str().unwrap(), copy.to_str().unwrap()]).0, Some(0));
    let copy = copy.file_name().unwrap().to_owned();
    assert_eq!(names(), before.into_iter().chain([copy]).collect());
}

/// As many reports as trigger a snapshot.
pub(crate) fn told(place: &Whereabouts, id: &str, reports: u64) {
    let new_agent = json!({"id": id, "graph": "grid:4x4", "agent": "g-ts", "seed": 3});
    assert_eq!(request(place, "/v1/agents", Some(&new_agent)).0, 201);
    for sequence in 0..reports {
        assert_eq!(tell_one(place, id, sequence).0, 200);
    }
}

fn looks(place: &Whereabouts, id: &str) -> [Value; 3] {
    ["/estimates", "/rewards", "/history?limit=1000"]
        .map(|what| request(place, &format!("/v1/agents/{id}{what}"), None).1)
}

/// Exported agents continue elsewhere as they would have continued here.
pub(crate) fn exported_agents_continue(name: &str, other: &str) {
    let directory = directory(name);
    let log = directory.join("log");
    let file = format!("sqlite://{}", directory.join("fleet.db").display());
    let server = Server::start(&file, &log, &QUIET);
    let place = Whereabouts::at(&server.url);
    told(&place, "long", 300);
    told(&place, "short", 2);
    // While the service runs.
    let said = shell(&chapter()[4], &directory, &[("OTHER", other)]);
    let said = String::from_utf8(said.stdout).unwrap();
    assert!(said.contains("imported 2 agents with 302 records, skipped 0"), "{said}");
    assert_eq!(store(&["verify", other]).0, Some(0));
    let exported = directory.join("fleet.jsonl");
    let exported = exported.to_str().unwrap();
    // Once more: the same agents exist, and nothing happens to them.
    let (code, said, _) = store(&["import", other, exported]);
    assert!(code == Some(0) && said.contains("imported 2 agents with 302 records"), "{said}");
    let there = Server::start(other, &log, &QUIET);
    let there_place = Whereabouts::at(&there.url);
    for id in ["long", "short"] {
        assert_eq!(looks(&there_place, id), looks(&place, id), "{id}");
        let ask = |place: &Whereabouts| {
            request(place, &format!("/v1/agents/{id}/ask"), Some(&json!({}))).1
        };
        assert_eq!(ask(&there_place), ask(&place), "{id}");
    }
    // It has continued: it now differs from the exported agent.
    assert_eq!(tell_one(&there_place, "long", 300).0, 200);
    assert!(there.terminate().success());
    let (code, _, said) = store(&["import", other, exported]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("\"long\"") && said.contains("--skip-existing"), "{said}");
    let (code, said, _) = store(&["import", other, exported, "--skip-existing"]);
    assert!(code == Some(0) && said.contains("imported 1 agent with 2 records"), "{said}");
    assert!(said.contains("skipped 1"), "{said}");
    let (code, said, _) = store(&["stats", other, "--json"]);
    let stats: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(code, Some(0));
    assert_eq!((&stats["agents"], &stats["records"]), (&json!(2), &json!(303)), "{said}");
    assert_eq!(stats["largest_logs"][0], json!({"agent": "long", "records": 301}));
}

#[test]
fn an_export_continues_in_another_file() {
    let other = directory("export-other").join("other.db");
    exported_agents_continue("export", &format!("sqlite://{}", other.display()));
}

/// A file with three agents, two of them damaged, and an undamaged copy.
#[test]
fn damage_is_named_and_the_rest_survives() {
    let directory = directory("verify");
    let path = directory.join("fleet.db");
    let fleet = path.to_str().unwrap();
    let server = Server::start(&format!("sqlite://{fleet}"), &directory.join("log"), &QUIET);
    let place = Whereabouts::at(&server.url);
    for id in ["whole", "record", "snapshot", "receipt"] {
        told(&place, id, 300);
    }
    assert!(server.terminate().success());
    assert_eq!(store(&["verify", fleet]).0, Some(0));
    let number = "(SELECT number FROM agents WHERE id = ?1)";
    let damage = |sql: &str, id: &str| {
        let changed =
            Connection::open(&path).unwrap().execute(&sql.replace("NUMBER", number), [id]);
        assert_eq!(changed.unwrap(), 1, "{sql}");
    };
    damage(
        "UPDATE records SET body = replace(body, 'told', 'tolt') WHERE agent = NUMBER AND sequence = 7",
        "record",
    );
    damage("DELETE FROM records WHERE agent = NUMBER AND sequence = 9", "receipt");
    damage(
        "UPDATE snapshots SET body = (SELECT body FROM snapshots JOIN agents ON agent = number WHERE id = 'whole') WHERE agent = NUMBER",
        "snapshot",
    );
    for arguments in
        [&["verify", fleet][..], &["verify", fleet, "--quick"], &["verify", fleet, "--json"]]
    {
        let (code, said, _) = store(arguments);
        assert_eq!(code, Some(1), "{said}");
        for id in ["record", "snapshot", "receipt"] {
            assert!(
                said.contains(&format!("agent {id} is damaged"))
                    || said.contains(&format!("\"agent\":\"{id}\"")),
                "{said}"
            );
        }
        assert!(!said.contains("agent whole"), "{said}");
    }
    // Everything but the missing record is exported unchanged; damaged agents are not imported, the
    // others are.
    let exported = directory.join("fleet.jsonl");
    let output = gbandit().args(["store", "export", fleet]).output().unwrap();
    std::fs::write(&exported, &output.stdout).unwrap();
    let other = directory.join("other.db");
    let other = other.to_str().unwrap();
    let (code, said, errors) = store(&["import", other, exported.to_str().unwrap()]);
    assert_eq!(code, Some(1), "{said}{errors}");
    assert!(
        errors.contains("agent record is damaged: ") && errors.contains("record 7"),
        "{errors}"
    );
    let (_, said, _) = store(&["stats", other, "--json"]);
    let stats: Value = serde_json::from_str(&said).unwrap();
    let names: Vec<&str> = stats["largest_logs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|log| log["agent"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["snapshot", "whole"], "{said}");
    // A truncated file is noticed, and nothing of the truncated agent stays.
    let cut = &output.stdout[..output.stdout.len() * 9 / 10];
    std::fs::write(&exported, cut).unwrap();
    let third = directory.join("third.db");
    let third = third.to_str().unwrap();
    let (code, _, errors) = store(&["import", third, exported.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    assert!(errors.contains("of the export"), "{errors}");
    let (_, said, _) = store(&["stats", third, "--json"]);
    assert!(!said.contains("\"whole\""), "{said}");
}
