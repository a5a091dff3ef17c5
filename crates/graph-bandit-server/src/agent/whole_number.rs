//! Whole numbers in JSON, where `3` and `3.0` are the same number.

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;

/// Whole numbers up to here are exact as floating-point numbers.
pub(crate) const EXACT: f64 = 9_007_199_254_740_992.0;

/// Reads a whole number, for `#[serde(deserialize_with)]`.
pub(crate) fn whole_number<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    let WholeNumber(number) = WholeNumber::deserialize(from)?;
    let too_large = || D::Error::custom(format_args!("{number} is too large a number"));
    T::try_from(number).map_err(|_| too_large())
}

/// Reads a whole number that may be left out or null, for `#[serde(deserialize_with)]`.
pub(crate) fn optional_whole_number<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<u64>, D::Error> {
    Ok(Option::<WholeNumber>::deserialize(from)?.map(|WholeNumber(number)| number))
}

struct WholeNumber(u64);

impl<'de> Deserialize<'de> for WholeNumber {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(WholeNumberVisitor).map(Self)
    }
}

struct WholeNumberVisitor;

impl Visitor<'_> for WholeNumberVisitor {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, 0 or greater")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u64, E> {
        Ok(number)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<u64, E> {
        u64::try_from(number).map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<u64, E> {
        if (0.0..=EXACT).contains(&number) && number.fract() == 0.0 {
            Ok(number as u64)
        } else {
            Err(E::invalid_value(Unexpected::Float(number), &self))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Holder(#[serde(deserialize_with = "whole_number")] u32);

    #[test]
    fn other_spellings_of_a_number_are_read() {
        let read = |text: &str| serde_json::from_str::<Holder>(text).map(|Holder(number)| number);
        for text in ["3", "3.0", "3e0", "0.3e1"] {
            assert_eq!(read(text).unwrap(), 3, "{text}");
        }
        for text in ["-1", "3.5", "-3.0", "1e300", "4294967296", "\"3\"", "null", "[3]"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
