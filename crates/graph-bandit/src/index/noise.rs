//! The variance of one reward that an agent assumes: declared, or estimated below the declared one.
//!
//! The declared scale `h` is a sub-Gaussian scale of every node's noise (for uniform noise, its
//! half width), so `h^2` is at least the variance, and often much more: three times for uniform
//! noise. Estimates start at `h^2` and are capped there: the pool counts `h^2` as two earlier
//! visits. A node's own estimate may count `h^2` again, as `doubt` visits: the pool says little about
//! a node that is noisier than the others. An estimate is never below its own rounding error. So if means are so large that sums
//! of squares cannot show the noise, the variance is `h^2` again, not zero.

use crate::estimates::{Estimates, Sample};
use crate::exact::exact;
use crate::graph::NodeId;

/// The source of the variance of a node's rewards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Variance {
    /// The node's own rewards, shrunk towards the pool by ten visits: noise may differ between
    /// nodes.
    #[default]
    Estimated,
    /// The rewards of all nodes: noise is assumed to be the same everywhere.
    Pooled,
    /// The square of the declared scale.
    Declared,
}

/// The weight of the declared scale in the pool, in visits.
const DECLARED_WEIGHT: f64 = 2.0;
/// The largest weight of a node in the pool, in visits. Otherwise the node where the agent mostly
/// is would dominate.
const HEAVIEST: f64 = 5.0;
/// The weight of the pool in the variance of one node, in visits.
const POOL_WEIGHT: f64 = 10.0;
/// The share of the declared variance that an estimate may lack.
const NEGLIGIBLE: f64 = 1e-6;

/// More than rounding may add to an estimate, as a share of it.
const ROUNDING: f64 = 1e-12;

/// The variance of every node's rewards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    variance: Variance,
    declared: f64,
    pooled: f64,
    /// The weight of the declared variance in that of one node, in visits.
    doubt: f64,
    /// No estimate for a node is above this.
    cap: f64,
    /// While `mean^2 n` is at most this, rounding hides a negligible share of the declared
    /// variance.
    plain: f64,
}

impl Noise {
    /// Noise of sub-Gaussian scale `scale`.
    pub fn new(scale: f64, variance: Variance) -> Self {
        let declared = scale * scale;
        let plain = NEGLIGIBLE * declared / f64::EPSILON;
        Self { variance, declared, pooled: declared, doubt: 0.0, cap: declared, plain }
    }

    /// The same with the declared variance counted as `doubt` visits to each node. If the variance
    /// is estimated, then that of a node with `n` visits is at least `doubt / (n + 9 + doubt)` of
    /// the declared one, whatever the rewards were.
    #[must_use]
    pub fn with_doubt(self, doubt: f64) -> Self {
        Self { doubt, ..self }
    }

    /// Pools all rewards so far; once per leg.
    pub fn prepare(&mut self, estimates: &Estimates) {
        if self.variance == Variance::Declared {
            return;
        }
        let (mut sum, mut weight) = (DECLARED_WEIGHT * self.declared, 0);
        for sample in estimates.samples() {
            let (scatter, weighs) = self.weighed(sample);
            sum += scatter;
            weight += u64::from(weighs);
        }
        self.pool(weight, |_| sum);
    }

    /// What a node adds to the pool, and its weight there; nothing below two visits.
    #[inline]
    pub(super) fn weighed(&self, sample: &Sample) -> (f64, u8) {
        if sample.count < 2 {
            return (0.0, 0);
        }
        let freedom = exact(sample.count - 1);
        let weighs = freedom.min(HEAVIEST);
        (self.scatter(sample) * weighs / freedom, weighs as u8)
    }

    /// Pools what nodes of this weight in total [add](Self::weighed) to a given start.
    pub(super) fn pool(&mut self, weight: u64, added: impl FnOnce(f64) -> f64) {
        if self.variance != Variance::Declared {
            let sum = added(DECLARED_WEIGHT * self.declared);
            self.pooled = (sum / (DECLARED_WEIGHT + exact(weight))).min(self.declared);
        }
    }

    /// Whether variances are estimated node by node.
    pub(super) fn is_estimated(&self) -> bool {
        self.variance == Variance::Estimated
    }

    /// Whether all variances are the square of the declared scale, whatever the rewards.
    pub(super) fn is_declared(&self) -> bool {
        self.variance == Variance::Declared
    }

    /// No node's variance is higher than this.
    #[inline]
    pub(super) fn highest(&self) -> f64 {
        match self.variance {
            Variance::Estimated => self.cap,
            Variance::Pooled | Variance::Declared => self.pooled,
        }
    }

    /// The estimated variance that all nodes have in common.
    #[inline]
    pub fn common(&self) -> f64 {
        self.pooled
    }

