//! The best node so far, and how certain it is.
//!
//! With noise of sub-Gaussian scale `h`, confidence `1 - d` and `K` nodes, the mean of a node after
//! `n` visits has the interval `mean +- h sqrt(2 ln(2 K n (n + 1) / d) / n)`. By Hoeffding's
//! inequality and a union bound over nodes and counts (`1 / (1 2) + 1 / (2 3) + .. = 1`), all
//! intervals hold at once, at all times, with probability `1 - d`, however the agent chose its
//! visits. An interval for one node at one time would be narrower, but wrong for a node that was
//! picked because it did well.
//!
//! Estimates may be those that an agent [still remembers](crate::Agent::remembered). Then `n` counts
//! the rewards that are remembered, discounted ones in part, and intervals are computed as if means
//! had been constant since the first of these rewards, and as if these were all rewards. The union
//! bound does not count the moments at which something was forgotten. So the probability `1 - d` is
//! then not proven, neither for all times nor for all nodes at once.

use crate::estimates::Estimates;
use crate::graph::NodeId;
use crate::normal;
use crate::reward::MAX_MAGNITUDE;
use thiserror::Error;

/// The least noise scale used: intervals of zero width would not survive rounding.
const LEAST_SCALE: f64 = 1e-9;

/// The inputs of confidence intervals: the noise of rewards and the confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Certainty {
    noise_scale: f64,
    confidence: f64,
}

/// Why intervals cannot be computed.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum CertaintyError {
    /// The noise scale is negative, too large or not a number.
    #[error("noise scale {0} is not a number from 0 to {MAX_MAGNITUDE:e}")]
    NoiseScale(f64),
    /// The confidence is not between 0 and 1.
    #[error("confidence {0} is not above 0 and below 1")]
    Confidence(f64),
}

impl Certainty {
    /// The default confidence.
    pub const CONFIDENCE: f64 = 0.95;
    /// The default noise scale: rewards with a range of one.
    pub const NOISE_SCALE: f64 = 0.5;

    /// Intervals for noise of this sub-Gaussian scale that hold with this probability.
    ///
    /// # Errors
    /// When the scale is negative or the confidence is not between 0 and 1.
    pub fn new(noise_scale: f64, confidence: f64) -> Result<Self, CertaintyError> {
        if !(0.0..=MAX_MAGNITUDE).contains(&noise_scale) {
            return Err(CertaintyError::NoiseScale(noise_scale));
        }
        if !(confidence > 0.0 && confidence < 1.0) {
            return Err(CertaintyError::Confidence(confidence));
        }
        Ok(Self { noise_scale, confidence })
    }

    /// The declared noise scale of rewards.
    pub fn noise_scale(&self) -> f64 {
        self.noise_scale
    }

    /// The noise scale used: the declared scale, or the least scale if that is larger.
    fn scale(&self) -> f64 {
        self.noise_scale.max(LEAST_SCALE)
    }

    /// The probability that all intervals hold.
    pub fn confidence(&self) -> f64 {
        self.confidence
    }

    /// Half the width of the interval after `n` visits to one of `nodes` nodes.
    fn radius(&self, nodes: usize, n: f64) -> f64 {
        // The union is over whole counts, from one.
        let counts = n.max(1.0);
        let union = 2.0 * nodes as f64 * counts * (counts + 1.0);
        // `1 - confidence` loses digits near one, but never all of them: 2^-53 remains.
        let log = libm::log(union / (1.0 - self.confidence));
        self.scale() * (2.0 * log / n).sqrt()
    }
}

/// A visited node, its mean, and how far the true mean may be from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bracketed {
    /// The node.
    pub node: NodeId,
    /// How often it was visited, as far as the estimates count.
    pub visits: u64,
    /// How many rewards its mean counts: the visits, or less if old rewards count in part.
    pub weight: f64,
    /// The average of its rewards.
    pub mean: f64,
    /// How far above or below the mean the true mean may be.
    pub radius: f64,
}

impl Bracketed {
    /// The lowest value the true mean may have.
    pub fn low(&self) -> f64 {
        self.mean - self.radius
    }

    /// The highest value the true mean may have.
    pub fn high(&self) -> f64 {
        self.mean + self.radius
    }
}

