//! Moments compared to closed forms and fine integration, and scales to moment generating
//! functions.

use super::truncated;
use crate::normal;
use crate::reward::Law;

#[test]
fn truncated_moments_match_the_closed_form_near_the_centre() {
    for (a, b) in [(-1.0, 2.0), (0.0, 1.0), (-0.5, 0.5), (-3.0, -0.5), (1.0, 60.0), (-80.0, 70.0)] {
        let mass = normal::cdf(b) - normal::cdf(a);
        let mean = (normal::density(a) - normal::density(b)) / mass;
        let slope = (a * normal::density(a) - b * normal::density(b)) / mass;
        let law = truncated(a, b);
        assert!((law.mean() - mean).abs() < 2e-15, "mean on [{a}, {b}]");
        let error = law.variance() - (1.0 + slope - mean * mean);
        assert!(error.abs() < 2e-14, "variance on [{a}, {b}] off by {error:e}");
    }
    let half = Law::truncated_gaussian(5.0, 2.0, (5.0, 1e99)).unwrap();
    let expected = 5.0 + 2.0 * (2.0 / std::f64::consts::PI).sqrt();
    assert!((half.mean() - expected).abs() < 1e-14);
    assert_eq!(truncated(-0.5, 0.5).mean(), 0.0);
}

#[test]
fn truncated_moments_match_fine_integration_in_the_tails() {
    for (a, b) in [(8.0, 9.0), (-9.0, -8.0), (37.0, 38.0), (2.0, 2.0 + 1e-5), (-30.0, -29.0)] {
        let law = truncated(a, b);
        // Relative to the density at the nearer end, which would underflow.
        let nearest = f64::min(f64::abs(a), f64::abs(b));
        let weight = |x: f64| libm::exp(-0.5 * (x.abs() - nearest) * (x.abs() + nearest));
        let mass = simpson(weight, a, b);
        let mean = a + simpson(|x| (x - a) * weight(x), a, b) / mass;
        let variance = simpson(|x| (x - mean) * (x - mean) * weight(x), a, b) / mass;
        assert!((law.mean() - mean).abs() < 1e-14 * mean.abs(), "mean on [{a}, {b}]");
        let error = law.variance() / variance - 1.0;
        assert!(error.abs() < 1e-10, "variance on [{a}, {b}] off by {error:e}");
    }
}

fn simpson(f: impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    let n = 20_000;
    let h = (b - a) / f64::from(n);
    let inner: f64 = (1..n).map(|i| f64::from(2 + 2 * (i % 2)) * f(a + h * f64::from(i))).sum();
    (f(a) + inner + f(b)) * h / 3.0
}

/// `log E exp(l (X - mu)) <= l^2 s^2 / 2` for the law whose expectations `expect` computes.
#[track_caller]
fn assert_sub_gaussian(law: &Law, expect: impl Fn(&dyn Fn(f64) -> f64) -> f64) {
    let (mean, s) = (law.mean(), law.sub_gaussian_scale());
    let mass = expect(&|_| 1.0);
    for l in [0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0] {
        for l in [l, -l] {
            let log = libm::log(expect(&|x| libm::exp(l * (x - mean))) / mass);
            let bound = 0.5 * l * l * s * s;
            assert!(log <= bound + 1e-10 * (1.0 + bound), "{law:?}, l = {l}: {log} > {bound}");
        }
    }
}

#[test]
fn sub_gaussian_scales_bound_the_moment_generating_function() {
    for (low, high) in [(-1.0, 2.0), (0.0, 0.1)] {
        let law = Law::uniform(low, high).unwrap();
        assert_sub_gaussian(&law, |f| simpson(f, low, high));
    }
    for p in [0.0, 0.01, 0.3, 0.5, 0.9, 1.0] {
        let law = Law::bernoulli(p).unwrap();
        assert_sub_gaussian(&law, |f| p * f(1.0) + (1.0 - p) * f(0.0));
    }
    for (alpha, beta) in [(2.0, 5.0), (0.5, 0.5), (1.0, 1.0), (30.0, 0.6)] {
        let law = Law::beta(alpha, beta).unwrap();
        // With x = sin^2 t the density is free of poles.
        assert_sub_gaussian(&law, |f| {
            let term = |t: f64| {
                let (sin, cos) = (libm::sin(t), libm::cos(t));
                let power = |x: f64, y: f64| libm::pow(x.max(0.0), 2.0 * y - 1.0);
                f(sin * sin) * power(sin, alpha) * power(cos, beta)
            };
            simpson(term, 0.0, std::f64::consts::FRAC_PI_2)
        });
    }
    let law = Law::gaussian(1.0, 2.0).unwrap();
    assert_sub_gaussian(&law, |f| simpson(|z| f(1.0 + 2.0 * z) * normal::density(z), -35.0, 35.0));
    for (a, b) in [(-0.5, 0.5), (-3.0, 3.0), (0.0, 10.0), (1.0, 1.5), (8.0, 9.0), (-20.0, 1.0)] {
        let law = truncated(a, b);
        assert_sub_gaussian(&law, |f| simpson(|z| f(z) * normal::density(z), a, b));
    }
    assert_sub_gaussian(&Law::constant(4.0).unwrap(), |f| f(4.0));
    let values = [1.0, 4.0, 4.0, -2.5];
    let law = Law::empirical(values).unwrap();
    assert_sub_gaussian(&law, |f| values.iter().map(|&x| f(x)).sum());
}
