//! The memory of this process.
//!
//! The peak of a process never falls, so each measurement runs in its own process.

/// The peak memory of this process, in bytes; `None` if the system does not report it (only Linux
/// does, in `/proc/self/status`).
pub fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    peak_of(&status)
}

fn peak_of(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_high_water_mark() {
        let status = "Name:\tx\nVmPeak:\t  99 kB\nVmHWM:\t    2048 kB\nVmRSS:\t 1 kB\n";
        assert_eq!(peak_of(status), Some(2 << 20));
        assert_eq!(peak_of("VmRSS:\t 1 kB\n"), None);
    }
}
