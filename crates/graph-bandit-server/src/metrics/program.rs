//! The program itself: its version, since when it runs, how much memory it has.

use super::{head, line};
use std::time::SystemTime;

/// The program that counts.
#[derive(Debug)]
pub(super) struct Program {
    /// In seconds since 1970.
    started: f64,
}

impl Default for Program {
    /// It begins to count when it begins to serve.
    fn default() -> Self {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        // Before 1970 only where no clock is set.
        Self { started: since.map_or(0.0, |since| since.as_secs_f64()) }
    }
}

impl Program {
    pub(super) fn write(&self, text: &mut String) {
        let name = "gbandit_build_info";
        head(text, (name, "gauge"), "The version of the program; always 1.");
        line(text, format_args!("{name}{{version=\"{}\"}} 1", env!("CARGO_PKG_VERSION")));
        let name = "process_start_time_seconds";
        head(text, (name, "gauge"), "When the service started, in seconds since 1970.");
        line(text, format_args!("{name} {:.3}", self.started));
        if let Some(bytes) = resident_memory() {
            let name = "process_resident_memory_bytes";
            head(text, (name, "gauge"), "Memory of the process.");
            line(text, format_args!("{name} {bytes}"));
        }
    }
}

/// The memory of this process in bytes, where the system says so: on Linux.
fn resident_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    kilobytes.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1_024)
}
