//! A function of the logarithm of time, one step ahead.
//!
//! An agent that decides at every visit needs `ln t` each time. Its next step is hard to predict,
//! so the processor often has to start over after a decision; values computed earlier are not on
//! that path. This module therefore computes the value for `t + 1` together with the value for `t`.
//! After a leap in time the spare value is rarely used.

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
            // After a leap the table of logarithms is probably not in the cache.
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
    fn values_do_not_depend_on_the_order_of_calls() {
        let mut ahead = Ahead::default();
        for t in [0, 1, 2, 3, 7, 8, 8, 3, 1 << 53, 1 << 53, (1 << 53) - 1, 1 << 53, 0] {
            assert_eq!(ahead.at(t, |log| log + 0.5), libm::log(t as f64) + 0.5);
        }
    }
}
