//! Faults beneath a service: system calls that fail, a directory that cannot be written.

use crate::process::{Server, gbandit, signal};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Makes some system calls of a service fail, until dropped.
pub(crate) struct Failing {
    strace: Child,
}

impl Failing {
    /// From now on these calls (by their names in `strace`) fail with this error.
    pub(crate) fn of(server: &Server, calls: &str, error: &str) -> Self {
        let injection = format!("inject={calls}:error={error}");
        let strace = Command::new("strace")
            .args(["--follow-forks", "--quiet=all", "--output=/dev/null", "--trace", calls])
            .args(["-e", &injection, "--attach", &server.pid()])
            .stdin(Stdio::null())
            .spawn()
            .expect("strace is a package of that name");
        let mut failing = Self { strace };
        let threads = format!("/proc/{}/task", server.pid());
        while !all_traced(&threads) {
            let ended = failing.strace.try_wait().unwrap();
            assert!(ended.is_none(), "strace may not attach here: {ended:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
        failing
    }
}

fn all_traced(threads: &str) -> bool {
    let traced = |thread: std::io::Result<std::fs::DirEntry>| {
        // A thread that has just ended has no status.
        let status = std::fs::read_to_string(thread.unwrap().path().join("status"));
        status.is_ok_and(|status| !status.contains("TracerPid:\t0\n"))
    };
    std::fs::read_dir(threads).unwrap().all(traced)
}

impl Drop for Failing {
    fn drop(&mut self) {
        // It needs time to detach from the service.
        let _ = signal("TERM", &self.strace.id().to_string()).status();
        let _ = self.strace.wait();
    }
}

/// The program with a directory that is read-only for it.
pub(crate) fn with_read_only(directory: &Path) -> Command {
    let mut command = Command::new("unshare");
    let script = "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" && exec \"$@\"";
    command.args(["--map-root-user", "--mount", "bash", "-c", script]);
    command.arg(directory).arg(gbandit().get_program()).stdin(Stdio::null());
    command
}
