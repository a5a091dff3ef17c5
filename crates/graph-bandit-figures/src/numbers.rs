//! Number formats of figures and pages.

pub(super) fn exp10(exponent: f64) -> f64 {
    libm::pow(10.0, exponent)
}

/// `digits * 10^exponent`, written out if that is short.
pub(super) fn power_label(value: f64) -> String {
    let exponent = libm::floor(libm::log10(value) + 1e-9) as i32;
    if (-3..=5).contains(&exponent) {
        return grouped(value, (-exponent).max(0) as usize);
    }
    let digits = value / exp10(f64::from(exponent));
    let power = format!("10{}", superscript(exponent));
    if (digits - 1.0).abs() < 1e-6 { power } else { format!("{}×{power}", grouped(digits, 0)) }
}

/// A number with this many decimals, commas between thousands, and a true minus sign.
pub fn grouped(value: f64, decimals: usize) -> String {
    let plain = format!("{:.decimals$}", value.abs());
    let (whole, fraction) =
        plain.split_once('.').map_or((plain.as_str(), None), |(w, f)| (w, Some(f)));
    let mut text = String::new();
    if value < 0.0 && plain.bytes().any(|b| b.is_ascii_digit() && b != b'0') {
        text.push('−');
    }
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    if let Some(fraction) = fraction {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

/// A number with about three significant digits, for reading off a drawing.
pub fn short(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let exponent = libm::floor(libm::log10(value.abs()) + 1e-12) as i32;
    if (-4..=6).contains(&exponent) {
        return grouped(value, (2 - exponent).max(0) as usize);
    }
    format!("{}×10{}", grouped(value / exp10(f64::from(exponent)), 2), superscript(exponent))
}

pub(super) fn superscript(exponent: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |c: char| c.to_digit(10).map_or('⁻', |d| DIGITS[d as usize]);
    exponent.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers() {
        assert_eq!(
            [0.0, 1.684, 11.88, 412.3, 20_512.0, -0.05].map(short),
            ["0", "1.68", "11.9", "412", "20,512", "−0.0500"]
        );
        assert_eq!(short(3.2e-9), "3.20×10⁻⁹");
    }
}
