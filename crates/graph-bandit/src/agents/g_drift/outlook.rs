//! How nodes look now: what is believed about their means, and what a visit may bring.
//!
//! A node has changed since it was seen with probability `d`. If not, its mean is
//! `N(mean, caution s2 / n)`, as in g-star; if it has, it is drawn from the [`Pool`].

use super::changes::Changes;
use super::pool::Pool;
use super::record::Record;
use crate::agent::Situation;
use crate::estimates::{Estimate, Estimates, Sample};
use crate::index::{Horizon, Leader, Noise};
use crate::normal;
use crate::planner::Prospects;

/// The outlook, with memory reused between plans.
pub(super) struct Outlook {
    noise: Noise,
    caution: f64,
    horizon: Horizon,
    pool: Pool,
    counted: Vec<Sample>,
    believed: Estimates,
    leader: Leader,
    known: Vec<f64>,
    changed: Vec<f64>,
    lasts: f64,
}

impl Outlook {
    /// The outlook under this noise, with variances multiplied by `caution`.
    pub(super) fn new(noise: Noise, caution: f64, horizon: Horizon) -> Self {
        Self {
            noise,
            caution,
            horizon,
            pool: Pool::default(),
            counted: Vec::new(),
            believed: Estimates::new(0),
            leader: Leader::default(),
            known: Vec::new(),
            changed: Vec::new(),
            lasts: 0.0,
        }
    }

    /// Looks at all nodes.
    pub(super) fn look(&mut self, now: &Situation<'_>, records: &[Record], changes: &Changes) {
        let time = now.clock.now();
        self.lasts = self.horizon.left(time).min(changes.horizon()).max(1.0);
        self.counted.clear();
        let totals = now.estimates.samples();
        self.counted.extend(records.iter().zip(totals).map(|(record, all)| record.counted(all)));
        self.believed = Estimates::new(self.counted.len());
        for (node, sample) in now.graph.nodes().zip(&self.counted) {
            self.believed.replace(node, *sample);
        }
        self.noise.prepare(&self.believed);
        self.pool.fill(records, self.noise.common());
        // Doubts first: the leader depends on all of them.
        self.changed.clear();
        for (node, record) in now.graph.nodes().zip(records) {
            let doubt = changes.hazard(record, time.0 - record.seen).doubt();
            self.changed.push(doubt);
            if doubt > 0.0 && self.counted[node as usize].count > 0 {
                let Estimate { mean, spread } = self.believed.estimate(node);
                let mean = mean + doubt * (self.pool.average - mean);
                let sample = self.counted[node as usize];
                self.believed.weigh(node, sample, Estimate { mean, spread });
            }
        }
        self.leader = Leader::find(&Situation { estimates: &self.believed, ..*now });
        self.weigh_up(records, changes);
    }

    /// Turns doubts into what nodes may bring.
    fn weigh_up(&mut self, records: &[Record], changes: &Changes) {
        let level = self.leader.mean;
        let from_pool = self.pool.expected_above(level);
        let moved =
            changes.moved().map(|(lost, probability)| probability * (lost - level).max(0.0));
        self.known.clear();
        for (node, (sample, record)) in self.counted.iter().zip(records).enumerate() {
            if node == self.leader.node as usize || sample.count == 0 {
                self.known.push(0.0);
                self.changed[node] = 0.0;
                continue;
            }
            let doubt = self.changed[node];
            let sd = (self.caution * self.noise.of(sample) / sample.n()).sqrt();
            self.known.push((1.0 - doubt) * expected_above(level - sample.mean(), sd));
            let moved = moved.filter(|_| changes.outdates(record)).unwrap_or(0.0);
            self.changed[node] = doubt * from_pool + moved;
        }
    }

    /// The believed means, with the rewards that count.
    pub(super) fn believed(&self) -> &Estimates {
        &self.believed
    }

    /// The node of highest believed mean, and what the others may bring.
    pub(super) fn prospects(&self) -> (Leader, Prospects<'_>) {
        let prospects = Prospects {
            known: &self.known,
            changed: &self.changed,
            most: self.pool.most_above(self.leader.mean),
            horizon: self.lasts,
        };
        (self.leader, prospects)
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
