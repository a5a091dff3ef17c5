//! What an agent takes for the variance of one reward: declared, or estimated below what is declared.
//!
//! The declared scale `h` is a sub-Gaussian scale of the noise of every node (uniform noise of half
//! width `h`: `h`), so `h^2` is at least its variance, and often much more: three times for uniform noise.
//! Estimates are capped there, and begin there: the pool counts `h^2` as two visits seen before.

use crate::estimates::{Estimates, Sample};
use crate::exact::exact;
use serde::{Deserialize, Serialize};

/// Where the variance of a node's rewards comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variance {
    /// The node's own rewards, drawn towards those of all nodes by ten visits: noise may differ
    /// from node to node.
    #[default]
    Estimated,
    /// The rewards of all nodes: noise is taken to be alike everywhere.
    Pooled,
    /// The square of the declared scale.
    Declared,
}

/// Visits that the declared scale counts for in the pool.
const DECLARED_WEIGHT: f64 = 2.0;
/// No node counts for more visits than this in the pool, so that it does not become the variance of
/// the node where the agent mostly is.
const HEAVIEST: f64 = 5.0;
/// Visits that the pool counts for in the variance of one node.
const POOL_WEIGHT: f64 = 10.0;

/// The variance of every node's rewards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    variance: Variance,
    declared: f64,
    pooled: f64,
}

impl Noise {
    /// Noise of sub-Gaussian scale `scale`.
    pub fn new(scale: f64, variance: Variance) -> Self {
        let declared = scale * scale;
        Self { variance, declared, pooled: declared }
    }

    /// Pools what has been seen; once per leg.
    pub fn prepare(&mut self, estimates: &Estimates) {
        if self.variance == Variance::Declared {
            return;
        }
        let (mut sum, mut weight) = (DECLARED_WEIGHT * self.declared, DECLARED_WEIGHT);
        for sample in estimates.samples().iter().filter(|sample| sample.count > 1) {
            let freedom = exact(sample.count - 1);
            let weighs = freedom.min(HEAVIEST);
            sum += sample.scatter() * weighs / freedom;
            weight += weighs;
        }
        self.pooled = (sum / weight).min(self.declared);
    }

    /// The variance that all nodes have in common, as far as one can tell.
    #[inline]
    pub fn common(&self) -> f64 {
        self.pooled
    }

    /// The variance of the rewards of a node of which `sample` has been seen, not nothing.
    #[inline]
    pub fn of(&self, sample: &Sample) -> f64 {
        match self.variance {
            Variance::Estimated => {
                let own = sample.scatter() + POOL_WEIGHT * self.pooled;
                (own / (sample.n() - 1.0 + POOL_WEIGHT)).min(self.declared)
            }
            Variance::Pooled | Variance::Declared => self.pooled,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen() -> Estimates {
        let mut estimates = Estimates::new(4);
        for reward in [1.0, 3.0] {
            estimates.push(0, reward);
        }
        for _ in 0..10 {
            estimates.push(1, 4.0);
            estimates.push(1, 6.0);
        }
        estimates.push(2, 9.0);
        estimates
    }

    fn prepared(scale: f64, variance: Variance) -> Noise {
        let mut noise = Noise::new(scale, variance);
        noise.prepare(&seen());
        noise
    }

    #[test]
    fn formulas_by_hand() {
        let seen = seen();
        // Node 0: scatter 2 at weight 1; node 1: scatter 20, variance 20 / 19 at weight 5.
        let pooled = (2.0 * 9.0 + 2.0 + 100.0 / 19.0) / 8.0;
        let noise = prepared(3.0, Variance::Pooled);
        assert!((noise.common() - pooled).abs() < 1e-14);
        assert_eq!(noise.of(seen.sample(1)), noise.common());
        let noise = prepared(3.0, Variance::Estimated);
        let own = |sample| noise.of(seen.sample(sample));
        assert!((own(0) - (2.0 + 10.0 * pooled) / 11.0).abs() < 1e-14);
        assert!((own(1) - (20.0 + 10.0 * pooled) / 29.0).abs() < 1e-14);
        assert!((own(2) - pooled).abs() < 1e-14);
        assert_eq!(prepared(3.0, Variance::Declared).of(seen.sample(1)), 9.0);
    }

    #[test]
    fn never_above_what_is_declared() {
        let seen = seen();
        for scale in [0.0, 1e-200, 0.1, 1.0] {
            for variance in [Variance::Estimated, Variance::Pooled, Variance::Declared] {
                let noise = prepared(scale, variance);
                for node in 0..3 {
                    assert!(noise.of(seen.sample(node)) <= scale * scale);
                }
            }
        }
        // Sums of squares that overflow tell nothing, and are not to become a variance.
        let mut huge = Estimates::new(1);
        huge.push(0, 1e200);
        huge.push(0, -1e200);
        let mut noise = Noise::new(2.0, Variance::Estimated);
        noise.prepare(&huge);
        assert!((0.0..=4.0).contains(&noise.of(huge.sample(0))));
    }
}
