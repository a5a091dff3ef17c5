//! Metrics of the program: its version, start time and memory.

use super::{head, line};
use std::time::SystemTime;

/// The running program.
#[derive(Debug)]
pub(super) struct Program {
    /// Its start time, in seconds since 1970.
    started: f64,
}

impl Default for Program {
    /// The program, started now.
    fn default() -> Self {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        // Before 1970 only if the clock is not set.
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

/// The memory of this process in bytes; only on Linux.
fn resident_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    kilobytes.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1_024)
}
