//! What has been seen so far, node by node: counts, sums and sums of squares of rewards.
//!
//! A node's totals are running sums in visit order. Floating-point addition is not associative, so
//! adding up leg by leg would make the last bits depend on how visits were grouped; pushing reward
//! by reward does not. One leg of k visits, k single tells, or a leg cut by a checkpoint leave the
//! same bits. This is why estimates belong to whoever executes visits (a run, an ask/tell session)
//! and agents read them, instead of each agent keeping its own.

use crate::graph::NodeId;
use serde::{Deserialize, Serialize};

/// Some rewards of one node, summed up.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Sample {
    /// How many rewards.
    pub count: u64,
    /// Their sum, added in visit order.
    pub sum: f64,
    /// The sum of their squares, added in visit order.
    pub sum_of_squares: f64,
}

impl Sample {
    /// Adds one reward.
    #[inline]
    pub fn push(&mut self, reward: f64) {
        self.count += 1;
        self.sum += reward;
        self.sum_of_squares += reward * reward;
    }

    /// The average reward; not a number when there is none.
    #[inline]
    pub fn mean(&self) -> f64 {
        self.sum / self.count as f64
    }

    /// The unbiased sample variance, `None` below two rewards.
    pub fn variance(&self) -> Option<f64> {
        (self.count >= 2).then(|| {
            let n = self.count as f64;
            // Rounding can leave a tiny negative number where all rewards are equal.
            ((self.sum_of_squares - self.sum * self.sum / n) / (n - 1.0)).max(0.0)
        })
    }
}

/// The running totals of every node, and `t`, the number of rewards collected at all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Estimates {
    samples: Vec<Sample>,
    visits: u64,
}

impl Estimates {
    /// Nothing seen yet of `nodes` nodes.
    pub fn new(nodes: usize) -> Self {
        Self { samples: vec![Sample::default(); nodes], visits: 0 }
    }

    /// Adds one reward of `node`.
    #[inline]
    pub fn push(&mut self, node: NodeId, reward: f64) {
        self.samples[node as usize].push(reward);
        self.visits += 1;
    }

    /// Lets `draw` add rewards to the running totals of `node`, one by one.
    #[inline]
    pub(crate) fn extend(&mut self, node: NodeId, draw: impl FnOnce(&mut Sample)) {
        let sample = &mut self.samples[node as usize];
        let before = sample.count;
        draw(sample);
        self.visits += sample.count - before;
    }

    /// `t`: rewards collected so far, initialization included.
    #[inline]
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// The running totals of `node`.
    #[inline]
    pub fn sample(&self, node: NodeId) -> &Sample {
        &self.samples[node as usize]
    }

    /// `n(s)`: how often `node` was visited.
    #[inline]
    pub fn count(&self, node: NodeId) -> u64 {
        self.samples[node as usize].count
    }

    /// The running totals of all nodes, by number.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_by_hand() {
        let mut estimates = Estimates::new(2);
        for reward in [1.0, 2.0, 6.0] {
            estimates.push(1, reward);
        }
        let sample = estimates.sample(1);
        assert_eq!((sample.count, sample.sum, sample.sum_of_squares), (3, 9.0, 41.0));
        assert_eq!(sample.mean(), 3.0);
        assert_eq!(sample.variance(), Some(7.0));
        assert_eq!(estimates.sample(0).variance(), None);
        assert_eq!(estimates.visits(), 3);
    }
}
