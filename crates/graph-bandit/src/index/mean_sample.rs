//! Posterior samples of means of any range: `N(mean, s2 / n)` under a flat prior, or `Beta(1 + sum,
//! 1 + n - sum)` for rewards within `[0, 1]`.
//!
//! The paper's [`PosteriorSample`](super::PosteriorSample) has unit variance and a prior around
//! zero.

use super::tally::Tally;
use super::{Index, Noise};
use crate::agent::{Situation, Visit};
use crate::clock::Visits;
use crate::estimates::{Estimates, Sample};
use crate::graph::NodeId;
use crate::node_scores::{EachAlone, NodeScores};
use crate::random::{NormalCeilings, Stream, normal_from};
use crate::reward::beta_variable;

/// A draw of `N(mean, s2 / n)`.
#[derive(Debug, Clone)]
pub struct MeanSample {
    noise: Noise,
    tally: Tally,
    ceilings: NormalCeilings,
    /// No posterior is wider than this.
    widest: f64,
}

impl MeanSample {
    /// Draws under this noise.
    pub fn new(noise: Noise) -> Self {
        let (tally, ceilings) = (Tally::default(), NormalCeilings::default());
        Self { noise, tally, ceilings, widest: noise.highest().sqrt() }
    }

    /// The same draws, without what serves to find the next ones.
    fn as_found(&self) -> Self {
        Self { tally: Tally::default(), ceilings: self.ceilings.clone(), ..*self }
    }

    /// The draw that these bits stand for.
    #[inline]
    fn draw(&self, sample: &Sample, bits: u64) -> f64 {
        sample.mean() + (self.noise.of(sample) / sample.n()).sqrt() * normal_from(bits)
    }
}

impl Index for MeanSample {
    type Clock = Visits;

    fn prepare(&mut self, now: &Situation<'_>, _t: Visits) {
        self.tally.pool(now.estimates, &mut self.noise);
        self.widest = self.noise.highest().sqrt();
    }

    #[inline]
    fn visited(&mut self, visit: &Visit) {
        self.tally.visited(visit.node, visit.sample.count);
    }

    fn forget_visits(&mut self) {
        self.tally.forget();
    }

    #[inline]
    fn score(&self, estimates: &Estimates, node: NodeId, stream: &mut Stream) -> f64 {
        let sample = estimates.sample(node);
        if sample.count == 0 {
            return f64::INFINITY;
        }
        self.draw(sample, stream.bits())
    }

    fn node_scores(&self, estimates: &Estimates, stream: &mut Stream) -> Option<NodeScores> {
        // Unvisited nodes draw nothing.
        if estimates.all().iter().any(|seen| seen.mean == f64::INFINITY) {
            return None;
        }
        let scores = MeanDraws { index: self.as_found(), stream: stream.clone() };
        stream.go_to(stream.position() + estimates.all().len() as u64);
        Some(NodeScores::each_alone(scores))
    }
}

/// One draw for each node, if all of them were visited.
#[derive(Debug)]
struct MeanDraws {
    index: MeanSample,
    /// Before the draw for node 0.
    stream: Stream,
}

impl EachAlone for MeanDraws {
    #[inline]
    fn above(&self, floor: f64, estimates: &Estimates, node: NodeId) -> Option<f64> {
        let index = &self.index;
        let sample = estimates.sample(node);
        let bits = self.stream.bits_ahead(u64::from(node));
        // Rounding never turns a lower number into a higher one. So with a spread and a normal number
        // that are at least those of the draw, the same steps end at a number that is at least the
        // draw.
        let normal = index.ceilings.above(bits).max(0.0);
        let mean = sample.mean();
        if mean + index.widest * normal <= floor
            || mean + (index.noise.highest() / sample.n()).sqrt() * normal <= floor
        {
            return None;
        }
        Some(index.draw(sample, bits))
    }
}

/// A draw of `Beta(1 + sum, 1 + n - sum)`, for rewards within `[0, 1]`.
#[derive(Debug, Clone, Copy, Default)]
pub struct BetaSample;

impl Index for BetaSample {
    type Clock = Visits;

    fn prepare(&mut self, _now: &Situation<'_>, _t: Visits) {}

    #[inline]
    fn score(&self, estimates: &Estimates, node: NodeId, stream: &mut Stream) -> f64 {
        let sample = estimates.sample(node);
        if sample.count == 0 {
            return f64::INFINITY;
        }
        // Rewards outside `[0, 1]` are scored by their mean alone.
        if (0.0..=1.0).contains(&sample.mean()) {
            let good = sample.sum.clamp(0.0, sample.n());
            beta_variable(1.0 + good, 1.0 + (sample.n() - good), stream)
        } else {
            sample.mean()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimates::Sample;
    use crate::index::Variance;
    use crate::random::Seed;

    fn moments(index: &impl Index, seen: Sample) -> (f64, f64) {
        let seen = Estimates::try_from(vec![seen]).unwrap();
        let mut stream = Seed(4).stream();
        let mut draws = Sample::default();
        for _ in 0..100_000 {
            draws.push(index.score(&seen, 0, &mut stream));
        }
        (draws.mean(), draws.variance().unwrap())
    }

    #[test]
    fn gaussian_draws_have_the_posterior_s_moments() {
        let seen = Sample { count: 4, sum: 400.0, sum_of_squares: 40_000.0 };
        let index = MeanSample::new(Noise::new(2.0, Variance::Declared));
        let (mean, variance) = moments(&index, seen);
        assert!((mean - 100.0).abs() < 0.015 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
    }

    #[test]
    fn beta_draws_have_the_posterior_s_moments() {
        // Beta(4, 8): mean 1 / 3, variance 4 * 8 / (144 * 13).
        let seen = Sample { count: 10, sum: 3.0, sum_of_squares: 3.0 };
        let (mean, variance) = moments(&BetaSample, seen);
        assert!((mean - 1.0 / 3.0).abs() < 0.002, "{mean}");
        assert!((variance - 32.0 / 1_872.0).abs() < 4e-4, "{variance}");
    }

    #[test]
    fn unvisited_nodes_are_infinitely_promising() {
        let seen = Estimates::new(1);
        let mut stream = Seed(0).stream();
        assert_eq!(BetaSample.score(&seen, 0, &mut stream), f64::INFINITY);
        let index = MeanSample::new(Noise::new(0.5, Variance::Estimated));
        assert_eq!(index.score(&seen, 0, &mut stream), f64::INFINITY);
    }
}
