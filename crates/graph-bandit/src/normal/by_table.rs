//! Quantiles from a table, for random numbers.
//!
//! The table has a polynomial for each of many short intervals of probabilities, so a quantile takes
//! a look at the table and a short formula: no division, no logarithm, and no unpredictable
//! branch. It is within 4e-15 of [`quantile`].

use super::{quantile, tail_quantile};
use std::hint::select_unpredictable;
use std::sync::LazyLock;

/// The intervals get shorter towards 0, where the quantile is steep: this many for each factor of
/// two, as a power of two.
const BITS: u32 = 4;
/// The factors of two below 1/2 that the table has. One number in a thousand is beyond.
const OCTAVES: usize = 10;
/// The number of coefficients of a polynomial.
const TERMS: usize = 8;
/// The bits of a number below those that tell its interval.
const REST: u32 = f64::MANTISSA_DIGITS - 1 - BITS;
/// The interval that would begin with 1/2. The first of the table ends there.
const END: u64 = 0.5_f64.to_bits() >> REST;
/// Half the length of an interval, as a share of the power of two below it.
const HALF: f64 = 0.5 / (1 << BITS) as f64;

/// The coefficients of a polynomial, lowest power first: a line of the cache.
#[repr(align(64))]
struct Terms([f64; TERMS]);

/// The polynomials, from 1/2 downwards.
static TABLE: LazyLock<Vec<Terms>> =
    LazyLock::new(|| (1..=(OCTAVES << BITS) as u64).map(fitted).collect());

/// The table, at hand for many quantiles: whether it has been computed is asked only once.
#[derive(Clone, Copy)]
pub(crate) struct Quantiles(&'static [Terms]);

impl Quantiles {
    /// The table, computed by the first call.
    #[inline]
    pub(crate) fn get() -> Self {
        Self(&TABLE)
    }

    /// The quantile of `p`, strictly between 0 and 1.
    #[inline]
    pub(crate) fn at(self, p: f64) -> f64 {
        let tail = if p < 1.0 - p { p } else { 1.0 - p };
        let bits = tail.to_bits();
        // At 1/2 itself, there is no interval. It is one number in 2^52, which takes the formula
        // below.
        let place = END.wrapping_sub(1).wrapping_sub(bits >> REST);
        let Some(Terms([a, b, c, d, e, f, g, h])) = self.0.get(place as usize) else {
            return if tail < 0.5 { tail_quantile(p) } else { 0.0 };
        };
        let x = offset(bits);
        let square = x * x;
        // By halves: a chain of products would take longer.
        let first = (a + b * x) + square * (c + d * x);
        let quantile = first + square * square * ((e + f * x) + square * (g + h * x));
        select_unpredictable(p < 0.5, quantile, -quantile)
    }
}

/// How far a number is from the middle of its interval, as a share of the power of two below it.
#[inline]
fn offset(bits: u64) -> f64 {
    let rest = bits & ((1 << REST) - 1);
    f64::from_bits(1.0_f64.to_bits() | rest) - (1.0 + HALF)
}

/// The polynomial of the interval that is this many below 1/2: through the quantiles at Chebyshev's
/// points.
fn fitted(place: u64) -> Terms {
    let start = f64::from_bits((END - place) << REST);
    let power = f64::from_bits(start.to_bits() & f64::INFINITY.to_bits());
    // Newton's form, on [-1, 1].
    let mut points = [0.0; TERMS];
    for (i, point) in points.iter_mut().enumerate() {
        let angle = std::f64::consts::PI * (i as f64 + 0.5) / TERMS as f64;
        *point = libm::cos(angle);
    }
    let mut slopes = points.map(|point| quantile(start + power * HALF * (1.0 + point)));
    for order in 1..TERMS {
        for i in (order..TERMS).rev() {
            slopes[i] = (slopes[i] - slopes[i - 1]) / (points[i] - points[i - order]);
        }
    }
    // Its coefficients, by Horner's method.
    let mut terms = [0.0; TERMS];
    for (slope, point) in slopes.iter().zip(points).rev() {
        for i in (1..TERMS).rev() {
            terms[i] = terms[i - 1] - point * terms[i];
        }
        terms[0] = slope - point * terms[0];
    }
    // On the scale of offsets. Powers of two do not round.
    let mut scale = 1.0;
    for term in &mut terms {
        *term *= scale;
        scale /= HALF;
    }
    Terms(terms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Seed, open_unit};

    fn quantile_by_table(p: f64) -> f64 {
        Quantiles::get().at(p)
    }

    /// How far a quantile may be from the formula's.
    const ERROR: f64 = 4e-15;

    #[track_caller]
    fn assert_same(p: f64) {
        let (found, expected) = (quantile_by_table(p), quantile(p));
        assert!((found - expected).abs() <= ERROR, "{p:e}: {found:e} instead of {expected:e}");
        let opposite = 1.0 - p;
        if 1.0 - opposite == p {
            assert_eq!(quantile_by_table(opposite), -found, "{p:e}");
        }
    }

    #[test]
    fn quantiles_are_those_of_the_formula() {
        for k in 0..200_000 {
            assert_same(open_unit(Seed(71).bits(k)));
        }
    }

    #[test]
    fn the_ends_of_intervals_and_of_the_table_fit() {
        for place in 0..=((OCTAVES as u64 + 2) << BITS) {
            let edge = f64::from_bits((END - place) << REST);
            for bits in edge.to_bits() - 2..=edge.to_bits() + 2 {
                assert_same(f64::from_bits(bits));
            }
        }
        for power in 0..=52 {
            assert_same(1.0 / (1_u64 << power) as f64 / 2.0);
        }
        assert_eq!(quantile_by_table(0.5), 0.0);
        assert_eq!(quantile_by_table(open_unit(0)), quantile(open_unit(0)));
        assert_eq!(quantile_by_table(open_unit(u64::MAX)), quantile(open_unit(u64::MAX)));
    }
}
