//! The expected mean of the best node.
//!
//! After `a` ones and `b` zeros, the mean of a node is below `x` with the probability
//! `F(x) = P(Binomial(a + b + 1, x) > a)`, a polynomial in `x`. The expected best mean is the
//! integral of `1 - product of all F` from 0 to 1. Gauss-Legendre quadrature with enough points is
//! exact, up to rounding, but its work grows with the square of all rewards seen. Where these are
//! many, panels are halved until their integrals no longer change.

use super::problem::Seen;

/// Up to this degree, quadrature is exact. It takes milliseconds.
const EXACT_DEGREE: u64 = 2_000;
/// The points of a panel.
const POINTS: u64 = 20;
/// The panels at first: narrow enough that some points lie where the integrand falls from 1 to 0.
const PANELS: u32 = 64;
/// How often a panel is halved at most.
const HALVINGS: u32 = 30;
/// A panel is halved if that changes its integral by more than this, for a panel of width 1. The
/// halves are nearer than that by far.
const CHANGE: f64 = 1e-11;
/// Terms and products below this do not count.
const NOTHING: f64 = 1e-30;

pub(super) fn expected_best_mean(seen: &[Seen]) -> f64 {
    let degree: u64 = seen.iter().map(|seen| seen.visits() + 1).sum();
    if degree == seen.len() as u64 {
        let nodes = seen.len() as f64;
        return nodes / (nodes + 1.0);
    }
    if degree <= EXACT_DEGREE { exactly(seen, degree) } else { by_panels(seen) }
}

/// The integral of a polynomial of this degree.
fn exactly(seen: &[Seen], degree: u64) -> f64 {
    let points = degree / 2 + 1;
    // The integral over [0, 1] is half of that over [-1, 1].
    let at = |(x, weight): (f64, f64)| 0.5 * weight * chance_above(seen, 0.5 * (x + 1.0));
    (0..points).map(|i| at(point(i, points))).sum()
}

/// The integral over panels that are narrow where it changes.
fn by_panels(seen: &[Seen]) -> f64 {
    // The best nodes first: below their means, no other node matters.
    let mut seen = seen.to_vec();
    let mean = |seen: &Seen| (f64::from(seen.ones) + 1.0) / (seen.visits() as f64 + 2.0);
    seen.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    let rule: Vec<(f64, f64)> = (0..POINTS).map(|i| point(i, POINTS)).collect();
    let panel = |from: f64, to: f64| -> f64 {
        let half = 0.5 * (to - from);
        let at = |&(x, weight): &(f64, f64)| {
            half * weight * chance_above(&seen, from + half * (x + 1.0))
        };
        rule.iter().map(at).sum()
    };
    let edge = |place: u32| f64::from(place) / f64::from(PANELS);
    let panels = (0..PANELS).map(|place| (edge(place), edge(place + 1)));
    panels.map(|(from, to)| halved(&panel, (from, to), panel(from, to), HALVINGS)).sum()
}

/// The integral over a panel that seems to be `whole`.
fn halved(
    panel: &impl Fn(f64, f64) -> f64,
    (from, to): (f64, f64),
    whole: f64,
    halvings: u32,
) -> f64 {
    let middle = 0.5 * (from + to);
    let (left, right) = (panel(from, middle), panel(middle, to));
    if halvings == 0 || (left + right - whole).abs() <= CHANGE * (to - from) {
        return left + right;
    }
    let left = halved(panel, (from, middle), left, halvings - 1);
    left + halved(panel, (middle, to), right, halvings - 1)
}

/// The probability that the mean of some node is above `x`.
fn chance_above(seen: &[Seen], x: f64) -> f64 {
    let mut below = 1.0;
    for &seen in seen {
        below *= chance_below(seen, x);
        if below < NOTHING {
            return 1.0;
        }
    }
    1.0 - below
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
        if term < NOTHING {
            break;
        }
        add(k, term);
    }
    term = 1.0;
    for k in (0..peak).rev() {
        term *= (k + 1) as f64 / (trials - k) as f64 / odds;
        if term < NOTHING {
            break;
        }
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
    #[test]
    fn panels_agree_with_exact_quadrature() {
        let cases: [&[(u32, u32)]; 6] = [
            &[(1, 0)],
            &[(700, 300), (650, 350)],
            &[(0, 900), (0, 1), (3, 500)],
            &[(500, 500); 4],
            &[(999, 1), (400, 0), (1, 999)],
            &[(30, 20), (100, 80), (0, 0), (250, 200), (5, 3)],
        ];
        for case in cases {
            let seen: Vec<Seen> = case.iter().map(|&(ones, zeros)| Seen { ones, zeros }).collect();
            let degree = seen.iter().map(|seen| seen.visits() + 1).sum();
            let (exact, panels) = (exactly(&seen, degree), by_panels(&seen));
            assert!((exact - panels).abs() < 1e-12, "{case:?}: {exact} {panels}");
        }
    }

    /// Exact quadrature would take half an hour here.
    #[test]
    fn as_much_as_may_be_seen_is_no_hurdle() {
        // 64 equal nodes are nearly normal, with deviation 0.0049415. The highest of 64 standard
        // normal variables is 2.34423 on average.
        let best_of_many = best(&[(4_242, 5_758); 64]);
        let normal = 4_243.0 / 10_002.0 + 2.344_23 * 0.004_941_5;
        assert!((best_of_many - normal).abs() < 1e-4, "{best_of_many} {normal}");
        // One node is far above all others, which are next to zero or hardly known.
        let mut seen = vec![(0, 10_000); 64];
        seen[17] = (9_999, 1);
        assert!((best(&seen) - 10_000.0 / 10_002.0).abs() < 1e-12, "{}", best(&seen));
        // The highest of 64 means below x: (1 - (1 - x)^10001)^64 at the least possible.
        let least = best(&[(0, 10_000); 64]);
        let harmonic: f64 = (1..=64).map(|k| 1.0 / f64::from(k)).sum();
        assert!((least / (harmonic / 10_001.0) - 1.0).abs() < 1e-3, "{least}");
    }
}
