//! Numbers as people read and write them, in messages and specs.

use std::fmt;

/// Writes a number with the fewest digits that read back the same: `1e100` without its hundred
/// zeros, unlike `Display`, and `1` without a decimal point, unlike `Debug`.
pub(crate) struct Digits(pub(crate) f64);

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:?}", self.0);
        f.write_str(digits.strip_suffix(".0").unwrap_or(&digits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_digits() {
        let numbers = [1.0, -2.5, 0.1, -1e308, 5e-324, -0.0, f64::NAN, f64::INFINITY];
        let written = numbers.map(|number| Digits(number).to_string());
        assert_eq!(written, ["1", "-2.5", "0.1", "-1e308", "5e-324", "-0", "NaN", "inf"]);
    }
}
