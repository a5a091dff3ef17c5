//! Numbers as people read them.

/// Values up to this count as zero: regret and reward are sums with many rounding errors.
const MERE_ROUNDING: f64 = 1e-9;

/// `12345.6` as `12,346`; with decimals below 100, where they matter, and with an exponent if there
/// would be only zeros or too many digits.
pub(crate) fn rounded(x: f64) -> String {
    let decimals = match x.abs() {
        tiny if tiny > MERE_ROUNDING && tiny < 0.000_995 => return format!("{x:.1e}"),
        huge if huge.is_finite() && huge >= 1e15 => return format!("{x:.3e}"),
        tiny if tiny > MERE_ROUNDING && tiny < 0.009_95 => 4,
        tiny if tiny > MERE_ROUNDING && tiny < 0.0995 => 3,
        small if small < 9.995 => 2,
        middling if middling < 99.95 => 1,
        _ => 0,
    };
    // Not "-0.00".
    let x = if x.abs() <= MERE_ROUNDING { 0.0 } else { x };
    grouped(&format!("{x:.decimals$}"))
}

/// A whole number in groups of three digits.
pub(crate) fn with_commas(x: impl Into<u64>) -> String {
    grouped(&x.into().to_string())
}

/// A number of things: `1 agent`, `2 agents`.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", with_commas(number))
}

fn grouped(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
    let (whole, fraction) = match digits.find('.') {
        Some(point) => digits.split_at(point),
        None => (digits, ""),
    };
    if !whole.bytes().all(|byte| byte.is_ascii_digit()) {
        return number.to_owned();
    }
    let mut groups = String::new();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            groups.push(',');
        }
        groups.push(digit);
    }
    format!("{sign}{groups}{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_and_grouped() {
        assert_eq!(rounded(12_345.6), "12,346");
        assert_eq!(rounded(-1_234_567.0), "-1,234,567");
        assert_eq!(rounded(99.97), "100");
        assert_eq!(rounded(12.345), "12.3");
        assert_eq!(rounded(0.5), "0.50");
        assert_eq!(rounded(-0.125), "-0.12");
        assert_eq!(rounded(0.0), "0.00");
        assert_eq!(rounded(0.1), "0.10");
        assert_eq!(rounded(0.05), "0.050");
        assert_eq!(rounded(0.001_23), "0.0012");
        assert_eq!((rounded(1e-13), rounded(-1e-13)), ("0.00".into(), "0.00".into()));
        assert_eq!(rounded(-0.000_123), "-1.2e-4");
        assert_eq!(rounded(6.126_702e101), "6.127e101");
        assert_eq!(rounded(f64::NAN), "NaN");
        assert_eq!(with_commas(20_000_u64), "20,000");
        assert_eq!(with_commas(999_u32), "999");
    }

    #[test]
    fn only_one_thing_is_singular() {
        assert_eq!(counted(0, "agent"), "0 agents");
        assert_eq!(counted(1, "agent"), "1 agent");
        assert_eq!(counted(1_000, "record"), "1,000 records");
    }
}
