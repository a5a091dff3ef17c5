//! KL-UCB (Garivier and Cappe, 2011): the highest mean whose divergence from the observed mean,
//! times `n`, is at most `ln+(t / n)`.
//!
//! The logarithm is that of KL-UCB+: a node visited often needs no bonus for its age.

use super::gaussian_bounds::GaussianBounds;
use super::{Horizon, Index, Noise, log_above_one};
use crate::agent::{Situation, Visit};
use crate::clock::Visits;
use crate::estimates::{Estimates, Sample};
use crate::graph::NodeId;
use crate::node_scores::{EachAlone, NodeScores};
use crate::random::Stream;

/// The assumed law of rewards around their mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RewardFamily {
    /// Gaussian, with declared or estimated variance.
    #[default]
    Gaussian,
    /// Within `[0, 1]`: 0 or 1, or anything between.
    Bernoulli,
}

/// KL-UCB for Gaussian rewards: `mean + sqrt(2 s2 ln+(t / n) / n)`.
#[derive(Debug, Clone)]
pub struct KlUcb {
    horizon: Horizon,
    bounds: GaussianBounds,
}

impl KlUcb {
    /// The bound under this noise; a known horizon replaces `t`.
    pub fn new(noise: Noise, horizon: Horizon) -> Self {
        Self { horizon, bounds: GaussianBounds::new(noise) }
    }
}

impl Index for KlUcb {
    type Clock = Visits;

    fn prepare(&mut self, now: &Situation<'_>, t: Visits) {
        self.bounds.prepare(now, self.horizon.total(t));
    }

    #[inline]
    fn visited(&mut self, visit: &Visit) {
        self.bounds.visited(visit);
    }

    fn forget_visits(&mut self) {
        self.bounds.forget_visits();
    }

    #[inline]
    fn score(&self, estimates: &Estimates, node: NodeId, _stream: &mut Stream) -> f64 {
        self.bounds.of(estimates, node)
    }

    fn node_scores(&self, _: &Estimates, _: &mut Stream) -> Option<NodeScores> {
        Some(NodeScores::each_alone(self.bounds.as_found()))
    }
}

/// KL-UCB for rewards within `[0, 1]`: the highest `q` with `n kl(mean, q) <= ln+(t / n)`.
#[derive(Debug, Clone, Default)]
pub struct KlUcbBernoulli {
    horizon: Horizon,
    t: f64,
}

impl KlUcbBernoulli {
    /// The bound; a known horizon replaces `t`.
    pub fn new(horizon: Horizon) -> Self {
        Self { horizon, t: 0.0 }
    }
}

impl Index for KlUcbBernoulli {
    type Clock = Visits;

    fn prepare(&mut self, _now: &Situation<'_>, t: Visits) {
        self.t = self.horizon.total(t);
    }

    #[inline]
    fn score(&self, estimates: &Estimates, node: NodeId, _stream: &mut Stream) -> f64 {
        self.of(estimates, node)
    }

    fn node_scores(&self, _: &Estimates, _: &mut Stream) -> Option<NodeScores> {
        Some(NodeScores::each_alone(self.clone()))
    }
}

impl KlUcbBernoulli {
    /// The bound of a node; infinite if it is unvisited.
    #[inline]
    fn of(&self, estimates: &Estimates, node: NodeId) -> f64 {
        let sample = estimates.sample(node);
        if sample.count == 0 {
            return f64::INFINITY;
        }
        let mean = sample.mean();
        // Rewards outside `[0, 1]` are scored by their mean alone.
        if (0.0..1.0).contains(&mean) { highest(mean, self.level(sample)) } else { mean }
    }

    /// The divergence that a node's rewards allow.
    #[inline]
    fn level(&self, sample: &Sample) -> f64 {
        log_above_one(self.t / sample.n()) / sample.n()
    }
}

impl EachAlone for KlUcbBernoulli {
    #[inline]
    fn above(&self, floor: f64, estimates: &Estimates, node: NodeId) -> Option<f64> {
        let sample = estimates.sample(node);
        let mean = sample.mean();
        // The divergence grows with `q`: if it is too high at the floor, then also above it.
        if mean >= 0.0
            && (mean..1.0).contains(&floor)
            && divergence(mean, floor) > self.level(sample) + MARGIN
        {
            return None;
        }
        Some(self.of(estimates, node))
    }
}

/// Far above the rounding error of a divergence.
const MARGIN: f64 = 1e-9;

/// `kl(p, q)` of two Bernoulli laws, `p <= q < 1`.
fn divergence(p: f64, q: f64) -> f64 {
    let of = |p: f64, q: f64| if p > 0.0 { p * libm::log(p / q) } else { 0.0 };
    of(p, q) + of(1.0 - p, 1.0 - q)
}

/// The highest `q` in `[p, 1)` with `kl(p, q) <= level`, to the last few bits.
fn highest(p: f64, level: f64) -> f64 {
    // By Pinsker's inequality, `q` is at most sqrt(level / 2) above `p`.
    let (mut low, mut high) = (p, (p + (0.5 * level).sqrt()).min(1.0));
    for _ in 0..48 {
        let middle = 0.5 * (low + high);
        if divergence(p, middle) > level {
            high = middle;
        } else {
            low = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, Reading};
    use crate::graph::Graph;
    use crate::index::Variance;
    use crate::random::Seed;

    fn scores(index: &mut impl Index<Clock = Visits>) -> [f64; 3] {
        let graph = Graph::line(3).unwrap();
        let mut estimates = Estimates::new(3);
        for reward in [1.0, 0.0, 0.0, 0.0] {
            estimates.push(0, reward);
        }
        for _ in 0..16 {
            estimates.push(1, 0.25);
        }
        let now =
            Situation { graph: &graph, at: 0, estimates: &estimates, clock: &Clock::default() };
        index.prepare(&now, Visits::of(&now));
        [0, 1, 2].map(|node| index.score(&estimates, node, &mut Seed(0).stream()))
    }

    #[test]
    fn gaussian_by_hand() {
        let noise = Noise::new(0.5, Variance::Declared);
        // t = 20: sqrt(2 / 4 ln(5) / 4) and sqrt(2 / 4 ln(20 / 16) / 16) above 1 / 4.
        let found = scores(&mut KlUcb::new(noise, Horizon::Unknown));
        assert!((found[0] - (0.25 + (libm::log(5.0) / 8.0).sqrt())).abs() < 1e-12, "{found:?}");
        assert!((found[1] - (0.25 + (libm::log(1.25) / 32.0).sqrt())).abs() < 1e-12, "{found:?}");
        assert_eq!(found[2], f64::INFINITY);
        let found = scores(&mut KlUcb::new(noise, Horizon::Known(400.0)));
        assert!((found[0] - (0.25 + (libm::log(100.0) / 8.0).sqrt())).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn bernoulli_bound_has_the_requested_divergence() {
        let found = scores(&mut KlUcbBernoulli::new(Horizon::Unknown));
        for (q, n) in [(found[0], 4.0), (found[1], 16.0)] {
            let kl = 0.25 * libm::log(0.25 / q) + 0.75 * libm::log(0.75 / (1.0 - q));
            assert!(q > 0.25 && (n * kl - libm::log(20.0 / n)).abs() < 1e-12, "{found:?}");
        }
        assert_eq!(found[2], f64::INFINITY);
        // Only zeros: 1 - q = exp(-level).
        assert!((highest(0.0, 0.5) - (1.0 - libm::exp(-0.5))).abs() < 1e-12);
        assert_eq!(highest(0.3, 0.0), 0.3);
        assert!(highest(0.999_999, 700.0) < 1.0);
    }
}
