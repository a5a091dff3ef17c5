//! Numbers for readers.

const MINUS: char = '\u{2212}';

/// Commas between thousands, about three digits: `12,345`, `67.8`, `0.42`.
pub(crate) fn number(x: f64) -> String {
    if !x.is_finite() {
        return "?".to_owned();
    }
    let decimals = match x.abs() {
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        _ => 2,
    };
    let digits = format!("{:.decimals$}", x.abs());
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let mut text = String::new();
    if x < 0.0 && digits.chars().any(|c| c.is_ascii_digit() && c != '0') {
        text.push(MINUS);
    }
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

/// Like [`number`], with a sign also when positive.
pub(crate) fn signed(x: f64) -> String {
    let text = number(x);
    if x > 0.0 && !text.starts_with('?') { format!("+{text}") } else { text }
}

/// A share in whole percent.
pub(crate) fn percent(share: f64) -> String {
    let whole = (100.0 * share).round();
    let sign = if whole < 0.0 { "\u{2212}" } else { "" };
    format!("{sign}{:.0}%", whole.abs())
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list(parts: &[String]) -> String {
    match parts {
        [] => "none".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_readable() {
        let texts = [
            (1_234_567.0, "1,234,567"),
            (999.96, "1,000"),
            (123.4, "123"),
            (12.34, "12.3"),
            (-1.234, "\u{2212}1.23"),
            (-0.001, "0.00"),
            (f64::NAN, "?"),
        ];
        for (x, text) in texts {
            assert_eq!(number(x), text);
        }
        assert_eq!(
            (signed(3.0), signed(-3.0), signed(0.0)),
            ("+3.00".into(), "\u{2212}3.00".into(), "0.00".into())
        );
        assert_eq!(
            (percent(0.456), percent(-0.001), percent(-0.2)),
            ("46%".into(), "0%".into(), "\u{2212}20%".into())
        );
        let parts: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!(
            (list(&parts), list(&parts[..1]), list(&[])),
            ("a, b and c".into(), "a".into(), "none".into())
        );
    }
}
