//! The standard normal law: density, distribution function and its inverse.
//!
//! `phi(x) = exp(-x^2 / 2) / sqrt(2 pi)`, `Phi(x) = erfc(-x / sqrt 2) / 2`, and `Phi^-1` by
//! Wichura's rational approximations (algorithm AS 241, PPND16, Applied Statistics 37, 1988).
//! Rewards and posterior draws invert one uniform number each. Box-Muller pairs and the ziggurat's
//! rejections were not an option: a tape needs one value per counter.

mod by_table;
mod many;

pub(crate) use by_table::Quantiles;
pub(crate) use many::{MOST, quantiles};

use std::f64::consts::FRAC_1_SQRT_2;
use std::sync::LazyLock;

const FRAC_1_SQRT_TAU: f64 = 0.398_942_280_401_432_7;

/// The rounding error of the nearest double to `1 / sqrt 2`.
const FRAC_1_SQRT_2_REST: f64 = -4.833_646_656_726_457e-17;

/// The density of N(0, 1) at `x`; tests integrate it.
#[cfg(test)]
pub(crate) fn density(x: f64) -> f64 {
    if x.abs() > 40.0 {
        return 0.0;
    }
    // Rounding x^2 would cost x^2 / 2 units in the last place; this corrects it.
    let square = x * x;
    let rest = libm::fma(x, x, -square);
    let density = FRAC_1_SQRT_TAU * libm::exp(-0.5 * square);
    density - density * (0.5 * rest)
}

/// The probability that N(0, 1) is at most `x`, with small relative error in the lower tail too.
pub(crate) fn cdf(x: f64) -> f64 {
    if x < -40.0 {
        return 0.0;
    }
    if x > 40.0 {
        return 1.0;
    }
    // As in the density: erfc(t + d) = erfc(t) - 2 / sqrt(pi) exp(-t^2) d for the rounding d of t.
    let t = -x * FRAC_1_SQRT_2;
    let d = libm::fma(-x, FRAC_1_SQRT_2, -t) - x * FRAC_1_SQRT_2_REST;
    let slope = std::f64::consts::FRAC_2_SQRT_PI * libm::exp(-t * t);
    0.5 * (libm::erfc(t) - slope * d)
}

/// The expectation of `max(0, Z - z)` for a standard normal `Z` and `z >= 0`: `phi(z) - z Phi(-z)`;
/// zero beyond 8, where it is below 1e-16.
pub(crate) fn excess(z: f64) -> f64 {
    if z > 8.0 {
        return 0.0;
    }
    let density = FRAC_1_SQRT_TAU * libm::exp(-0.5 * z * z);
    let tail = 0.5 * libm::erfc(z * FRAC_1_SQRT_2);
    (density - z * tail).max(0.0)
}

/// Cells of the table of [`excess_between`], per unit.
const CELLS: usize = 512;
/// How far a chord of that table may be above the curve, as a share of the chord.
const CHORD: f64 = 1e-4;

static EXCESSES: LazyLock<Vec<f64>> =
    LazyLock::new(|| (0..=8 * CELLS).map(|cell| excess(cell as f64 / CELLS as f64)).collect());

/// Bounds on [`excess`] that are quicker to compute, about one ten-thousandth apart.
///
/// The curve is convex, so its chords lie above it.
#[inline]
pub(crate) fn excess_between(z: f64) -> (f64, f64) {
    if z > 8.0 {
        return (0.0, 0.0);
    }
    let place = z * CELLS as f64;
    let cell = place as usize;
    let Some(&[left, right]) = EXCESSES.get(cell..cell + 2).and_then(|ends| ends.first_chunk())
    else {
        return (excess(z), excess(z));
    };
    let most = left + (right - left) * (place - cell as f64);
    (most * (1.0 - CHORD), most * (1.0 + f64::EPSILON * 1e3))
}

/// The `x` with `cdf(x) = p`: infinite at 0 and 1, NaN outside `[0, 1]`.
///
/// The relative error is about 1e-16.
#[inline]
pub(crate) fn quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180_625 - q * q;
        q * polynomial(&CENTRE.0, r) / polynomial(&CENTRE.1, r)
    } else {
        tail_quantile(p)
    }
}

