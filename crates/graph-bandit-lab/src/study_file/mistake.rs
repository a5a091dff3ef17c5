//! Finds the line of a mistake in a study file, and says what to write instead.

use graph_bandit::MAX_VISITS;
use graph_bandit::spec::in_plain_words;

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

/// What is wrong, and what to write instead if the line shows it.
pub(super) fn in_words(text: &str, line: Option<u64>, message: &str) -> String {
    let line = line.and_then(|line| text.lines().nth((line as usize).checked_sub(1)?));
    let line = line.unwrap_or_default().trim();
    let plain = in_plain_words(message);
    if message.starts_with("invalid type: map, expected a sequence") {
        let name = line.strip_prefix('[').filter(|line| !line.starts_with('['));
        let name = name.and_then(|line| line.split(']').next()).map(str::trim);
        return name.map_or_else(|| plain.clone(), |name| format!("{plain}; write [[{name}]]"));
    }
    let is_too_large = message.contains(" as i128") || message.contains(" as u128");
    if is_too_large || message.contains("integer number overflowed") {
        let key = line.split('=').next().unwrap_or_default().trim();
        let most = if key == "steps" { MAX_VISITS } else { u64::MAX };
        return format!("the number is out of range; write a whole number from 0 to {most}");
    }
    plain
}
