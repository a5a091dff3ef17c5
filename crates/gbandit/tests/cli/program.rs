//! The program under test: how it is called and what it returned.

use serde_json::Value;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The result of a call.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The program with the given arguments, not yet started.
pub(crate) fn command<S: AsRef<OsStr>>(args: &[S]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gbandit"));
    command.args(args).stdin(Stdio::null());
    command
}

/// Runs the program to its end; it never panics, dies of a signal or writes anything but text.
pub(crate) fn gbandit<S: AsRef<OsStr>>(args: &[S]) -> Answer {
    let output = command(args).output().unwrap();
    let given: Vec<&OsStr> = args.iter().map(AsRef::as_ref).collect();
    let answer = Answer {
        code: output.status.code().expect("died of a signal"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    };
    assert!(!answer.stderr.contains("panicked"), "{given:?}: {answer:?}");
    answer
}

/// The arguments of `run`, written as one line without spaces inside an argument.
pub(crate) fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// The JSON object of `gbandit run ARGS --json`.
pub(crate) fn run_json(line: &str) -> Value {
    let args = [vec!["run"], words(line), vec!["--json"]].concat();
    let answer = gbandit(&args);
    assert_eq!(answer.code, 0, "{line}: {}", answer.stderr);
    // Tests about other things may have more noise than agents assume, or repeated edges.
    let is_warning = |line: &str| line.starts_with("warning: noise ") || line.starts_with("note: ");
    assert!(answer.stderr.lines().all(is_warning), "{line}: {}", answer.stderr);
    serde_json::from_str(&answer.stdout).unwrap()
}

/// Like [`run_json`], without wall-clock times.
pub(crate) fn timeless(line: &str) -> Value {
    let mut value = run_json(line);
    for agent in value["agents"].as_array_mut().unwrap() {
        let time = agent.as_object_mut().unwrap().remove("seconds_per_run_median");
        assert!(time.unwrap().as_f64().unwrap() >= 0.0, "{line}");
    }
    value
}

/// The only agent's object.
pub(crate) fn one_agent(line: &str) -> Value {
    let value = timeless(line);
    let agents = value["agents"].as_array().unwrap();
    assert_eq!(agents.len(), 1, "{line}");
    agents[0].clone()
}

/// The numbers of an array.
pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    let array = value.as_array().unwrap();
    array.iter().map(|x| x.as_f64().unwrap()).collect()
}

/// Asserts that a call fails with this exit code, no data, and a message with all of `parts`.
pub(crate) fn refuses<S: AsRef<OsStr>>(args: &[S], code: i32, parts: &[&str]) {
    let given: Vec<&OsStr> = args.iter().map(AsRef::as_ref).collect();
    let answer = gbandit(args);
    assert_eq!(answer.code, code, "{given:?}: {answer:?}");
    assert_eq!(answer.stdout, "", "{given:?}");
    assert!(answer.stderr.starts_with("error: "), "{given:?}: {answer:?}");
    for part in parts {
        assert!(answer.stderr.contains(part), "{given:?}: {part:?} in {answer:?}");
    }
}

/// A separate file for one test; its path.
pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gbandit-cli");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path.into_os_string().into_string().unwrap()
}
