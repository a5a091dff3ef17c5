//! A function of the logarithm of time, one step ahead.
//!
//! An agent that decides at every visit needs `ln t` each time. Where it goes next is hard to foresee,
//! so the processor often has to start over when the decision falls; whatever was computed before is
//! not on that path. The value for `t + 1` is therefore computed together with the one for `t`, and is
//! at hand when its time comes. Whoever leaps in time is not likely to ask for it.

use crate::exact::exact;
use crate::logarithms::log;

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Ahead {
    t: u64,
    value: Option<f64>,
}

impl Ahead {
    /// `f(ln t)`, for an `f` that is always the same.
    #[inline]
    pub(crate) fn at(&mut self, t: u64, f: impl Fn(f64) -> f64) -> f64 {
        let next = t.saturating_add(1);
        if self.t != t {
            *self = Self { t: next, value: None };
            // After a leap the list of known logarithms is far from the processor.
            return f(libm::log(exact(t)));
        }
        let value = self.value.unwrap_or_else(|| f(log(t)));
        *self = Self { t: next, value: Some(f(log(next))) };
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_questions_does_not_matter() {
        let mut ahead = Ahead::default();
        for t in [0, 1, 2, 3, 7, 8, 8, 3, 1 << 53, 1 << 53, (1 << 53) - 1, 1 << 53, 0] {
            assert_eq!(ahead.at(t, |log| log + 0.5), libm::log(t as f64) + 0.5);
        }
    }
}
