//! Thompson sampling from what still counts: rewards may count in part, as when they are
//! discounted (Raj and Kalyani, 2017).

use super::Index;
use crate::agent::Situation;
use crate::clock::Visits;
use crate::divergence::Divergence;
use crate::estimates::Estimates;
use crate::graph::NodeId;
use crate::random::Stream;
use crate::reward::beta_variable;

/// A draw of `Beta(1 + S, 1 + F)` for rewards within `[0, 1]`, where `S` is the sum of what counts
/// and `F` the rest of its weight; else of `N(mean, variance / weight)`.
#[derive(Debug, Clone, Copy)]
pub struct BeliefSample {
    divergence: Divergence,
}

impl BeliefSample {
    /// Draws for rewards of this family.
    pub fn new(divergence: Divergence) -> Self {
        Self { divergence }
    }
}

impl Index for BeliefSample {
    type Clock = Visits;

    fn prepare(&mut self, _now: &Situation<'_>, _t: Visits) {}

    fn score(&self, estimates: &Estimates, node: NodeId, stream: &mut Stream) -> f64 {
        let seen = estimates.estimate(node);
        let weight = seen.weight();
        match self.divergence {
            // Of a forgotten node only the prior is left, which is proper.
            Divergence::Bernoulli if weight == 0.0 => beta_variable(1.0, 1.0, stream),
            Divergence::Bernoulli if (0.0..=1.0).contains(&seen.mean) => {
                beta_variable(1.0 + seen.mean * weight, 1.0 + (1.0 - seen.mean) * weight, stream)
            }
            // Rewards outside `[0, 1]` are scored by their mean alone.
            Divergence::Bernoulli => seen.mean,
            // The prior is flat: nothing is known of a forgotten node.
            Divergence::Gaussian { .. } if weight == 0.0 => f64::INFINITY,
            Divergence::Gaussian { variance } => {
                seen.mean + variance.sqrt() * seen.spread * stream.normal()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimates::{Estimate, Sample};
    use crate::random::Seed;

    fn moments(divergence: Divergence, weight: f64, mean: f64) -> (f64, f64) {
        let mut seen = Estimates::new(1);
        let sample = Sample { count: 1, sum: mean, sum_of_squares: mean * mean };
        if weight > 0.0 {
            seen.weigh(0, sample, Estimate { mean, spread: 1.0 / weight.sqrt() });
        }
        let mut stream = Seed(4).stream();
        let mut draws = Sample::default();
        for _ in 0..100_000 {
            draws.push(BeliefSample::new(divergence).score(&seen, 0, &mut stream));
        }
        (draws.mean(), draws.variance().unwrap())
    }

    #[test]
    fn draws_have_the_belief_s_moments() {
        // Beta(1.5, 2): mean 3 / 7, variance 1.5 * 2 / (3.5^2 * 4.5).
        let (mean, variance) = moments(Divergence::Bernoulli, 1.5, 1.0 / 3.0);
        assert!((mean - 3.0 / 7.0).abs() < 0.003, "{mean}");
        assert!((variance - 3.0 / (12.25 * 4.5)).abs() < 1e-3, "{variance}");
        let (mean, variance) = moments(Divergence::Bernoulli, 0.0, 0.0);
        assert!((mean - 0.5).abs() < 0.004 && (variance - 1.0 / 12.0).abs() < 1e-3);
        let (mean, variance) = moments(Divergence::gaussian(2.0), 0.5, 100.0);
        assert!((mean - 100.0).abs() < 0.04 && (variance - 8.0).abs() < 0.15, "{mean} {variance}");
        assert_eq!(moments(Divergence::Bernoulli, 3.0, 7.0).0, 7.0);
    }
}