fn tail_quantile(p: f64) -> f64 {
    let tail = p.min(1.0 - p);
    let magnitude = if tail > 0.0 {
        let r = (-libm::log(tail)).sqrt();
        if r <= 5.0 {
            polynomial(&TAIL.0, r - 1.6) / polynomial(&TAIL.1, r - 1.6)
        } else {
            polynomial(&FAR_TAIL.0, r - 5.0) / polynomial(&FAR_TAIL.1, r - 5.0)
        }
    } else if tail == 0.0 {
        f64::INFINITY
    } else {
        return f64::NAN;
    };
    if p < 0.5 { -magnitude } else { magnitude }
}

/// The polynomial with these coefficients, highest power first.
#[inline]
fn polynomial(coefficients: &[f64; 8], x: f64) -> f64 {
    coefficients[1..].iter().fold(coefficients[0], |sum, c| sum * x + c)
}

/// Numerator and denominator of one of Wichura's approximations.
type Fraction = ([f64; 8], [f64; 8]);

const CENTRE: Fraction = (
    [
        2.509_080_928_730_122_6e3,
        3.343_057_558_358_813e4,
        6.726_577_092_700_87e4,
        4.592_195_393_154_987e4,
        1.373_169_376_550_946e4,
        1.971_590_950_306_551_3e3,
        1.331_416_678_917_843_8e2,
        3.387_132_872_796_366_5,
    ],
    [
        5.226_495_278_852_854e3,
        2.872_908_573_572_194_3e4,
        3.930_789_580_009_271e4,
        2.121_379_430_158_659_7e4,
        5.394_196_021_424_751e3,
        6.871_870_074_920_579e2,
        4.231_333_070_160_091e1,
        1.0,
    ],
);

const TAIL: Fraction = (
    [
        7.745_450_142_783_414e-4,
        2.272_384_498_926_918_4e-2,
        2.417_807_251_774_506e-1,
        1.270_458_252_452_368_4,
        3.647_848_324_763_204_5,
        5.769_497_221_460_691,
        4.630_337_846_156_546,
        1.423_437_110_749_683_5,
    ],
    [
        1.050_750_071_644_416_9e-9,
        5.475_938_084_995_345e-4,
        1.519_866_656_361_645_7e-2,
        1.481_039_764_274_800_8e-1,
        6.897_673_349_851e-1,
        1.676_384_830_183_803_8,
        2.053_191_626_637_759,
        1.0,
    ],
);

