//! Posterior sampling: a draw of `N(sum / (1 + n), 1 / (1 + n))`, the Local TS of Section V.
//!
//! The posterior of a unit-variance Gaussian mean under the prior `N(0, 1)`.

use super::Index;
use crate::agent::Situation;
use crate::estimates::Sample;
use crate::random::Stream;

/// A draw from each node's posterior.
#[derive(Debug, Clone, Default)]
pub struct PosteriorSample;

impl Index for PosteriorSample {
    fn prepare(&mut self, _now: &Situation<'_>) {}

    #[inline]
    fn score(&self, sample: &Sample, stream: &mut Stream) -> f64 {
        let precision = 1.0 + sample.count as f64;
        sample.sum / precision + stream.normal() / precision.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    #[test]
    fn draws_have_the_posterior_s_moments() {
        let sample = Sample { count: 3, sum: 6.0, sum_of_squares: 14.0 };
        let mut stream = Seed(4).stream();
        let mut draws = Sample::default();
        for _ in 0..100_000 {
            draws.push(PosteriorSample.score(&sample, &mut stream));
        }
        assert!((draws.mean() - 1.5).abs() < 0.008, "{}", draws.mean());
        assert!((draws.variance().unwrap() - 0.25).abs() < 0.006, "{:?}", draws.variance());
    }
}
