//! What the tests measure: paired differences, growth over time, slopes over cases; with 95%
//! intervals.

use crate::text::{number, signed};
use graph_bandit_lab::campaign::CurveStats;
use graph_bandit_lab::{Moments, paired_difference};
use std::fmt;

/// A number and half the width of its 95% interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Estimate {
    pub(super) value: f64,
    pub(super) half: f64,
}

impl Estimate {
    /// The mean of some numbers, by Student's t. With fewer than two, `half` is infinite.
    fn of(moments: Moments) -> Self {
        let half = moments.ci95().map_or(f64::INFINITY, |(_, high)| high - moments.mean);
        Self { value: moments.mean, half }
    }

    pub(super) fn low(self) -> f64 {
        self.value - self.half
    }

    pub(super) fn high(self) -> f64 {
        self.value + self.half
    }

    pub(super) fn is_below(self, limit: f64) -> bool {
        self.high() < limit
    }

    pub(super) fn is_above(self, limit: f64) -> bool {
        self.low() > limit
    }

    /// With its sign, for differences.
    pub(super) fn signed(self) -> String {
        format!("{} ± {}", signed(self.value), number(self.half))
    }

    fn scaled(self, factor: f64) -> Self {
        Self { value: self.value * factor, half: self.half * factor }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ± {}", number(self.value), number(self.half))
    }
}

/// The regret of one agent minus that of another, run by run on the same tapes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    /// Mean regret of the first.
    pub(super) of: f64,
    /// Mean regret of the second.
    pub(super) beside: f64,
    /// First minus second.
    pub(super) difference: Estimate,
    /// The standard deviation over runs, pooled over the two.
    sd: f64,
}

impl Gap {
    pub(super) fn between(a: &CurveStats, b: &CurveStats) -> Self {
        let (first, second) = (a.last(), b.last());
        let variance = |moments: &Moments| moments.sd.map_or(f64::NAN, |sd| sd * sd);
        Self {
            of: first.mean,
            beside: second.mean,
            difference: Estimate::of(paired_difference(&a.finals, &b.finals)),
            sd: (0.5 * (variance(&first) + variance(&second))).sqrt(),
        }
    }

    /// The difference in standard deviations over runs; zero if that deviation is zero.
    pub(super) fn in_sds(&self) -> Estimate {
        if self.difference.value == 0.0 && self.difference.half == 0.0 {
            return self.difference;
        }
        self.difference.scaled(1.0 / self.sd)
    }

    /// `9,725 v 6,328 (+3,397 ± 210)`.
    pub(super) fn text(&self) -> String {
        format!("{} v {} ({})", number(self.of), number(self.beside), self.difference.signed())
    }
}

/// The regret of the second half of the steps as a multiple of the first half's: 1 for linear
/// growth, 0.41 for a square root, 0 when learning is over.
///
/// A ratio of means; its interval by the usual linearization, `sd(second - ratio first) / first`.
pub(super) fn growth(curve: &CurveStats) -> Estimate {
    let halves = || curve.finals.iter().zip(&curve.halfway).map(|(end, half)| (*half, end - half));
    let first = Moments::of(halves().map(|(first, _)| first)).mean;
    let second = Moments::of(halves().map(|(_, second)| second)).mean;
    if second <= 0.0 {
        return Estimate { value: 0.0, half: 0.0 };
    }
    if first <= 0.0 {
        return Estimate { value: f64::INFINITY, half: 0.0 };
    }
    let value = second / first;
    let rest = Moments::of(halves().map(|(first, second)| second - value * first));
    Estimate { value, half: Estimate::of(rest).half / first }
}

/// The regret of the second half of the steps, one agent minus another, run by run.
pub(super) fn second_half_gap(a: &CurveStats, b: &CurveStats) -> Estimate {
    let second = |curve: &CurveStats| -> Vec<f64> {
        curve.finals.iter().zip(&curve.halfway).map(|(end, half)| end - half).collect()
    };
    Estimate::of(paired_difference(&second(a), &second(b)))
}

/// Regret along an axis: one curve for each `x`.
pub(super) type Along<'a> = [(f64, &'a CurveStats)];

/// The least-squares slope of mean regret over `x`. Each run has its own slope, so the interval
/// does not require the cases to be independent; they share tapes.
pub(super) fn slope(along: &Along<'_>) -> Estimate {
    let weights = slope_weights(along.iter().map(|(x, _)| *x));
    Estimate::of(weighted_runs(along, &weights))
}

/// The exponent `b` of the power law `regret = a x^b`: least squares on logarithms of the means; the
/// interval by linearization, run by run.
pub(super) fn exponent(along: &Along<'_>) -> Estimate {
    let means: Vec<f64> = along.iter().map(|(_, curve)| curve.last().mean).collect();
    if means.iter().any(|&mean| mean <= 0.0) {
        return Estimate { value: f64::NAN, half: f64::INFINITY };
    }
    let weights = slope_weights(along.iter().map(|(x, _)| libm::log(*x)));
    let value = weights.iter().zip(&means).map(|(w, mean)| w * libm::log(*mean)).sum();
    let relative: Vec<f64> = weights.iter().zip(&means).map(|(w, mean)| w / mean).collect();
    Estimate { value, half: Estimate::of(weighted_runs(along, &relative)).half }
}

/// How well a straight line fits mean regret over `x`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fit {
    /// The share of the variance of the means that the line explains.
    pub(super) r_squared: f64,
    /// The largest distance of a mean from the line, as a share of the line's own rise.
    pub(super) worst: f64,
}

