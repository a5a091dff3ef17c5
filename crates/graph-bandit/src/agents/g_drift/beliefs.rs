//! What is believed about nodes now: their means, and what a change may bring.
//!
//! A node has changed since it was seen with probability `d`. If not, its mean is
//! `N(mean, caution s2 / n)`, as in g-star; if it has, it is drawn from the [`Pool`].

use super::changes::Changes;
use super::pool::Pool;
use super::record::Record;
use crate::clock::Time;
use crate::estimates::{Estimate, Estimates, Sample};
use crate::graph::NodeId;
use crate::index::{Horizon, Noise};
use crate::normal;

/// The beliefs, with memory reused between plans.
#[derive(Debug, Clone)]
pub(crate) struct Beliefs {
    noise: Noise,
    caution: f64,
    horizon: Horizon,
    pool: Pool,
    counted: Vec<Sample>,
    believed: Estimates,
    /// The probability that each node has changed since it was seen.
    doubts: Vec<f64>,
    /// Whether the mean lost at the latest change may have moved to each node.
    is_unseen_since: Vec<bool>,
    /// That mean, and the probability that it has moved to a given one of them.
    lost: Option<(f64, f64)>,
    lasts: f64,
}

/// What a node must exceed to be an improvement: `multiple` times its mean is compared with `value`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Level {
    pub(crate) value: f64,
    pub(crate) multiple: f64,
}

/// By how much nodes are expected to exceed a level if they have changed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chances {
    from_pool: f64,
    moved: f64,
}

impl Beliefs {
    /// Beliefs under this noise, with variances multiplied by `caution`.
    pub(crate) fn new(noise: Noise, caution: f64, horizon: Horizon) -> Self {
        Self {
            noise,
            caution,
            horizon,
            pool: Pool::default(),
            counted: Vec::new(),
            believed: Estimates::new(0),
            doubts: Vec::new(),
            is_unseen_since: Vec::new(),
            lost: None,
            lasts: 0.0,
        }
    }

    /// Forms beliefs from all rewards and from what was learned about changes by now.
    pub(crate) fn form(
        &mut self,
        (estimates, now): (&Estimates, Time),
        records: &[Record],
        changes: &Changes,
    ) {
        self.lasts = self.horizon.left(now).min(changes.horizon()).max(1.0);
        self.counted.clear();
        let totals = estimates.samples();
        self.counted.extend(records.iter().zip(totals).map(|(record, all)| record.counted(all)));
        self.believed = Estimates::new(self.counted.len());
        for (node, sample) in (0..).zip(&self.counted) {
            self.believed.replace(node, *sample);
        }
        self.noise.prepare(&self.believed);
        self.pool.fill(records, self.noise.common());
        self.lost = changes.moved();
        self.doubts.clear();
        self.is_unseen_since.clear();
        for (node, record) in (0..).zip(records) {
            let doubt = changes.hazard(record, now.0 - record.seen).doubt();
            self.doubts.push(doubt);
            self.is_unseen_since.push(changes.outdates(record));
            if doubt > 0.0 && self.counted[node as usize].count > 0 {
                let Estimate { mean, spread } = self.believed.estimate(node);
                let mean = mean + doubt * (self.pool.average - mean);
                let sample = self.counted[node as usize];
                self.believed.weigh(node, sample, Estimate { mean, spread });
            }
        }
    }

    /// The believed means, with the rewards that count.
    pub(crate) fn estimates(&self) -> &Estimates {
        &self.believed
    }

    /// The number of visits for which an improvement lasts.
    pub(crate) fn lasts(&self) -> f64 {
        self.lasts
    }

    /// How far a node that was seen is expected to exceed a level, if it has not changed since.
    pub(crate) fn known(&self, node: NodeId, level: Level) -> f64 {
        let Level { value, multiple } = level;
        let (sample, doubt) = (&self.counted[node as usize], self.doubts[node as usize]);
        let sd = (self.caution * self.noise.of(sample) / sample.n()).sqrt();
        (1.0 - doubt) * expected_above(value - multiple * sample.mean(), multiple * sd)
    }

    /// By how much nodes are expected to exceed a level if they have changed; the multiple is
    /// positive.
    pub(crate) fn chances(&self, level: Level) -> Chances {
        let Level { value, multiple } = level;
        let moved =
            self.lost.map(|(lost, probability)| probability * (multiple * lost - value).max(0.0));
        Chances {
            from_pool: multiple * self.pool.expected_above(value / multiple),
            moved: moved.unwrap_or(0.0),
        }
    }

    /// How far a node is expected to exceed the level of these chances because it has changed.
    pub(crate) fn changed(&self, node: NodeId, chances: &Chances) -> f64 {
        let moved = if self.is_unseen_since[node as usize] { chances.moved } else { 0.0 };
        self.doubts[node as usize] * chances.from_pool + moved
    }

    /// The most by which one changed node can be expected to exceed a level.
    pub(crate) fn most_above(&self, level: Level) -> f64 {
        level.multiple * self.pool.most_above(level.value / level.multiple)
    }
}

/// The expectation of `max(0, X)` for `X = N(-gap, sd^2)`.
fn expected_above(gap: f64, sd: f64) -> f64 {
    if sd == 0.0 {
        return (-gap).max(0.0);
    }
    sd * normal::excess(gap.abs() / sd) + (-gap).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_excess_by_hand() {
        let root = 0.398_942_280_401_432_7;
        assert_eq!(expected_above(0.0, 2.0), 2.0 * root);
        // phi(1) - (1 - Phi(1)), and by symmetry one more above the mean.
        let beyond = 0.083_315_470_587_686_3;
        assert!((expected_above(0.5, 0.5) - 0.5 * beyond).abs() < 1e-12);
        assert!((expected_above(-0.5, 0.5) - 0.5 * (1.0 + beyond)).abs() < 1e-12);
        assert_eq!((expected_above(1.0, 0.0), expected_above(-1.0, 0.0)), (0.0, 1.0));
    }
}