const FAR_TAIL: Fraction = (
    [
        2.010_334_399_292_288_1e-7,
        2.711_555_568_743_487_6e-5,
        1.242_660_947_388_078_4e-3,
        2.653_218_952_657_612_4e-2,
        2.965_605_718_285_048_7e-1,
        1.784_826_539_917_291_3,
        5.463_784_911_164_114,
        6.657_904_643_501_103,
    ],
    [
        2.044_263_103_389_939_8e-15,
        1.421_511_758_316_446e-7,
        1.846_318_317_510_054_8e-5,
        7.868_691_311_456_133e-4,
        1.487_536_129_085_061_5e-2,
        1.369_298_809_227_358e-1,
        5.998_322_065_558_88e-1,
        1.0,
    ],
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::same_draws::same_draws;
    use proptest::prelude::*;

    #[track_caller]
    fn assert_close(found: f64, expected: f64) {
        let error = (found - expected).abs() / expected.abs();
        assert!(error < 1e-14, "{found:e} instead of {expected:e}");
    }

    #[test]
    fn density_and_cdf_match_eighty_digit_arithmetic() {
        // x, phi(x), Phi(x), summed from the power series with 800 digits.
        let known = [
            (0.0, 3.989_422_804_014_327e-1, 0.5),
            (0.5, 3.520_653_267_642_995e-1, 6.914_624_612_740_131e-1),
            (1.0, 2.419_707_245_191_433_5e-1, 8.413_447_460_685_429e-1),
            (-1.0, 2.419_707_245_191_433_5e-1, 1.586_552_539_314_570_5e-1),
            (2.5, 1.752_830_049_356_853_7e-2, 9.937_903_346_742_238e-1),
            (-2.5, 1.752_830_049_356_853_7e-2, 6.209_665_325_776_135e-3),
            (-5.0, 1.486_719_514_734_297_7e-6, 2.866_515_718_791_939e-7),
            (-8.0, 5.052_271_083_536_892e-15, 6.220_960_574_271_784e-16),
            (8.0, 5.052_271_083_536_892e-15, 9.999_999_999_999_994e-1),
            (-8.5, 8.166_235_631_669_55e-17, 9.479_534_822_203_318e-18),
            (-20.0, 5.520_948_362_159_763e-88, 2.753_624_118_606_233_7e-89),
            (-37.0, 2.120_006_551_524_605_6e-298, 5.725_571_222_524_577e-300),
        ];
        for (x, phi, big_phi) in known {
            assert_close(density(x), phi);
            assert_close(cdf(x), big_phi);
        }
    }

    #[test]
    fn excess_is_the_integral_of_the_tail() {
        for z in [0.0, 0.3, 1.0, 2.5, 5.0, 7.5] {
            // Simpson's rule over [z, z + 10].
            let (steps, h) = (4_000_u32, 10.0 / 4_000.0);
            let weigh = |i: u32| match i {
                0 => 1.0,
                i if i == steps => 1.0,
                i => f64::from(2 + 2 * (i % 2)),
            };
            let sum: f64 = (0..=steps).map(|i| weigh(i) * cdf(-z - h * f64::from(i))).sum();
            let error = excess(z) / (sum * h / 3.0) - 1.0;
            assert!(error.abs() < 1e-9, "{z}: {error:e}");
        }
        assert_eq!((excess(8.1), excess(f64::INFINITY)), (0.0, 0.0));
        assert_eq!(excess(0.0), FRAC_1_SQRT_TAU);
    }

    #[test]
    fn bounds_on_the_excess_hold_and_are_tight() {
        let mut widest = 0.0_f64;
        for step in 0..90_000 {
            let z = f64::from(step) / 10_000.0;
            let (least, most) = excess_between(z);
            assert!(least <= excess(z) && excess(z) <= most, "{z}");
            if z <= 8.0 {
                widest = widest.max(most / excess(z) - 1.0);
            }
        }
        assert!(widest > 1e-6 && widest < 0.9 * CHORD, "{widest:e}");
        assert_eq!(excess_between(f64::INFINITY), (0.0, 0.0));
    }

    #[test]
    fn quantile_matches_eighty_digit_arithmetic() {
        let known = [
            (0.6, 2.533_471_031_357_997e-1),
            (0.9, 1.281_551_565_544_600_6),
            (0.925, 1.439_531_470_938_456_2),
            (0.93, 1.475_791_028_179_171),
            (0.975, 1.959_963_984_540_053_9),
            (0.999, 3.090_232_306_167_813),
            (0.25, -6.744_897_501_960_817e-1),
            (0.05, -1.644_853_626_951_472_7),
            (0.0749, -1.440_238_267_527_963_7),
            (1e-3, -3.090_232_306_167_813_5),
            (1e-6, -4.753_424_308_822_899),
            (1e-11, -6.706_023_155_495_136),
            (1.4e-11, -6.656_723_091_518_184),
            (1e-20, -9.262_340_089_798_408),
            (1e-100, -2.127_345_356_096_532_4e1),
            (1e-300, -3.704_709_629_936_12e1),
            (1.0 - f64::EPSILON / 2.0, 8.209_536_151_601_387),
        ];
        for (p, x) in known {
            assert_close(quantile(p), x);
        }
        assert_eq!(quantile(0.5), 0.0);
    }

    #[test]
    fn the_ends_are_infinite_and_nonsense_is_not_a_number() {
        assert_eq!((density(50.0), cdf(-50.0), cdf(50.0)), (0.0, 0.0, 1.0));
        assert_eq!(cdf(f64::NEG_INFINITY), 0.0);
        assert_eq!(cdf(f64::INFINITY), 1.0);
        assert_eq!(quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(quantile(1.0), f64::INFINITY);
        for p in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(quantile(p).is_nan());
        }
        assert!(cdf(f64::NAN).is_nan() && density(f64::NAN).is_nan());
    }

    proptest! {
        #![proptest_config(same_draws(256))]

        #[test]
        fn quantile_inverts_the_cdf(x in -37.0..5.0_f64) {
            // Above 0, p is known to 1e-16 and x only to 1e-16 / phi(x).
            let tolerance = 1e-14 * x.abs().max(1.0) + 1e-16 / density(x) * cdf(x).round();
            prop_assert!((quantile(cdf(x)) - x).abs() <= tolerance);
        }

        #[test]
        fn quantile_is_odd_in_the_centre(q in 0.0..0.425_f64) {
            prop_assert_eq!(quantile(0.5 + q), -quantile(1.0 - (0.5 + q)));
        }
    }
}