/// The best node so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Best {
    /// The node of highest mean. Ties go to the node visited most, then to the lowest number.
    pub node: Bracketed,
    /// The visited node, other than the best, whose mean may be the highest.
    pub runner_up: Option<Bracketed>,
    /// The number of nodes never visited.
    pub unvisited: usize,
    /// The probability that the best node is better than the runner-up, for normal noise of the
    /// declared scale and a flat prior. It does not account for how the two nodes were picked.
    pub chance: Option<f64>,
}

impl Best {
    /// Whether every node was visited and no interval overlaps the best node's interval. If so, it
    /// is the best node, with the stated confidence.
    pub fn is_settled(&self) -> bool {
        self.unvisited == 0 && self.runner_up.is_none_or(|other| other.high() < self.node.low())
    }
}

impl Estimates {
    /// The best node so far; `None` before the first visit.
    pub fn best(&self, certainty: &Certainty) -> Option<Best> {
        let nodes = self.samples().len();
        let visited = || {
            let numbered = self.samples().iter().zip(0..).filter(|(sample, _)| sample.count > 0);
            numbered.map(|(sample, node)| {
                let (weight, mean) = (self.weight(node), self.estimate(node).mean);
                let radius = certainty.radius(nodes, weight);
                Bracketed { node, visits: sample.count, weight, mean, radius }
            })
        };
        let is_better = |a: &Bracketed, b: &Bracketed| (a.mean, a.weight) > (b.mean, b.weight);
        let node =
            visited().reduce(|best, other| if is_better(&other, &best) { other } else { best })?;
        let others = visited().filter(|other| other.node != node.node);
        let runner_up =
            others.reduce(|up, other| if other.high() > up.high() { other } else { up });
        let chance = runner_up.map(|other| {
            let spread = (1.0 / node.weight + 1.0 / other.weight).sqrt();
            normal::cdf((node.mean - other.mean) / (certainty.scale() * spread))
        });
        Some(Best { node, runner_up, unvisited: nodes - visited().count(), chance })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimates::Estimate;
    use crate::random::Seed;

    fn seen(rewards: &[&[f64]]) -> Estimates {
        let mut estimates = Estimates::new(rewards.len());
        for (node, rewards) in (0..).zip(rewards) {
            rewards.iter().for_each(|&reward| estimates.push(node, reward));
        }
        estimates
    }

    #[test]
    fn intervals_and_chances_by_hand() {
        let certainty = Certainty::new(0.5, 0.95).unwrap();
        let estimates = seen(&[&[1.0, 2.0], &[3.0; 8], &[3.0; 2], &[2.0]]);
        let best = estimates.best(&certainty).unwrap();
        // 0.5 sqrt(2 ln(2 * 4 * 8 * 9 / 0.05) / 8)
        assert_eq!((best.node.node, best.node.visits, best.node.mean), (1, 8, 3.0));
        assert!((best.node.radius - 0.764_519).abs() < 1e-6, "{best:?}");
        // 3 + 0.5 sqrt(2 ln(2 * 4 * 2 * 3 / 0.05) / 2) = 4.310; 2 + 0.5 sqrt(2 ln(320)) = 3.698
        let other = best.runner_up.unwrap();
        assert_eq!((other.node, best.unvisited, best.chance), (2, 0, Some(0.5)));
        assert!((other.high() - 4.310_242).abs() < 1e-6, "{other:?}");
        assert!(!best.is_settled());
        // (3 - 2) / (0.5 sqrt(1/8 + 1)) = 1.8856: Phi is 0.970.
        let two = seen(&[&[3.0; 8], &[2.0]]).best(&certainty).unwrap();
        assert!((two.chance.unwrap() - 0.970_327).abs() < 1e-6, "{two:?}");
    }

    /// Discounted rewards count in part; below one, the logarithm stays that of one reward.
    #[test]
    fn rewards_that_count_in_part_by_hand() {
        let certainty = Certainty::new(0.5, 0.95).unwrap();
        let mut estimates = seen(&[&[3.0; 8], &[2.0]]);
        let weigh = |estimates: &mut Estimates, node, mean: f64, weight: f64| {
            let sample = *estimates.sample(node);
            estimates.weigh(node, sample, Estimate { mean, spread: 1.0 / weight.sqrt() });
        };
        weigh(&mut estimates, 0, 1.5, 2.25);
        weigh(&mut estimates, 1, 2.0, 0.25);
        let best = estimates.best(&certainty).unwrap();
        let other = best.runner_up.unwrap();
        assert_eq!((best.node.node, best.node.mean, best.node.weight), (1, 2.0, 0.25));
        assert_eq!((other.node, other.mean, other.weight), (0, 1.5, 2.25));
        // 0.5 sqrt(2 ln(2 * 2 * 1 * 2 / 0.05) / 0.25); 0.5 sqrt(2 ln(4 * 2.25 * 3.25 / 0.05) / 2.25)
        assert!((best.node.radius - 3.185_961).abs() < 1e-6, "{best:?}");
        assert!((other.radius - 1.189_922).abs() < 1e-6, "{best:?}");
        // (2 - 1.5) / (0.5 sqrt(4 + 1 / 2.25)) = 0.474_342: Phi is 0.682.
        assert!((best.chance.unwrap() - 0.682_372).abs() < 1e-6, "{best:?}");
        // Nearly forgotten nodes have wide intervals, not impossible ones.
        weigh(&mut estimates, 1, 2.0, 1e-150);
        let best = estimates.best(&certainty).unwrap();
        assert!(best.node.radius > 1e70 && best.node.radius.is_finite(), "{best:?}");
        assert!(!best.is_settled() && (best.chance.unwrap() - 0.5).abs() < 1e-9, "{best:?}");
        // Whole rewards are counted exactly.
        for count in [1, 3, 7, 49, 1_000_003] {
            let mut many = Estimates::new(1);
            many.replace(0, crate::Sample { count, sum: 1.0, sum_of_squares: 1.0 });
            assert_eq!(many.weight(0), count as f64);
        }
    }

    #[test]
    fn settled_once_all_nodes_are_visited_and_none_can_be_better() {
        let certainty = Certainty::new(0.1, 0.9).unwrap();
        assert_eq!(seen(&[&[], &[]]).best(&certainty), None);
        let lone = seen(&[&[1.0]]).best(&certainty).unwrap();
        assert!(lone.is_settled() && lone.runner_up.is_none() && lone.chance.is_none());
        assert!(seen(&[&[0.0; 9], &[1.0; 9]]).best(&certainty).unwrap().is_settled());
        assert!(!seen(&[&[0.0; 9], &[1.0; 9], &[]]).best(&certainty).unwrap().is_settled());
        assert!(!seen(&[&[0.9; 9], &[1.0; 9]]).best(&certainty).unwrap().is_settled());
    }

    #[test]
    fn without_noise_means_that_differ_are_settled_and_equal_ones_are_not() {
        let certainty = Certainty::new(0.0, 0.95).unwrap();
        assert_eq!(certainty.noise_scale(), 0.0);
        let apart = seen(&[&[0.1, 0.1, 0.1], &[0.2]]).best(&certainty).unwrap();
        assert!(apart.is_settled() && apart.chance == Some(1.0), "{apart:?}");
        let equal = seen(&[&[0.1, 0.1, 0.1], &[0.1]]).best(&certainty).unwrap();
        assert!(!equal.is_settled() && (equal.chance.unwrap() - 0.5).abs() < 1e-6, "{equal:?}");
    }

    #[test]
    fn bad_noise_scales_and_confidences_are_refused() {
        for scale in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(Certainty::new(scale, 0.5).unwrap_err().to_string().contains("noise scale"));
        }
        for confidence in [0.0, 1.0, -0.5, f64::NAN] {
            assert!(
                Certainty::new(1.0, confidence).unwrap_err().to_string().contains("confidence")
            );
        }
    }

    /// All intervals hold at all times in at least the promised share of runs, though the agent
    /// goes where it looks best. Some interval fails when the noise is larger than declared.
    #[test]
    fn intervals_hold_as_often_as_they_promise() {
        let failures = |declared: f64| {
            let certainty = Certainty::new(declared, 0.9).unwrap();
            (0..300)
                .filter(|&seed| {
                    let mut stream = Seed(seed).stream();
                    let mut estimates = Estimates::new(4);
                    (0..120).any(|step| {
                        let greedy = estimates.best(&certainty).map_or(0, |best| best.node.node);
                        let node = if step % 3 == 0 { stream.below(4) as NodeId } else { greedy };
                        estimates.push(node, normal::quantile(stream.unit().max(1e-12)));
                        estimates.samples().iter().any(|sample| {
                            sample.count > 0
                                && sample.mean().abs() > certainty.radius(4, sample.n())
                        })
                    })
                })
                .count()
        };
        assert!(failures(1.0) <= 30, "{}", failures(1.0));
        assert!(failures(0.5) > 30, "{}", failures(0.5));
    }
}
