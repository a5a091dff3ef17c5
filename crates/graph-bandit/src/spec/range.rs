//! The allowed numbers of a parameter.

use crate::digits::Digits;
use crate::reward::MAX_MAGNITUDE;
use serde_json::{Value as Json, json};
use std::fmt;

/// One end of a range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum End {
    /// The number itself is in the range.
    At(f64),
    /// The number itself is not in the range.
    Beyond(f64),
}

/// All numbers between two ends; never infinite, never NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The lower end.
    pub from: End,
    /// The upper end.
    pub to: End,
}

impl Range {
    /// Any finite number of at least 0.
    pub const ZERO_OR_MORE: Self = Self::closed(0.0, f64::MAX);
    /// A size that may be 0 and whose square is finite.
    pub const SIZE: Self = Self::closed(0.0, MAX_MAGNITUDE);
    /// A size large enough that its product with a mean is a valid parameter of a law.
    pub const POSITIVE_SIZE: Self = Self::closed(1e-90, MAX_MAGNITUDE);
    /// A number whose square is finite.
    pub const ANY: Self = Self::closed(-MAX_MAGNITUDE, MAX_MAGNITUDE);
    /// A probability.
    pub const PROBABILITY: Self = Self::closed(0.0, 1.0);
    /// A probability other than 0.
    pub const POSITIVE_PROBABILITY: Self = Self { from: End::Beyond(0.0), to: End::At(1.0) };
    /// A probability other than 0 and 1.
    pub const OPEN_PROBABILITY: Self = Self { from: End::Beyond(0.0), to: End::Beyond(1.0) };

    /// The numbers from `from` to `to`, both ends included.
    pub const fn closed(from: f64, to: f64) -> Self {
        Self { from: End::At(from), to: End::At(to) }
    }

    /// Whether `number` is in the range.
    pub fn contains(&self, number: f64) -> bool {
        let from = match self.from {
            End::At(end) => end <= number,
            End::Beyond(end) => end < number,
        };
        let to = match self.to {
            End::At(end) => number <= end,
            End::Beyond(end) => number < end,
        };
        from && to && number.is_finite()
    }

    /// The range as JSON Schema.
    pub(super) fn schema(&self) -> Json {
        let mut schema = json!({"type": "number"});
        let mut say = |key: &str, end: f64| {
            if end.abs() < f64::MAX {
                schema[key] = end.into();
            }
        };
        match self.from {
            End::At(end) => say("minimum", end),
            End::Beyond(end) => say("exclusiveMinimum", end),
        }
        match self.to {
            End::At(end) => say("maximum", end),
            End::Beyond(end) => say("exclusiveMaximum", end),
        }
        schema
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from, self.to) {
            (End::At(from), End::At(f64::MAX)) => write!(f, "{} or more", Digits(from)),
            (End::At(from), End::At(to)) => write!(f, "from {} to {}", Digits(from), Digits(to)),
            (from, to) => {
                match from {
                    End::At(from) => write!(f, "at least {}", Digits(from))?,
                    End::Beyond(from) => write!(f, "above {}", Digits(from))?,
                }
                match to {
                    End::At(to) => write!(f, " and at most {}", Digits(to)),
                    End::Beyond(to) => write!(f, " and below {}", Digits(to)),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_belong_or_do_not() {
        let belong = |range: Range| [0.0, 0.5, 1.0].map(|number| range.contains(number));
        assert_eq!(belong(Range::PROBABILITY), [true, true, true]);
        assert_eq!(belong(Range::POSITIVE_PROBABILITY), [false, true, true]);
        assert_eq!(belong(Range::OPEN_PROBABILITY), [false, true, false]);
        for number in [f64::NAN, f64::INFINITY, -1e-12] {
            assert!(!Range::ZERO_OR_MORE.contains(number), "{number}");
        }
    }

    #[test]
    fn ranges_read_as_english() {
        assert_eq!(Range::ZERO_OR_MORE.to_string(), "0 or more");
        assert_eq!(Range::SIZE.to_string(), "from 0 to 1e100");
        assert_eq!(Range::POSITIVE_PROBABILITY.to_string(), "above 0 and at most 1");
        assert_eq!(Range::OPEN_PROBABILITY.to_string(), "above 0 and below 1");
    }
}
