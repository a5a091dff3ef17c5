//! What is wrong with text that is not JSON, and what would be right.

use crate::error::Problem;

/// What is wrong with a text that stands after so many lines of the file.
pub(super) fn broken(error: &serde_json::Error, text: &str, lines_before: u64) -> Problem {
    let line = error.line() as u64 + lines_before;
    let said = error.to_string();
    // Line and column that the parser names are those of the text, not of the file.
    let what = said.split(" at line ").next().unwrap_or(&said);
    let reason = match word_at(text, error.line(), error.column()) {
        Some(word) if word.parse().is_ok_and(|number: f64| !number.is_finite()) => {
            format!("{word} is not a number of GeoJSON; write a finite number")
        }
        Some(word) => format!("this is not GeoJSON: {what} at {word:?}; mend this line"),
        None => format!("this is not GeoJSON: {what}; mend this line"),
    };
    Problem::at(line.max(1), reason)
}

/// The word or number about a place that is counted from 1, columns in bytes.
fn word_at(text: &str, line: usize, column: usize) -> Option<&str> {
    let line = text.split('\n').nth(line.checked_sub(1)?)?;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let bytes = line.as_bytes();
    // Parsers point at the first byte of what they do not expect, or at the last of a number.
    let place = column.checked_sub(1)?;
    let start = bytes.get(..place)?.iter().rposition(|byte| !is_part(byte)).map_or(0, |at| at + 1);
    let end =
        bytes[place..].iter().position(|byte| !is_part(byte)).map_or(bytes.len(), |at| place + at);
    line.get(start..end).filter(|word| !word.is_empty())
}