/// The least-squares line through the means.
pub(super) fn fit(along: &Along<'_>) -> Fit {
    let points: Vec<(f64, f64)> = along.iter().map(|(x, c)| (*x, c.last().mean)).collect();
    let center = Moments::of(points.iter().map(|p| p.0)).mean;
    let middle = Moments::of(points.iter().map(|p| p.1)).mean;
    let slope = slope(along).value;
    let off = |(x, y): &(f64, f64)| y - middle - slope * (x - center);
    let squares = |parts: &mut dyn Iterator<Item = f64>| parts.map(|part| part * part).sum::<f64>();
    let left = squares(&mut points.iter().map(off));
    let all = squares(&mut points.iter().map(|p| p.1 - middle));
    let worst = points.iter().map(|p| off(p).abs()).fold(0.0, f64::max);
    let ends = points.iter().map(|p| p.0);
    let span = ends.clone().fold(f64::MIN, f64::max) - ends.fold(f64::MAX, f64::min);
    Fit { r_squared: 1.0 - left / all, worst: worst / (slope * span).abs() }
}

fn slope_weights(xs: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let center = Moments::of(xs.clone()).mean;
    let squares: f64 = xs.clone().map(|x| (x - center) * (x - center)).sum();
    xs.map(|x| (x - center) / squares).collect()
}

/// The moments over runs of a weighted sum over cases.
fn weighted_runs(along: &Along<'_>, weights: &[f64]) -> Moments {
    let runs = along.iter().map(|(_, curve)| curve.finals.len()).min().unwrap_or(0);
    let of_run = |run: usize| -> f64 {
        along.iter().zip(weights).map(|((_, curve), weight)| weight * curve.finals[run]).sum()
    };
    let sums: Vec<f64> = (0..runs).map(of_run).collect();
    Moments::of(sums.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(finals: &[f64], halfway: &[f64]) -> CurveStats {
        CurveStats {
            t: vec![1, 2],
            mean: vec![],
            sd: vec![],
            ci95: vec![],
            finals: finals.to_vec(),
            halfway: halfway.to_vec(),
            reward_mean: 0.0,
            legs_mean: 0.0,
            overshoot_mean: 0.0,
        }
    }

    #[test]
    fn paired_gap_by_hand() {
        let gap = Gap::between(&curve(&[3.0, 6.0], &[]), &curve(&[1.0, 2.0], &[]));
        // Differences 2 and 4: mean 3, SD sqrt 2, standard error 1, t = 12.706.
        assert_eq!((gap.of, gap.beside, gap.difference.value), (4.5, 1.5, 3.0));
        assert!((gap.difference.half - 12.706_204_736).abs() < 1e-6);
        // Variances 4.5 and 0.5, pooled 2.5.
        assert!((gap.in_sds().value - 3.0 / 2.5_f64.sqrt()).abs() < 1e-12);
        assert!(!gap.difference.is_above(0.0));
        let same = Gap::between(&curve(&[1.0, 1.0], &[]), &curve(&[1.0, 1.0], &[]));
        assert_eq!(same.in_sds(), Estimate { value: 0.0, half: 0.0 });
    }

    #[test]
    fn growth_by_hand() {
        // First halves 2 and 4, second halves 1 and 2 in every run: exactly one half.
        assert_eq!(growth(&curve(&[3.0, 6.0], &[2.0, 4.0])), Estimate { value: 0.5, half: 0.0 });
        // First 2 and 2, second 1 and 3: ratio 1, rest -1 and 1, standard error 1.
        let uneven = growth(&curve(&[3.0, 5.0], &[2.0, 2.0]));
        assert_eq!(uneven.value, 1.0);
        assert!((uneven.half - 12.706_204_736 / 2.0).abs() < 1e-6);
        assert_eq!(growth(&curve(&[0.0, 0.0], &[0.0, 0.0])).value, 0.0);
        assert_eq!(growth(&curve(&[1.0, 1.0], &[0.0, 0.0])).value, f64::INFINITY);
        let gap =
            second_half_gap(&curve(&[3.0, 5.0], &[2.0, 2.0]), &curve(&[1.0, 3.0], &[1.0, 1.0]));
        assert_eq!(gap, Estimate { value: 1.0, half: 0.0 });
    }

    #[test]
    fn slopes_by_hand() {
        // Two runs: y = x and y = 3 x. Slopes 1 and 3, so 2, with standard error 1.
        let curves = [1.0, 2.0, 4.0].map(|x| (x, curve(&[x, 3.0 * x], &[])));
        let along: Vec<(f64, &CurveStats)> = curves.iter().map(|(x, c)| (*x, c)).collect();
        let rise = slope(&along);
        assert!((rise.value - 2.0).abs() < 1e-12 && (rise.half - 12.706_204_736).abs() < 1e-6);
        let line = fit(&along);
        assert!((line.r_squared - 1.0).abs() < 1e-12 && line.worst < 1e-12);
        // A power of one in every run: the exponent has no error, though the factor has.
        let power = exponent(&along);
        assert!((power.value - 1.0).abs() < 1e-12 && power.half < 1e-9);
    }

    #[test]
    fn a_bent_curve_is_not_a_line() {
        // Means 0, 0, 3 at 0, 1, 2: slope 1.5, middle 1, residuals 0.5, -1, 0.5; rise 3.
        let curves = [(0.0, 0.0), (1.0, 0.0), (2.0, 3.0)].map(|(x, y)| (x, curve(&[y, y], &[])));
        let along: Vec<(f64, &CurveStats)> = curves.iter().map(|(x, c)| (*x, c)).collect();
        let line = fit(&along);
        assert!((line.r_squared - (1.0 - 1.5 / 6.0)).abs() < 1e-12);
        assert!((line.worst - 1.0 / 3.0).abs() < 1e-12);
        assert!(exponent(&along).value.is_nan());
    }
}
