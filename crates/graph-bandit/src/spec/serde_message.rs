//! Serde's messages for people who do not write Rust.

use crate::nearest_name;

/// Rust's names for what a value must be, and ours.
const EXPECTED: [(&[&str], &str); 6] = [
    (&["u64", "usize"], "a whole number, 0 or greater"),
    (&["u32"], "a whole number from 0 to 4294967295"),
    (&["i64", "i32", "isize"], "a whole number"),
    (&["a nonzero u32", "a nonzero u64", "a nonzero usize"], "a whole number, 1 or greater"),
    (&["f32", "f64"], "a number"),
    (&["a sequence"], "a list"),
];

/// What serde says about JSON or TOML that does not fit, without Rust's names of types, and with
/// the name that was probably meant.
///
/// ```
/// use graph_bandit::spec::in_plain_words;
/// let said = "invalid type: string \"ten\", expected u64 at line 2 column 9";
/// let plain = "invalid type: string \"ten\", expected a whole number, 0 or greater at line 2 column 9";
/// assert_eq!(in_plain_words(said), plain);
/// let said = "unknown field `stpes`, expected one of `runs`, `steps`";
/// assert_eq!(in_plain_words(said), format!("{said}; did you mean `steps`?"));
/// ```
pub fn in_plain_words(message: &str) -> String {
    let mut plain = message.to_owned();
    // The last one: a value in the message may contain the same words.
    if let Some(at) = plain.rfind(", expected ") {
        let expected = plain.split_off(at + ", expected ".len());
        plain += &without_types(&expected);
    }
    let before_names = message.split('`').next().unwrap_or_default();
    if before_names.ends_with("unknown field ") || before_names.ends_with("unknown variant ") {
        let mut quoted = message.split('`').skip(1).step_by(2);
        let near = quoted.next().and_then(|given| nearest_name(given, quoted));
        plain += &near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    }
    plain
}

fn without_types(expected: &str) -> String {
    let (kind, place) = match expected.find(" at line ") {
        Some(at) => expected.split_at(at),
        None => (expected, ""),
    };
    let named = EXPECTED.iter().find(|(rust, _)| rust.contains(&kind));
    let plain = named.map_or(kind, |(_, plain)| plain);
    let plain = if plain.starts_with("struct ") { "an object" } else { plain };
    format!("{plain}{place}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use std::num::NonZeroU64;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only their types matter")]
    struct Settings {
        steps: u64,
        runs: Option<NonZeroU64>,
        scale: Option<f64>,
        title: Option<String>,
        agents: Option<Vec<String>>,
    }

    fn said(json: &str) -> String {
        in_plain_words(&serde_json::from_str::<Settings>(json).unwrap_err().to_string())
    }

    #[test]
    fn types_have_plain_names() {
        for (json, expected) in [
            (
                r#"{"steps": "ten"}"#,
                "string \"ten\", expected a whole number, 0 or greater at line 1",
            ),
            (r#"{"steps": -1}"#, "integer `-1`, expected a whole number, 0 or greater at line 1"),
            (r#"{"runs": 0}"#, "integer `0`, expected a whole number, 1 or greater at line 1"),
            (r#"{"scale": "wide"}"#, "string \"wide\", expected a number at line 1"),
            (r#"{"title": 3}"#, "integer `3`, expected a string at line 1"),
            (r#"{"agents": 3}"#, "integer `3`, expected a list at line 1"),
            ("3", "integer `3`, expected an object at line 1"),
        ] {
            assert!(said(json).contains(expected), "{}", said(json));
        }
    }

    #[test]
    fn a_near_name_is_suggested_and_a_far_one_is_not() {
        assert!(said(r#"{"stpes": 1}"#).ends_with("; did you mean `steps`?"));
        assert!(!said(r#"{"colour": 1}"#).contains("did you mean"));
        let nested = in_plain_words("the body: unknown field `stpes`, expected `steps`");
        assert!(nested.ends_with("; did you mean `steps`?"), "{nested}");
    }

    #[test]
    fn words_inside_a_value_stay() {
        let value = said(r#"{"steps": "no, expected u64"}"#);
        assert!(value.contains("\"no, expected u64\", expected a whole number, 0"), "{value}");
    }
}
