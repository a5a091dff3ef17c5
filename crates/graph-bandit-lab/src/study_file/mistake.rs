//! Explains a mistake in a study file: its line, and the key that was probably meant.

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

/// Adds the known name most similar to an unknown one.
pub(super) fn with_near_match(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let is_unknown = message.starts_with("unknown ");
    let (Some(given), true) = (quoted.next(), is_unknown) else { return message.to_owned() };
    let near = quoted
        .map(|known| (strsim::damerau_levenshtein(given, known), known))
        .min()
        .filter(|&(distance, known)| distance <= 1 + known.len() / 3);
    match near {
        Some((_, known)) => format!("{message}; did you mean `{known}`?"),
        None => message.to_owned(),
    }
}