    /// The square of the declared scale: no node's variance is higher.
    #[inline]
    pub(crate) fn declared(&self) -> f64 {
        self.declared
    }

    /// The same noise, if the nodes had this estimate in common. A higher one makes no node's
    /// variance lower.
    #[inline]
    pub(crate) fn supposing(self, common: f64) -> Self {
        Self { pooled: common, ..self }
    }

    /// The variance of a node's rewards, given its non-empty `sample`.
    #[inline]
    pub fn of(&self, sample: &Sample) -> f64 {
        match self.variance {
            Variance::Estimated => {
                let lent = POOL_WEIGHT * self.pooled + self.doubt * self.declared;
                let own = self.scatter(sample) + lent;
                (own / (sample.n() - 1.0 + POOL_WEIGHT + self.doubt)).min(self.cap)
            }
            Variance::Pooled | Variance::Declared => self.pooled,
        }
    }

    /// The same noise with estimates above the declared variance.
    pub(crate) fn uncapped(self) -> Self {
        Self { cap: f64::INFINITY, ..self }
    }

    /// Whether the variance of a node's rewards is the declared one only because no estimate is higher.
    #[inline]
    pub(crate) fn is_capped(&self, sample: &Sample) -> bool {
        self.is_estimated() && self.uncapped().of(sample) > self.declared * (1.0 + ROUNDING)
    }

    /// By how much the rewards of `leader` vary less than those of its rivals: 0 if not at all, and
    /// almost 1 if they hardly vary and those of all rivals do.
    ///
    /// This is the mean of `1 - s2 / r2` over all rivals whose sample variance `r2` is above the
    /// leader's variance `s2`, and of 0 over the others. Rivals weigh as much as in the pool, and two
    /// more visits count as those of a rival as quiet as the leader. The answer is 0 if variances
    /// are not estimated node by node.
    pub fn lead_in_quiet(&self, estimates: &Estimates, leader: NodeId) -> f64 {
        let sample = estimates.sample(leader);
        if !self.is_estimated() || sample.count == 0 {
            return 0.0;
        }
        let samples = (0..).zip(estimates.samples());
        let rivals = samples.filter(|&(node, _)| node != leader);
        self.lead_over(sample, rivals.map(|(_, sample)| self.weighed(sample)))
    }

    /// The lead in quiet of a leader with this sample over rivals, given what they
    /// [add](Self::weighed) to the pool.
    pub(super) fn lead_over(
        &self,
        leader: &Sample,
        rivals: impl Iterator<Item = (f64, u8)>,
    ) -> f64 {
        let quiet = self.of(leader);
        let (mut lead, mut weight) = (0.0, DECLARED_WEIGHT);
        for (scatter, weighs) in rivals {
            let weighs = f64::from(weighs);
            if scatter > weighs * quiet {
                lead += weighs * (1.0 - weighs * quiet / scatter);
            }
            weight += weighs;
        }
        lead / weight
    }

