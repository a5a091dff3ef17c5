//! The expected mean of the best node.
//!
//! After `a` ones and `b` zeros, the mean of a node is below `x` with the probability
//! `F(x) = P(Binomial(a + b + 1, x) > a)`, a polynomial in `x`. So the expected best mean, the
//! integral of `1 - product of all F` from 0 to 1, is computed exactly, up to rounding, by
//! Gauss-Legendre quadrature with enough points.

use super::problem::Seen;

pub(super) fn expected_best_mean(seen: &[Seen]) -> f64 {
    let degree: u64 = seen.iter().map(|seen| seen.visits() + 1).sum();
    if degree == seen.len() as u64 {
        let nodes = seen.len() as f64;
        return nodes / (nodes + 1.0);
    }
    let points = degree / 2 + 1;
    let below = |x: f64| seen.iter().map(|&seen| chance_below(seen, x)).product::<f64>();
    // The integral over [0, 1] is half of that over [-1, 1].
    let at = |(x, weight): (f64, f64)| 0.5 * weight * (1.0 - below(0.5 * (x + 1.0)));
    (0..points).map(|i| at(point(i, points))).sum()
}

/// `F(x)`: the probability that the mean of a node is below `x`.
fn chance_below(seen: Seen, x: f64) -> f64 {
    let trials = seen.visits() + 1;
    let n = trials as f64;
    // Terms relative to the largest one, so that none overflows and small ones vanish.
    let peak = ((n + 1.0) * x).floor().min(n) as u64;
    let odds = x / (1.0 - x);
    let is_counted = |k: u64| if k > u64::from(seen.ones) { 1.0 } else { 0.0 };
    let (mut all, mut above) = (1.0, is_counted(peak));
    let mut add = |k: u64, term: f64| {
        all += term;
        above += is_counted(k) * term;
    };
    let mut term = 1.0;
    for k in peak + 1..=trials {
        term *= (trials - k + 1) as f64 / k as f64 * odds;
        add(k, term);
    }
    term = 1.0;
    for k in (0..peak).rev() {
        term *= (k + 1) as f64 / (trials - k) as f64 / odds;
        add(k, term);
    }
    above / all
}

/// The `i`-th point of Gauss-Legendre quadrature on `[-1, 1]` and its weight, by Newton's method.
fn point(i: u64, points: u64) -> (f64, f64) {
    let n = points as f64;
    let mut x = libm::cos(std::f64::consts::PI * (i as f64 + 0.75) / (n + 0.5));
    let mut slope = 0.0;
    for _ in 0..20 {
        let (mut before, mut here) = (1.0, x);
        for k in 2..=points {
            let k = k as f64;
            (before, here) = (here, ((2.0 * k - 1.0) * x * here - (k - 1.0) * before) / k);
        }
        slope = n * (before - x * here) / (1.0 - x * x);
        let step = here / slope;
        x -= step;
        if step.abs() < 1e-15 {
            break;
        }
    }
    (x, 2.0 / ((1.0 - x * x) * slope * slope))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(seen: &[(u32, u32)]) -> f64 {
        let seen = seen.iter().map(|&(ones, zeros)| Seen { ones, zeros });
        expected_best_mean(&seen.collect::<Vec<_>>())
    }

    #[test]
    fn means_by_hand() {
        assert_eq!(best(&[(0, 0); 3]), 0.75);
        // One node: the mean of Beta(a + 1, b + 1).
        for (a, b) in [(1, 0), (0, 5), (7, 2), (60, 1_000), (9_000, 1_000)] {
            let mean = f64::from(a + 1) / f64::from(a + b + 2);
            assert!((best(&[(a, b)]) - mean).abs() < 1e-12, "{a} {b}: {}", best(&[(a, b)]));
        }
        // The best of two: 1 - integral of x^2 x = 3/4, and of (2x - x^2) x.
        assert!((best(&[(1, 0), (0, 0)]) - 0.75).abs() < 1e-14);
        assert!((best(&[(0, 1), (0, 0)]) - (1.0 - 2.0 / 3.0 + 0.25)).abs() < 1e-14);
        // The best of x^2 and 2x - x^2: 1 - (2/4 - 1/5).
        assert!((best(&[(1, 0), (0, 1)]) - 0.7).abs() < 1e-14);
        // Two nodes known very well.
        assert!((best(&[(9_000, 1_000), (1_000, 9_000)]) - 9_001.0 / 10_002.0).abs() < 1e-9);
    }
}
