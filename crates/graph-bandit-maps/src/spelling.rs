//! Values as plain text, for formats without types: text that reads as JSON is JSON, all other text
//! is text, and text that would read as something else is quoted.

use serde_json::Value;

/// Longer texts are not parsed: a list takes many times the memory of its text.
const LONGEST: usize = 1 << 20;

/// The value of a text.
pub(crate) fn value_of(text: &str) -> Value {
    let plain = || Value::String(text.to_owned());
    let may_be_json = matches!(
        text.as_bytes().first(),
        Some(b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n' | b'[' | b'{')
    );
    if !may_be_json || text.len() > LONGEST || text.trim() != text {
        return plain();
    }
    match serde_json::from_str(text) {
        // More digits than a number holds would be lost.
        Ok(Value::Number(number)) if number.is_f64() && is_digits(text) => plain(),
        Ok(value) => value,
        Err(_) => plain(),
    }
}

/// The text of a value: [`value_of`] returns the value.
pub(crate) fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) if text.trim() == text && !text.is_empty() => {
            let reads_back = matches!(value_of(text), Value::String(back) if back == *text);
            if reads_back { text.clone() } else { value.to_string() }
        }
        other => other.to_string(),
    }
}

fn is_digits(text: &str) -> bool {
    text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit())
}

/// The finite number of a value or of its text.
pub(crate) fn number_of(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number| number.is_finite())
}

/// The integer in `3.0`, `3.00` or `3.`, as written in `3`; `None` for any other text.
pub(crate) fn whole_number(id: &str) -> Option<&str> {
    let (whole, fraction) = id.split_once('.').unwrap_or((id, ""));
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let is_whole = !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'))
        && whole != "-0"
        && fraction.bytes().all(|byte| byte == b'0');
    is_whole.then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn text_becomes_the_value_it_spells() {
        for (text, value) in [
            ("3", json!(3)),
            ("3.0", json!(3.0)),
            ("-1e3", json!(-1000.0)),
            ("true", json!(true)),
            ("null", json!(null)),
            ("[1,2]", json!([1, 2])),
            ("Main Street", json!("Main Street")),
            ("007", json!("007")),
            ("NaN", json!("NaN")),
            ("", json!("")),
            (" 3", json!(" 3")),
            ("\"3\"", json!("3")),
            ("123456789012345678901234567890", json!("123456789012345678901234567890")),
        ] {
            assert_eq!(value_of(text), value, "{text:?}");
        }
    }

    #[test]
    fn every_value_survives_its_spelling() {
        for value in [
            json!(3),
            json!(3.0),
            json!(-0.0),
            json!(u64::MAX),
            json!(i64::MIN),
            json!(0.1),
            json!(1e300),
            json!("3"),
            json!("true"),
            json!(""),
            json!(" a "),
            json!("\"a\""),
            json!("a \" b"),
            json!({"a": [null, {"b": 1}]}),
        ] {
            assert_eq!(value_of(&text_of(&value)), value, "{value}");
        }
    }

    #[test]
    fn whole_numbers() {
        for (id, whole) in [("3.0", "3"), ("3", "3"), ("-3.00", "-3"), ("0", "0"), ("10.", "10")] {
            assert_eq!(whole_number(id), Some(whole), "{id}");
        }
        for id in ["", ".", ".0", "3.1", "03", "+3", "3e0", "-0", "a", "3.0.0", "-"] {
            assert_eq!(whole_number(id), None, "{id}");
        }
    }
}
