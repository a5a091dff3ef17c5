//! Differences of log-factorials, accurate even if the log-factorials themselves are not.
//!
//! With `y = x + 1/2`, `log x! = y log y - y + log(2 pi) / 2 + rest(y)`. The half makes the formula
//! finite at x = 0 and leaves only `rest` and [`divergence`] in the logarithm of a binomial or
//! hypergeometric probability relative to its peak: all large terms cancel before they are
//! computed. (With `lgamma`, 10^15 visits would leave an error of several units.)

/// `y ((1 + e) log(1 + e) - e)` with `e = d / y`, for `d > -y`; the relative error is small even
/// for small `e`.
#[inline]
pub(super) fn divergence(y: f64, d: f64) -> f64 {
    let e = d / y;
    if e.abs() > 0.1 {
        return y * ((1.0 + e) * libm::log1p(e) - e);
    }
    // log(1 + e) = 2 (v + v^3 / 3 + v^5 / 5 + ..), and the linear terms cancel.
    let v = d / (2.0 * y + d);
    let w = v * v;
    let odd = [13.0, 11.0, 9.0, 7.0, 5.0, 3.0].iter().fold(1.0 / 15.0, |sum, n| sum * w + 1.0 / n);
    2.0 * y * w * (1.0 + (1.0 + v) * v * odd) / (1.0 - v)
}

/// The sum of [`divergence`] at `d` and at `-d`: only even powers remain.
#[inline]
pub(super) fn both_divergences(y: f64, d: f64) -> f64 {
    let e = d / y;
    if e.abs() > 0.1 {
        return divergence(y, d) + divergence(y, -d);
    }
    let w = e * e;
    // e^2k / (k (2k - 1)) for k = 1 to 8.
    let coefficients = [91.0, 66.0, 45.0, 28.0, 15.0, 6.0, 1.0];
    y * w * coefficients.iter().fold(1.0 / 120.0, |sum, c| sum * w + 1.0 / c)
}

/// The remainder of Stirling's formula for `log x!` around `y = x + 1/2`; accurate to 1e-14 from `y
/// = 10` on.
#[inline]
pub(super) fn rest(y: f64) -> f64 {
    let inverse = 1.0 / y;
    let w = inverse * inverse;
    SERIES.iter().rev().fold(0.0, |sum, c| sum * w + c) * inverse
}

/// [`rest`] of an integer `x`, at `y = x + 1/2`.
#[inline]
pub(super) fn rest_of(x: f64) -> f64 {
    if x < SMALL.len() as f64 { SMALL[x as usize] } else { rest(x + 0.5) }
}

/// `B_2j(1/2) / (2j (2j - 1))` for j = 1 to 5.
const SERIES: [f64; 5] =
    [-1.0 / 24.0, 7.0 / 2880.0, -31.0 / 40320.0, 127.0 / 215_040.0, -511.0 / 608_256.0];

/// For x = 0 to 15, where the series is too short; computed with 50 digits.
const SMALL: [f64; 16] = [
    -0.072_364_942_924_700_08,
    -0.027_136_195_366_919_316,
    -0.016_518_182_330_115_094,
    -0.011_849_453_710_405_727,
    -0.009_232_988_349_960_452,
    -0.007_561_297_733_965_538,
    -0.006_401_471_054_916_02,
    -0.005_549_826_206_244_116,
    -0.004_898_020_177_724_066,
    -0.004_383_139_884_907_061,
    -0.003_966_160_345_673_161,
    -0.003_621_594_076_637_288_6,
    -0.003_332_091_395_979_589_5,
    -0.003_085_433_580_430_681,
    -0.002_872_767_150_657_649,
    -0.002_687_520_204_395_691_4,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factorials_are_exact_up_to_rounding() {
        let half_log_tau = 0.918_938_533_204_672_8;
        let mut log = 0.0;
        for x in 0..170 {
            let x = f64::from(x);
            log += libm::log(x.max(1.0));
            let y = x + 0.5;
            let found = y * libm::log(y) - y + half_log_tau + rest_of(x);
            assert!((found - log).abs() < 1e-13 * log.max(1.0), "{x}! off by {:e}", found - log);
            if x >= 10.0 {
                assert!((rest(y) - rest_of(x)).abs() < 2e-14, "{x}");
            }
        }
    }

    #[test]
    fn divergence_is_accurate_on_both_sides_of_its_bounds() {
        // y ((1 + e) log(1 + e) - e) by its power series, summed with more terms than are needed.
        let series = |y: f64, d: f64| {
            let e = d / y;
            let mut power = e;
            let mut sum = 0.0;
            for k in 2..400 {
                power *= -e;
                sum -= power / (f64::from(k) * f64::from(k - 1));
            }
            y * sum
        };
        for y in [0.5, 20.0, 1e6, 1e15] {
            for e in
                [-0.9, -0.5, -0.101, -0.0999, -1e-3, -1e-9, 1e-9, 1e-3, 0.0999, 0.101, 0.5, 0.9]
            {
                let (found, expected) = (divergence(y, e * y), series(y, e * y));
                let error = (found / expected - 1.0).abs();
                assert!(error < 3e-14, "y = {y}, e = {e}: {found} instead of {expected}");
                let both = both_divergences(y, e * y) / (expected + series(y, -e * y));
                assert!((both - 1.0).abs() < 3e-14, "y = {y}, e = {e}: both off by {both}");
            }
            assert_eq!(divergence(y, 0.0), 0.0);
        }
    }
}
