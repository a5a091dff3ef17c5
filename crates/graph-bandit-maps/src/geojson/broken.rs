//! Explains what is wrong with text that is not JSON.

use crate::error::Problem;

/// What is wrong with a text that begins after `line` lines of the file.
pub(super) fn broken(error: &serde_json::Error, text: &str, lines_before: u64) -> Problem {
    let line = error.line() as u64 + lines_before;
    let said = error.to_string();
    // The parser's line and column refer to the text, not to the file.
    let what = said.split(" at line ").next().unwrap_or(&said);
    let reason = match word_at(text, error.line(), error.column()) {
        Some(word) if word.parse().is_ok_and(|number: f64| !number.is_finite()) => {
            format!("{word} is not a JSON number; write a finite number")
        }
        Some(word) => format!("this is not GeoJSON: {what} at {word:?}; fix this line"),
        None => format!("this is not GeoJSON: {what}; fix this line"),
    };
    Problem::at(line.max(1), reason)
}

/// The word or number at a place counted from 1, with columns in bytes.
fn word_at(text: &str, line: usize, column: usize) -> Option<&str> {
    let line = text.split('\n').nth(line.checked_sub(1)?)?;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let bytes = line.as_bytes();
    // Parsers point at the first byte they do not expect, or at the last byte of a number.
    let place = column.checked_sub(1)?;
    let start = bytes.get(..place)?.iter().rposition(|byte| !is_part(byte)).map_or(0, |at| at + 1);
    let end =
        bytes[place..].iter().position(|byte| !is_part(byte)).map_or(bytes.len(), |at| place + at);
    line.get(start..end).filter(|word| !word.is_empty())
}