    /// The observed scatter, or as much of the declared scatter as rounding can hide.
    #[inline]
    fn scatter(&self, sample: &Sample) -> f64 {
        // The error is below `eps mean^2 n` per visit, so the test almost never needs a root.
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

    #[test]
    fn doubt_by_hand() {
        let seen = seen();
        let pooled = (2.0 * 9.0 + 2.0 + 100.0 / 19.0) / 8.0;
        let noise = prepared(3.0, Variance::Estimated).with_doubt(2.0);
        let own = |sample| noise.of(seen.sample(sample));
        // Nodes of 2, 20 and 1 visits: two more visits of variance 9 each.
        assert!((own(0) - (2.0 + 10.0 * pooled + 18.0) / 13.0).abs() < 1e-14);
        assert!((own(1) - (20.0 + 10.0 * pooled + 18.0) / 31.0).abs() < 1e-14);
        assert!((own(2) - (10.0 * pooled + 18.0) / 12.0).abs() < 1e-14);
        // Without doubt, the bits are those of the formula without it; other variances ignore it.
        let plain = prepared(3.0, Variance::Estimated);
        assert!(
            (0..3).all(|v| plain.with_doubt(0.0).of(seen.sample(v)) == plain.of(seen.sample(v)))
        );
        for variance in [Variance::Pooled, Variance::Declared] {
            let plain = prepared(3.0, variance);
            assert_eq!(plain.with_doubt(2.0).of(seen.sample(0)), plain.of(seen.sample(0)));
        }
    }

    #[test]
    fn lead_in_quiet_by_hand() {
        let seen = seen();
        let lead = |variance, leader| prepared(3.0, variance).lead_in_quiet(&seen, leader);
        // Node 3 has no visits. Node 1 has a sample variance of 20 / 19 and weighs 5; node 0 has one
        // of 2 and weighs 1; node 2 weighs nothing.
        let own = |node| prepared(3.0, Variance::Estimated).of(seen.sample(node));
        assert!(own(1) < 2.0 && own(0) > 20.0 / 19.0 && own(2) > 2.0);
        assert!((lead(Variance::Estimated, 1) - (1.0 - own(1) / 2.0) / 3.0).abs() < 1e-14);
        assert_eq!([0, 2, 3].map(|node| lead(Variance::Estimated, node)), [0.0; 3]);
        assert_eq!(lead(Variance::Pooled, 1), 0.0);
        assert_eq!(lead(Variance::Declared, 1), 0.0);
    }

    /// The lead of one node without noise over ten with noise of half-width `width`, of which `quiet`
    /// have none either.
    fn lead_over(quiet: u32, width: f64) -> f64 {
        let mut stream = Seed(3).stream();
        let mut estimates = Estimates::new(11);
        for node in 0..=10 {
            let noise = if node <= quiet { 0.0 } else { width };
            for _ in 0..50 {
                estimates.push(node, 1.0 + noise * (2.0 * stream.unit() - 1.0));
            }
        }
        let mut noise = Noise::new(0.5, Variance::Estimated);
        noise.prepare(&estimates);
        noise.lead_in_quiet(&estimates, 0)
    }

    #[test]
    fn the_lead_in_quiet_is_the_share_of_noisy_rivals() {
        assert!((0.7..1.0).contains(&lead_over(0, 0.5)), "{}", lead_over(0, 0.5));
        assert!((0.3..0.5).contains(&lead_over(5, 0.5)), "{}", lead_over(5, 0.5));
        assert_eq!(lead_over(10, 0.5), 0.0);
        assert_eq!(lead_over(0, 0.0), 0.0);
    }

    /// However quiet the others are, a node keeps the share of the declared variance that the
    /// documentation promises. Without doubt, the pool takes it away.
    #[test]
    fn quiet_nodes_do_not_make_a_new_one_quiet() {
        for nodes in [2_u32, 25, 400] {
            let mut estimates = Estimates::new(nodes as usize + 1);
            for node in 0..nodes {
                (0..50).for_each(|_| estimates.push(node, 1.0));
            }
            for n in 1..=40_u32 {
                estimates.push(nodes, 1.0);
                let of = |doubt| {
                    let mut noise = Noise::new(0.5, Variance::Estimated).with_doubt(doubt);
                    noise.prepare(&estimates);
                    noise.of(estimates.sample(nodes))
                };
                for doubt in [0.5, 2.0, 10.0] {
                    let promised = 0.25 * doubt / (f64::from(n) + 9.0 + doubt);
                    let found = of(doubt);
                    assert!(found >= promised, "{nodes} {n} {doubt}: {found}");
                    // The pool adds almost nothing if there are many nodes.
                    assert!(nodes < 400 || found < 1.1 * promised, "{n} {doubt}: {found}");
                }
                assert!(nodes < 25 || of(0.0) < 0.25 * 0.016, "{nodes} {n}: {}", of(0.0));
            }
        }
    }

    /// Noise of variance 1 / 12 around `mean` on five nodes.
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
    fn noise_hidden_by_large_means_counts_as_declared() {
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
            // In between, an estimate is too large rather than too small; near zero it is
            // unchanged.
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
    fn hidden_noise_of_one_node_weighs_no_more_than_that_node() {
        let pooled = |last: f64| {
            let mut samples = Vec::from(around(0.0));
            let mut sample = Sample::default();
            (0..100).for_each(|_| sample.push(last));
            samples.push(sample);
            let mut noise = Noise::new(2.0, Variance::Pooled);
            noise.prepare(&Estimates::try_from(samples).unwrap());
            noise.common()
        };
        // It weighs 5 of 32, between no variance and the declared one.
        assert!((pooled(1e12) - pooled(0.0) - 4.0 * 5.0 / 32.0).abs() < 1e-12);
    }

    #[test]
    fn never_above_the_declared_variance() {
        let seen = seen();
        for scale in [0.0, 1e-200, 0.1, 1.0] {
            for variance in [Variance::Estimated, Variance::Pooled, Variance::Declared] {
                let noise = prepared(scale, variance);
                for node in 0..3 {
                    assert!(noise.of(seen.sample(node)) <= scale * scale);
                }
            }
        }
        // Overflowing sums of squares carry no information and must not become a variance.
        let mut huge = Estimates::new(1);
        huge.push(0, 1e200);
        huge.push(0, -1e200);
        let mut noise = Noise::new(2.0, Variance::Estimated);
        noise.prepare(&huge);
        assert!((0.0..=4.0).contains(&noise.of(huge.sample(0))));
    }
}
