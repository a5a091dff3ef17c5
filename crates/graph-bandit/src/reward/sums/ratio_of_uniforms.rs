//! Draws from a log-concave law on integers in bounded expected time, whatever its spread.
//!
//! Ratio of uniforms under a table mountain: with `u` and `v` uniform, `x = floor(a + w (v - 1/2) / u)`
//! is accepted when `u^2 <= f(x) / f(peak)`. For binomial and hypergeometric laws `a = mean + 1/2` and
//! `w = 2 sqrt(2 / e) sqrt(variance + 1/2) + 3 - 2 sqrt(3 / e)` cover the whole law (E. Stadlober, "The
//! ratio of uniforms approach for generating discrete random variates", J. Comput. Appl. Math. 31,
//! 1990), and between one half and three quarters of the pairs are accepted.

use crate::random::{Stream, open_unit};

/// `2 sqrt(2 / e)`.
const SLOPE: f64 = 1.715_527_769_921_413_5;
/// `3 - 2 sqrt(3 / e)`.
const OFFSET: f64 = 0.898_916_162_058_898_8;

/// How far the logarithm of the given ratio may exceed 0.
pub(super) const MARGIN: f64 = 1e-6;

/// The hat over a law of given mean and variance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hat {
    centre: f64,
    width: f64,
}

impl Hat {
    pub(super) fn new(mean: f64, variance: f64) -> Self {
        Self { centre: mean + 0.5, width: SLOPE * (variance + 0.5).sqrt() + OFFSET }
    }

    /// A draw from 0 to `highest`. `log_ratio` is the logarithm of a value's probability plus a
    /// constant, at most [`MARGIN`].
    #[inline]
    pub(super) fn draw(
        &self,
        highest: f64,
        stream: &mut Stream,
        log_ratio: impl Fn(f64) -> f64,
    ) -> f64 {
        loop {
            let u = open_unit(stream.bits());
            let v = stream.unit();
            let x = (self.centre + self.width * (v - 0.5) / u).floor();
            if (0.0..=highest).contains(&x) && u * u <= libm::exp(log_ratio(x) - MARGIN) {
                return x;
            }
        }
    }

    /// The share of the hat's height at `x`: above 1 the hat would cut the law.
    #[cfg(test)]
    pub(super) fn fill(&self, x: f64, log_ratio: f64) -> f64 {
        let reach = (x - self.centre).abs().max((x + 1.0 - self.centre).abs());
        reach * libm::exp(0.5 * (log_ratio - MARGIN)) / (0.5 * self.width)
    }
}
