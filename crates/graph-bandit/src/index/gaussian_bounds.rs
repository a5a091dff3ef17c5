//! Upper confidence bounds for Gaussian rewards: `mean + sqrt(2 s2 ln+(x / n) / n)`, the highest mean
//! within divergence `ln+(x / n) / n`.
//!
//! MOSS and KL-UCB differ only in `x`, which all nodes have in common.

use super::tally::Tally;
use super::{Noise, log_above_one};
use crate::agent::{Situation, Visit};
use crate::estimates::Estimates;
use crate::graph::NodeId;
use crate::node_scores::EachAlone;

/// More than rounding may add to a logarithm.
const ROUNDING: f64 = 1.0 + 1e-12;

/// The bounds of all nodes.
#[derive(Debug, Clone)]
pub(super) struct GaussianBounds {
    noise: Noise,
    tally: Tally,
    x: f64,
    /// `ln+(x)`, which is that of every node visited once. On a large graph, these are most nodes.
    log: f64,
    /// At least `2 s2 ln+(x / n)`, whatever the node.
    widest: f64,
    /// Its root: no bound is further above its mean.
    farthest: f64,
}

impl GaussianBounds {
    /// Bounds under this noise.
    pub(super) fn new(noise: Noise) -> Self {
        Self { noise, tally: Tally::default(), x: 0.0, log: 0.0, widest: 0.0, farthest: 0.0 }
    }

    /// Pools all rewards so far; once per leg.
    pub(super) fn prepare(&mut self, now: &Situation<'_>, x: f64) {
        self.tally.pool(now.estimates, &mut self.noise);
        self.x = x;
        self.log = log_above_one(x);
        self.widest = 2.0 * self.noise.highest() * (self.log * ROUNDING);
        self.farthest = self.widest.sqrt();
    }

    pub(super) fn visited(&mut self, visit: &Visit) {
        self.tally.visited(visit.node, visit.sample.count);
    }

    pub(super) fn forget_visits(&mut self) {
        self.tally.forget();
    }

    /// The same bounds, without what serves to find the next ones.
    pub(super) fn as_found(&self) -> Self {
        Self { tally: Tally::default(), ..*self }
    }

    /// The bound of a node; infinite if it is unvisited.
    #[inline]
    pub(super) fn of(&self, estimates: &Estimates, node: NodeId) -> f64 {
        let sample = estimates.sample(node);
        let log = match sample.count {
            0 => return f64::INFINITY,
            1 => self.log,
            _ => log_above_one(self.x / sample.n()),
        };
        let reach = 2.0 * self.noise.of(sample) * log / sample.n();
        sample.mean() + reach.sqrt()
    }
}

impl EachAlone for GaussianBounds {
    #[inline]
    fn above(&self, floor: f64, estimates: &Estimates, node: NodeId) -> Option<f64> {
        let sample = estimates.sample(node);
        if sample.count > 0 {
            // Rounding never turns a lower number into a higher one. So with a variance, a logarithm
            // and a spread that are at least the node's, the same steps as in `of` end at a number
            // that is at least the bound.
            let mean = sample.mean();
            if mean + self.farthest <= floor
                || (sample.count > 1 && mean + (self.widest / sample.n()).sqrt() <= floor)
            {
                return None;
            }
        }
        Some(self.of(estimates, node))
    }
}
