//! Goodness of fit: exact masses, Pearson's test, and the Kolmogorov-Smirnov test.

use crate::normal;
use std::ops::RangeInclusive;

/// The probabilities of a law on integers, without tails below 1e-18 of its peak.
pub(super) struct Masses {
    lowest: f64,
    list: Vec<f64>,
}

impl Masses {
    /// From the ratio of each value to its predecessor, in both directions from `mode`.
    pub(super) fn around(mode: f64, support: RangeInclusive<f64>, up: impl Fn(f64) -> f64) -> Self {
        let mut above = vec![1.0];
        let mut x = mode;
        let mut mass = 1.0;
        while x < *support.end() && mass > 1e-18 {
            mass *= up(x);
            above.push(mass);
            x += 1.0;
        }
        let mut below = Vec::new();
        x = mode;
        mass = 1.0;
        while x > *support.start() && mass > 1e-18 {
            x -= 1.0;
            mass /= up(x);
            below.push(mass);
        }
        let lowest = mode - below.len() as f64;
        let mut list: Vec<f64> = below.into_iter().rev().chain(above).collect();
        let total: f64 = list.iter().sum();
        for mass in &mut list {
            *mass /= total;
        }
        Self { lowest, list }
    }

    pub(super) fn of(&self, x: f64) -> f64 {
        let i = x - self.lowest;
        if i < 0.0 { 0.0 } else { self.list.get(i as usize).copied().unwrap_or(0.0) }
    }

    /// Asserts that differences of `log` are log-ratios of these probabilities.
    #[track_caller]
    pub(super) fn assert_same_ratios(&self, log: impl Fn(f64) -> f64) {
        let middle = self.list.len() / 2;
        let at = |i: usize| log(self.lowest + i as f64);
        for i in 0..self.list.len() {
            let expected = libm::log(self.list[i] / self.list[middle]);
            let error = (at(i) - at(middle) - expected).abs();
            assert!(error < 2e-12, "off by {error:e} at {}", self.lowest + i as f64);
        }
    }
}

/// How many deviations a chi-square statistic is from its mean, by Wilson and Hilferty.
pub(super) fn deviations(statistic: f64, degrees: f64) -> f64 {
    let third = 2.0 / (9.0 * degrees);
    (libm::cbrt(statistic / degrees) - (1.0 - third)) / third.sqrt()
}

/// Pearson's test of draws, with values gathered into cells of at least 1 in 60.
#[track_caller]
pub(super) fn assert_draws_follow(masses: &Masses, draw: impl Fn(u64) -> u64, what: &str) {
    const DRAWS: u64 = 60_000;
    // The cell of each value, and the cells' probabilities.
    let (mut cells, mut expected) = (Vec::new(), vec![0.0]);
    for &mass in &masses.list {
        if expected.last().is_some_and(|&cell| cell >= 1.0 / 60.0) {
            expected.push(0.0);
        }
        *expected.last_mut().unwrap() += mass;
        cells.push(expected.len() - 1);
    }
    if expected.len() > 1 && expected.last().is_some_and(|&cell| cell < 1.0 / 600.0) {
        let last = expected.pop().unwrap();
        *expected.last_mut().unwrap() += last;
    }
    let mut seen = vec![0.0; expected.len()];
    for k in 0..DRAWS {
        let x = draw(k) as f64;
        assert!(masses.of(x) > 0.0, "{what}: {x} is impossible");
        seen[cells[(x - masses.lowest) as usize].min(expected.len() - 1)] += 1.0;
    }
    let terms = seen.iter().zip(&expected).map(|(seen, mass)| {
        let expected = mass * DRAWS as f64;
        if expected == 0.0 { 0.0 } else { (seen - expected) * (seen - expected) / expected }
    });
    let statistic: f64 = terms.sum();
    if expected.len() > 1 {
        let z = deviations(statistic, (expected.len() - 1) as f64);
        assert!(z < 4.5, "{what}: chi-square {statistic} in {} cells", expected.len());
    }
}

/// The Kolmogorov-Smirnov test against N(0, 1).
#[track_caller]
pub(super) fn assert_normal(draw: impl Fn(u64) -> f64, what: &str) {
    const DRAWS: u64 = 20_000;
    let n = DRAWS as f64;
    let mut draws: Vec<f64> = (0..DRAWS).map(draw).collect();
    draws.sort_by(f64::total_cmp);
    // Massart's bound: exceeded with probability 1e-6.
    let bound = (libm::log(2e6) / (2.0 * n)).sqrt();
    for (rank, &x) in draws.iter().enumerate() {
        let distance = (normal::cdf(x) - (rank as f64 + 0.5) / n).abs();
        assert!(distance < bound, "{what}: {distance} at {x}");
    }
}
