//! The computing time of this process, over all its threads.

/// Ticks per second in `/proc/self/stat`; the kernel converts to this number on every common
/// architecture.
const TICKS_PER_SECOND: f64 = 100.0;

/// Seconds of computing by all threads, in steps of a hundredth; `None` if the system does not
/// report it (only Linux does).
pub fn process_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    seconds_of(&stat)
}

/// The fourteenth and fifteenth fields: time in the program and in the kernel. The second field is
/// a name in parentheses that may contain anything.
fn seconds_of(stat: &str) -> Option<f64> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut ticks = after_name.split_whitespace().skip(11).map(str::parse::<u64>);
    let (user, system) = (ticks.next()?.ok()?, ticks.next()?.ok()?);
    Some((user + system) as f64 / TICKS_PER_SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_fields_after_any_name() {
        let stat = "7 (a) b (c)) R 1 7 7 0 -1 4194304 100 0 0 0 250 50 9 9 20 0 1 0 5 6 7";
        assert_eq!(seconds_of(stat), Some(3.0));
        assert_eq!(seconds_of("7 (a) R 1"), None);
        assert_eq!(seconds_of(""), None);
    }
}
