//! The systemd unit and the Containerfile start a working service: their flags are accepted, their
//! health checks answered, and the service makes no system call that the unit forbids.

use crate::process::{Server, directory, gbandit, token};
use crate::robot::{Robot, Whereabouts};
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = "/usr/local/bin/gbandit";

fn deployed(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy").join(name);
    std::fs::read_to_string(file).unwrap()
}

/// The words after `ExecStart=`.
fn command_of_unit() -> Vec<String> {
    let unit = deployed("gbandit.service").replace("\\\n", " ");
    let line = unit.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
    line.split_whitespace().map(str::to_owned).collect()
}

/// The words of an instruction with an array.
fn words_of_image(instruction: &str) -> Vec<String> {
    let file = deployed("Containerfile");
    let given = file.lines().find(|line| line.starts_with(instruction)).unwrap();
    serde_json::from_str(&given[given.find('[').unwrap()..]).unwrap()
}

/// The output of `--check` for a service started with these words, in this test's directory.
fn checked(words: &[String], name: &str) -> String {
    let (program, flags) = words.split_first().unwrap();
    assert_eq!(program, PROGRAM);
    let directory = directory(name);
    std::fs::write(directory.join("tokens"), token("office", "admin").0).unwrap();
    let here = |flag: &String| {
        let place = directory.display().to_string();
        let moved = flag.replace("/var/lib/gbandit", &place).replace("/etc/gbandit", &place);
        moved.replace(":8080", ":0")
    };
    let checked = gbandit().args(flags.iter().map(here)).arg("--check").output().unwrap();
    let said = String::from_utf8([checked.stdout, checked.stderr].concat()).unwrap();
    assert_eq!(checked.status.code(), Some(0), "{said}");
    said
}

#[test]
fn the_deployed_commands_can_start() {
    let image = [words_of_image("ENTRYPOINT"), words_of_image("CMD")].concat();
    for (words, name, listens) in [
        (command_of_unit(), "deployed-unit", "127.0.0.1:0 is free"),
        (image, "deployed-image", "0.0.0.0:0 is free"),
    ] {
        let said = checked(&words, name);
        assert!(said.contains("ok: tokens: 1 in the file"), "{said}");
        assert!(said.contains(listens) && said.contains("fleet.db does not exist"), "{said}");
    }
}

#[test]
fn systemd_understands_the_unit() {
    let file = directory("unit").join("gbandit.service");
    let unit = deployed("gbandit.service").replace(PROGRAM, env!("CARGO_BIN_EXE_gbandit"));
    std::fs::write(&file, unit).unwrap();
    let verify = Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&file).output();
    let verified = verify.expect("systemd-analyze is in the package systemd");
    // It reports what it does not understand and continues.
    assert_eq!(String::from_utf8_lossy(&verified.stderr), "");
    assert!(verified.status.success());
}

fn ready(server: &str) -> Output {
    let words = words_of_image("HEALTHCHECK");
    assert_eq!(words[0], PROGRAM);
    gbandit().args(&words[1..]).args(["--server", server]).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8([&*output.stdout, &*output.stderr].concat()).unwrap()
}

#[test]
fn the_image_asks_whether_it_is_ready() {
    let log = directory("ready").join("log");
    let server = Server::start("memory:", &log, &[]);
    let url = server.url.clone();
    let answer = ready(&url);
    assert!(answer.status.success() && said(&answer) == "ready\n", "{answer:?}");
    assert!(ready(&format!("{url}/")).status.success());
    assert!(server.terminate().success());
    let answer = ready(&url);
    assert_eq!(answer.status.code(), Some(1), "{answer:?}");
    assert!(said(&answer).contains(&format!("error: {url}/readyz does not answer")), "{answer:?}");

    let answer = ready("localhost:8080");
    let expected =
        "error: --server: \"localhost:8080\" is not a URL; write http://localhost:8080\n";
    assert_eq!(said(&answer), expected);

    // A service that runs but cannot store reports.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let service = std::thread::spawn(move || {
        let (mut asker, _) = listener.accept().unwrap();
        assert!(asker.read(&mut [0; 4096]).unwrap() > 0);
        let body = r#"{"status": 503, "detail": "the disk is full"}"#;
        let length = body.len();
        write!(asker, "HTTP/1.1 503 No\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
    });
    let answer = ready(&url);
    service.join().unwrap();
    assert_eq!(answer.status.code(), Some(1), "{answer:?}");
    let expected = format!("error: {url}/readyz answers 503: the disk is full\n");
    assert_eq!(said(&answer), expected);
}

/// The names of all system calls in a systemd set, including the sets within it.
fn calls_in(set: &str) -> BTreeSet<String> {
    let listed = Command::new("systemd-analyze").args(["syscall-filter", set]).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let within = |line: &str| match line.trim() {
        name if name == set || name.is_empty() || name.starts_with('#') => BTreeSet::new(),
        name if name.starts_with('@') => calls_in(name),
        name => BTreeSet::from([name.to_owned()]),
    };
    listed.lines().flat_map(within).collect()
}

#[test]
fn the_unit_allows_every_system_call_that_the_service_makes() {
    let directory = directory("system-calls");
    let calls = directory.join("calls");
    let made = Command::new("mkfifo").arg(&calls).status().unwrap();
    assert!(made.success());
    let reader = std::thread::spawn({
        let calls = calls.clone();
        move || std::fs::read_to_string(calls).unwrap()
    });
    let mut traced = Command::new("strace");
    // -D: the started process is the service itself, so signals reach it.
    traced.args(["-D", "-f", "-qq", "-o"]).arg(&calls).arg(env!("CARGO_BIN_EXE_gbandit"));
    let store = format!("sqlite://{}", directory.join("fleet.db").display());
    let server = Server::start_by(traced, &store, &directory.join("log"), &[]);
    Robot::new("a", "g-star", &Whereabouts::at(&server.url)).work(20, &|| {});
    assert!(server.terminate().success());
    let text = reader.join().unwrap();
    let name = |line: &str| {
        let call = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
        let (name, _) = call.split_once('(')?;
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then(|| name.to_owned())
    };
    let made: BTreeSet<String> = text.lines().filter_map(name).collect();
    assert!(made.contains("fdatasync") || made.contains("fsync"), "{made:?}");
    let unit = deployed("gbandit.service");
    let set = unit.lines().find_map(|line| line.strip_prefix("SystemCallFilter=")).unwrap();
    let allowed = calls_in(set);
    let forbidden: Vec<_> = made.difference(&allowed).collect();
    assert!(forbidden.is_empty(), "{forbidden:?}");
}
