//! IMED (Honda and Takemura, 2015) for Gaussian rewards: least `n gap^2 / (2 s2) + ln n` first.
//!
//! The first term measures the evidence against the node, in log probability; the second is what
//! has been spent on finding out. The cost of a trip raises the gap.

use super::tally::Tally;
use super::{Index, Leader, Noise};
use crate::agent::{Situation, Visit};
use crate::clock::Visits;
use crate::estimates::{Estimates, Sample};
use crate::graph::NodeId;
use crate::logarithms::log;
use crate::node_scores::{EachAlone, NodeScores};
use crate::random::Stream;

/// The negated IMED index, times the variance that nodes have in common.
///
/// The factor does not change the order of nodes, and keeps scores finite if there is no noise.
#[derive(Debug, Clone)]
pub struct Imed {
    noise: Noise,
    leader: Leader,
    tally: Tally,
    /// No node's `common / own` is lower.
    least_ratio: f64,
}

impl Imed {
    /// The index under this noise.
    pub fn new(noise: Noise) -> Self {
        Self { noise, leader: Leader::default(), tally: Tally::default(), least_ratio: 0.0 }
    }

    /// The same scores, without what serves to find the next ones.
    fn as_found(&self) -> Self {
        Self { tally: Tally::default(), ..*self }
    }

    #[inline]
    fn score_at_gap(&self, sample: &Sample, gap: f64) -> f64 {
        let ratio = self.ratio(self.noise.of(sample));
        -(0.5 * sample.n() * gap * gap * ratio + self.noise.common() * log(sample.count))
    }

    #[inline]
    fn ratio(&self, own: f64) -> f64 {
        if own > 0.0 { self.noise.common() / own } else { 1.0 }
    }
}

impl Index for Imed {
    type Clock = Visits;

    fn prepare(&mut self, now: &Situation<'_>, _t: Visits) {
        self.leader = self.tally.prepare(now, &mut self.noise);
        self.least_ratio = self.ratio(self.noise.highest());
    }

    #[inline]
    fn visited(&mut self, visit: &Visit) {
        self.tally.visited(visit.node, visit.sample.count);
    }

    fn forget_visits(&mut self) {
        self.tally.forget();
    }

    #[inline]
    fn score(&self, estimates: &Estimates, node: NodeId, _stream: &mut Stream) -> f64 {
        self.beyond(0.0, f64::INFINITY, estimates, node)
    }

    fn node_scores(&self, _: &Estimates, _: &mut Stream) -> Option<NodeScores> {
        Some(NodeScores::each_alone(self.as_found()))
    }

    #[inline]
    fn beyond(&self, travel: f64, _score: f64, estimates: &Estimates, node: NodeId) -> f64 {
        let sample = estimates.sample(node);
        if sample.count == 0 {
            return f64::INFINITY;
        }
        self.score_at_gap(sample, self.leader.gap(estimates, node) + travel)
    }
}

impl EachAlone for Imed {
    #[inline]
    fn above(&self, floor: f64, estimates: &Estimates, node: NodeId) -> Option<f64> {
        // One visit, the largest variance and no logarithm: rounding never turns a lower number into
        // a higher one, so the same steps as for the score end at a number that is at least the
        // score.
        let gap = self.leader.gap(estimates, node);
        if estimates.estimate(node).mean < f64::INFINITY
            && -(0.5 * gap * gap * self.least_ratio) <= floor
        {
            return None;
        }
        Some(self.beyond(0.0, f64::INFINITY, estimates, node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, Reading};
    use crate::graph::Graph;
    use crate::index::Variance;
    use crate::random::Seed;

    #[test]
    fn formula_by_hand() {
        let graph = Graph::line(3).unwrap();
        let mut estimates = Estimates::new(3);
        for _ in 0..4 {
            estimates.push(0, 1.0);
            estimates.push(1, 3.0);
        }
        for scale in [0.0, 0.5] {
            let mut imed = Imed::new(Noise::new(scale, Variance::Declared));
            estimates.push(2, 2.5);
            let now =
                Situation { graph: &graph, at: 0, estimates: &estimates, clock: &Clock::default() };
            imed.prepare(&now, Visits::of(&now));
            let n = [4.0, 4.0, estimates.sample(2).n()];
            for (node, gap) in [(0, 2.0), (1, 0.0), (2, 0.5)] {
                for travel in [0.0, 0.25] {
                    let n: f64 = n[node];
                    let bar: f64 = gap + travel;
                    let expected = -(n * bar * bar / 2.0 + scale * scale * libm::log(n));
                    let found = imed.beyond(travel, 0.0, &estimates, node as NodeId);
                    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
                }
            }
        }
    }

    #[test]
    fn unvisited_nodes_come_first() {
        let graph = Graph::line(2).unwrap();
        let mut estimates = Estimates::new(2);
        estimates.push(0, 1.0);
        let mut imed = Imed::new(Noise::new(0.5, Variance::Estimated));
        let now =
            Situation { graph: &graph, at: 0, estimates: &estimates, clock: &Clock::default() };
        imed.prepare(&now, Visits::of(&now));
        let score = |node| imed.score(&estimates, node, &mut Seed(0).stream());
        assert_eq!((score(0), score(1)), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
