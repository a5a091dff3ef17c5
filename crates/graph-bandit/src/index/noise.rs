//! What an agent takes for the variance of one reward: declared, or estimated below what is declared.
//!
//! The declared scale `h` is a sub-Gaussian scale of the noise of every node (uniform noise of half
//! width `h`: `h`), so `h^2` is at least its variance, and often much more: three times for uniform noise.
//! Estimates are capped there, and begin there: the pool counts `h^2` as two visits seen before. What
//! rounding may have taken from an estimate is put back: where means are so large beside the noise that
//! sums of squares do not show it, a variance is `h^2` again, not zero.

use crate::estimates::{Estimates, Sample};
use crate::exact::exact;

/// Where the variance of a node's rewards comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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
/// What share of the declared variance an estimate may lack.
const NEGLIGIBLE: f64 = 1e-6;

/// The variance of every node's rewards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    variance: Variance,
    declared: f64,
    pooled: f64,
    /// While `mean^2 n` is at most this, rounding hides a negligible share of what is declared.
    plain: f64,
}

impl Noise {
    /// Noise of sub-Gaussian scale `scale`.
    pub fn new(scale: f64, variance: Variance) -> Self {
        let declared = scale * scale;
        Self { variance, declared, pooled: declared, plain: NEGLIGIBLE * declared / f64::EPSILON }
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
            sum += self.scatter(sample) * weighs / freedom;
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
                let own = self.scatter(sample) + POOL_WEIGHT * self.pooled;
                (own / (sample.n() - 1.0 + POOL_WEIGHT)).min(self.declared)
            }
            Variance::Pooled | Variance::Declared => self.pooled,
        }
    }

    /// The scatter that was seen, or as much of what is declared as rounding can hide.
    #[inline]
    fn scatter(&self, sample: &Sample) -> f64 {
        // The error is below `eps mean^2 n` a visit. So it can be told without a root, almost always.
        if sample.sum * sample.sum <= self.plain * sample.n() {
            return sample.scatter();
        }
        let declared = self.declared * (sample.n() - 1.0);
        sample.scatter().max(sample.scatter_error().min(declared))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

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

    /// Noise of variance 1 / 12 around `mean`, five nodes of it.
    fn around(mean: f64) -> Estimates {
        let mut stream = Seed(8).stream();
        let mut estimates = Estimates::new(5);
        for _ in 0..200 {
            for node in 0..5 {
                estimates.push(node, mean + f64::from(node) + stream.unit() - 0.5);
            }
        }
        estimates
    }

    #[test]
    fn noise_that_large_means_hide_is_as_large_as_declared() {
        for variance in [Variance::Estimated, Variance::Pooled] {
            let of = |mean: f64| {
                let seen = around(mean);
                let mut noise = Noise::new(0.5, variance);
                noise.prepare(&seen);
                [0, 1, 2, 3, 4].map(|node| noise.of(seen.sample(node)))
            };
            for mean in [1e9, -1e9, 1e12, 1e80] {
                assert_eq!(of(mean), [0.25; 5], "{mean} {variance:?}");
            }
            // In between an estimate is too large rather than too small, and near zero it is what it was.
            let near = of(1.0);
            for mean in [1e3, 1e5, 1e6, 1e7, 1e8] {
                for (far, near) in of(mean).into_iter().zip(near) {
                    assert!(far > 0.8 * near && far <= 0.25, "{mean} {variance:?}: {far} {near}");
                    assert!(mean > 1e5 || far < 1.001 * near, "{mean} {variance:?}: {far} {near}");
                }
            }
        }
    }

    #[test]
    fn what_one_node_hides_weighs_no_more_than_that_node() {
        let pooled = |last: f64| {
            let mut samples = Vec::from(around(0.0));
            let mut sample = Sample::default();
            (0..100).for_each(|_| sample.push(last));
            samples.push(sample);
            let mut noise = Noise::new(2.0, Variance::Pooled);
            noise.prepare(&Estimates::try_from(samples).unwrap());
            noise.common()
        };
        // It weighs 5 of 32, between no variance at all and the declared one.
        assert!((pooled(1e12) - pooled(0.0) - 4.0 * 5.0 / 32.0).abs() < 1e-12);
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
