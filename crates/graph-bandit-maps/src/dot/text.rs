//! Quoted text: `\"` is a quote; no other backslash has a meaning.

use crate::spelling;
use serde_json::Value;

/// The text between the quotes, without escapes; a backslash at the end of a line joins lines.
pub(super) fn unescaped(quoted: &str) -> String {
    let mut text = String::with_capacity(quoted.len());
    let mut characters = quoted.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match characters.next() {
            Some('"') => text.push('"'),
            Some('\n') => {}
            Some(other) => text.extend(['\\', other]),
            None => text.push('\\'),
        }
    }
    text
}

/// Whether a text can be quoted: [`quoted`] and [`unescaped`] return it unchanged.
pub(super) fn survives(text: &str) -> bool {
    let escaped = escaped(text);
    // A final backslash would escape the closing quote.
    let trailing = escaped.bytes().rev().take_while(|&byte| byte == b'\\').count();
    unescaped(&escaped) == text && trailing.is_multiple_of(2) && closes_late(&escaped)
}

/// Whether no inner quote ends the text early.
fn closes_late(escaped: &str) -> bool {
    let mut bytes = escaped.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b'"' => return false,
            _ => {}
        }
    }
    true
}

fn escaped(text: &str) -> String {
    text.replace('"', "\\\"")
}

/// The text in quotes, or bare if that means the same.
pub(super) fn quoted(text: &str) -> String {
    if is_bare(text) { text.to_owned() } else { format!("\"{}\"", escaped(text)) }
}

fn is_bare(text: &str) -> bool {
    let keywords = ["node", "edge", "graph", "digraph", "subgraph", "strict"];
    let is_word = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !keywords.iter().any(|keyword| text.eq_ignore_ascii_case(keyword));
    let number = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_word || (is_digits(whole) && is_digits(fraction))
}

/// The text of a value; [`spelling::value_of`] returns the value.
pub(super) fn text_of(value: &Value) -> String {
    let plain = spelling::text_of(value);
    if survives(&plain) {
        return plain;
    }
    // JSON can write a backslash and a quote by their numbers.
    let mut text = String::new();
    let json = value.to_string();
    let mut characters = json.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('\\') => text += "\\u005c",
                Some('"') => text += "\\u0022",
                Some(other) => text.extend(['\\', other]),
                None => {}
            },
            plain => text.push(plain),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_survive_quotes() {
        for value in [
            json!("plain"),
            json!("a \"b\" c"),
            json!("a\\"),
            json!("a\\\"b"),
            json!("\\\\"),
            json!("line\\\nbreak"),
            json!({"a": ["\"", "\\"]}),
            json!(""),
        ] {
            let text = text_of(&value);
            assert!(survives(&text), "{value}");
            let back = unescaped(&escaped(&text));
            assert_eq!(spelling::value_of(&back), value, "{text}");
        }
        for name in ["a\\", "a\\\"b"] {
            assert!(!survives(name), "{name}");
        }
        assert!(survives("\\N\\l"));
    }
}
