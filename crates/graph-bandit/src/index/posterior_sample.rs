//! Posterior sampling: a draw of `N(sum / (1 + n), 1 / (1 + n))`, the Local TS of Section V.
//!
//! The posterior of a unit-variance Gaussian mean under the prior `N(0, 1)`.

use super::Index;
use crate::agent::Situation;
use crate::clock::Visits;
use crate::estimates::{Estimates, Sample};
use crate::graph::NodeId;
use crate::random::{NormalCeilings, Stream, normal_from};

/// An upper bound on the rounding error of a ceiling.
const ROUNDING: f64 = 1.0 + 1e-12;

/// A draw from each node's posterior.
#[derive(Debug, Clone, Default)]
pub struct PosteriorSample {
    ceilings: NormalCeilings,
}

impl Index for PosteriorSample {
    type Clock = Visits;

    fn prepare(&mut self, _now: &Situation<'_>, _t: Visits) {}

    #[inline]
    fn score(&self, estimates: &Estimates, node: NodeId, stream: &mut Stream) -> f64 {
        Posterior::of(estimates.sample(node)).at(stream.normal())
    }

    #[inline]
    fn score_above(
        &self,
        floor: f64,
        estimates: &Estimates,
        node: NodeId,
        stream: &mut Stream,
    ) -> Option<f64> {
        let bits = stream.bits();
        // Without the prior, mean and deviation are known and at least as far from zero: this
        // excludes most nodes before a division or a root.
        let seen = estimates.estimate(node);
        let ceiling = seen.mean.max(0.0) + self.ceilings.above(bits).max(0.0) * seen.spread;
        if ceiling * ROUNDING <= floor {
            return None;
        }
        let posterior = Posterior::of(estimates.sample(node));
        // Both sides round the same way, so a draw below its ceiling cannot end up above it.
        let possible = posterior.at(self.ceilings.above(bits)) > floor;
        possible.then(|| posterior.at(normal_from(bits)))
    }
}

/// `N(mean, deviation^2)`.
struct Posterior {
    mean: f64,
    root_precision: f64,
}

impl Posterior {
    #[inline]
    fn of(sample: &Sample) -> Self {
        let precision = 1.0 + sample.n();
        Self { mean: sample.sum / precision, root_precision: precision.sqrt() }
    }

    #[inline]
    fn at(&self, normal: f64) -> f64 {
        self.mean + normal / self.root_precision
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    #[test]
    fn draws_have_the_posterior_s_moments() {
        let seen =
            Estimates::try_from(vec![Sample { count: 3, sum: 6.0, sum_of_squares: 14.0 }]).unwrap();
        let mut stream = Seed(4).stream();
        let index = PosteriorSample::default();
        let mut draws = Sample::default();
        for _ in 0..100_000 {
            draws.push(index.score(&seen, 0, &mut stream));
        }
        assert!((draws.mean() - 1.5).abs() < 0.008, "{}", draws.mean());
        assert!((draws.variance().unwrap() - 0.25).abs() < 0.006, "{:?}", draws.variance());
    }

    #[test]
    fn a_score_is_skipped_only_if_it_is_not_above_the_floor() {
        let index = PosteriorSample::default();
        let (mut drawn, mut spared) = (Seed(9).stream(), Seed(9).stream());
        let mut left_out = 0;
        for round in 0..100_000_u32 {
            let count = 1 + u64::from(round % 40);
            let sum = f64::from(round % 7);
            let seen =
                Estimates::try_from(vec![Sample { count, sum, sum_of_squares: 0.0 }]).unwrap();
            let floor = f64::from(round % 13) / 4.0 - 1.0;
            let score = index.score(&seen, 0, &mut drawn);
            if let Some(other) = index.score_above(floor, &seen, 0, &mut spared) {
                assert_eq!(other, score);
            } else {
                assert!(score <= floor, "{score} {floor}");
                left_out += 1;
            }
            assert_eq!(drawn, spared);
        }
        assert!(left_out > 50_000, "{left_out}");
    }
}
