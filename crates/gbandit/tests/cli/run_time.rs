//! Around a run: closed pipes, full disks.

use crate::program::command;
use std::io::pipe;

const RUN: [&str; 7] = ["run", "--graph", "line:3", "--steps", "50", "--runs", "2"];

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    for args in [&["list"][..], &RUN, &[&RUN[..], &["--json"]].concat(), &["--help"]] {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let output = command(args).stdout(writer).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{args:?}");
    }
}

#[test]
fn an_error_without_a_reader_keeps_its_exit_code() {
    let (reader, writer) = pipe().unwrap();
    drop(reader);
    let status = command(&["run", "--graph", "gird:3x3"]).stderr(writer).status();
    assert_eq!(status.unwrap().code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure_at_run_time() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for args in [&["list"][..], &RUN, &[&RUN[..], &["--json"]].concat()] {
        let output = command(args).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.starts_with("error: ") && !message.contains("panicked"), "{message}");
    }
    let status = command(&["run", "--graph", "no-such-file"]).stderr(full()).status();
    assert_eq!(status.unwrap().code(), Some(3));
}
