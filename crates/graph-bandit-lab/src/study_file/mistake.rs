//! Finds the line of a mistake in a study file.

/// The line of an unknown key. Inside a table with a `kind`, the parser only knows where the table
/// starts; the key is on that line or below.
pub(super) fn line_of_key(text: &str, from: u64, message: &str) -> u64 {
    let Some(key) = message.strip_prefix("unknown field `").and_then(|m| m.split('`').next())
    else {
        return from;
    };
    let has_key = |line: &str| {
        let line = line.trim_start().trim_start_matches(['"', '\'']);
        line.strip_prefix(key)
            .is_some_and(|rest| rest.trim_start_matches(['"', '\'']).trim_start().starts_with('='))
    };
    let below = text.lines().skip(from as usize - 1).position(has_key);
    below.map_or(from, |lines| from + lines as u64)
}
