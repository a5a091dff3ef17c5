//! The service as a separate process.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
#[cfg(unix)]
use std::process::{ChildStderr, ExitStatus};

/// A running service; killed at the latest when dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) url: String,
}

/// A fresh directory for one test.
pub(crate) fn directory(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("service").join(name);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

pub(crate) fn gbandit() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gbandit"));
    command.stdin(Stdio::null());
    command
}

/// A token with a name and scope: the line to keep, and the token itself.
#[cfg(unix)]
pub(crate) fn token(name: &str, scope: &str) -> (String, String) {
    let made = gbandit().args(["token", name, "--scope", scope]).output().unwrap();
    let said = String::from_utf8(made.stderr).unwrap();
    let token = said.trim().rsplit(' ').next().unwrap().to_owned();
    (String::from_utf8(made.stdout).unwrap(), token)
}

/// Sends a signal with the shell: not every system has a program for it.
#[cfg(unix)]
pub(crate) fn signal(name: &str, process: &str) -> Command {
    let mut command = Command::new("bash");
    command.args(["-c", "kill -s \"$0\" \"$1\"", name, process]);
    command
}

impl Server {
    /// Starts on a free port and waits until it listens. It logs to a file.
    pub(crate) fn start(store: &str, log: &Path, more: &[&str]) -> Self {
        Self::start_by(gbandit(), store, log, more)
    }

    /// Like [`start`](Self::start), with a command that ends in the program's name.
    pub(crate) fn start_by(command: Command, store: &str, log: &Path, more: &[&str]) -> Self {
        let log = std::fs::OpenOptions::new().create(true).append(true).open(log).unwrap();
        Self::start_with(command, store, log.into(), more)
    }

    /// Like [`start_by`](Self::start_by), with any log.
    pub(crate) fn start_with(mut command: Command, store: &str, log: Stdio, more: &[&str]) -> Self {
        command.args(["serve", "--store", store]).args(more);
        if !more.contains(&"--listen") {
            command.args(["--listen", "127.0.0.1:0"]);
        }
        Self::listening(command.stderr(log))
    }

    /// A command that serves; waits until it listens.
    pub(crate) fn listening(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim().strip_prefix("listening on ").expect(&line).to_owned();
        Self { child, url }
    }

    #[cfg(unix)]
    pub(crate) fn pid(&self) -> String {
        self.child.id().to_string()
    }

    /// The other end of its log, if that is a pipe.
    #[cfg(unix)]
    pub(crate) fn log(&mut self) -> ChildStderr {
        self.child.stderr.take().expect("the log is a pipe")
    }

    /// SIGKILL or its equivalent: no time to finish anything.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// SIGTERM; returns its exit status.
    #[cfg(unix)]
    pub(crate) fn terminate(mut self) -> ExitStatus {
        assert!(signal("TERM", &self.pid()).status().unwrap().success());
        self.child.wait().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
