//! Expected improvement: the expected amount by which a node's mean exceeds the highest mean seen,
//! zero if it does not exceed it.
//!
//! Means are modelled as `N(mean, sd^2)`, `sd^2 = caution s2 / n`: with `z = gap / sd` the
//! expectation is `sd (phi(z) - z (1 - Phi(z)))`. With a caution of `c`, the probability of giving
//! up the best node for good falls like `t^-c` instead of `t^-1`.
//!
//! An index with `trust` lowers its caution to `caution (1 - trust lead^3)`, where `lead` says by how
//! much the leader is quieter than its rivals ([`Noise::lead_in_quiet`]). If quiet had nothing to do
//! with being good, the one quiet node of many would rarely lead. So where it leads, it is probably
//! the best node.

use super::tally::Tally;
use super::{Index, Leader, Noise};
use crate::agent::{Situation, Visit};
use crate::clock::Visits;
use crate::estimates::{Estimates, Sample};
use crate::graph::NodeId;
use crate::node_scores::NodeScores;
use crate::normal;
use crate::random::Stream;

/// If the square of the gap is more than this many variances, the improvement is zero.
const HOPELESS: f64 = 64.1;

/// Beyond this many standard deviations, the excess is zero.
const FARTHEST: f64 = 8.1;
/// How often an interval of that length is halved: down to less than a billionth.
const HALVINGS: usize = 35;
/// Far above rounding.
const MARGIN: f64 = 1e-9;
/// By how much a score must rise before it is worth finding the means for it again.
const RISE: f64 = 1.01;

/// The means that a node needs for some improvement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MeansReaching {
    /// Nodes of lower means improve less.
    pub(crate) least: f64,
    score: f64,
}

impl MeansReaching {
    /// Whether `score` is so much higher that other means are needed.
    #[inline]
    pub(crate) fn is_behind(&self, score: f64) -> bool {
        score > RISE * self.score.max(0.0)
    }
}

/// The expected improvement on the leader; zero for the leader itself.
#[derive(Debug, Clone)]
pub struct ExpectedImprovement {
    noise: Noise,
    /// The caution where the leader is no quieter than its rivals.
    caution: f64,
    trust: f64,
    /// The caution of this leg.
    current: f64,
    leader: Leader,
    tally: Tally,
}

impl ExpectedImprovement {
    /// The expectation under this noise, with the variance multiplied by `caution`.
    pub fn new(noise: Noise, caution: f64) -> Self {
        let (leader, tally) = (Leader::default(), Tally::default());
        Self { noise, caution, trust: 0.0, current: caution, leader, tally }
    }

    /// The same with up to `trust`, between 0 and 1, of the caution taken away where the leader is
    /// quieter than its rivals.
    #[must_use]
    pub fn with_trust(self, trust: f64) -> Self {
        Self { trust, ..self }
    }
}

impl ExpectedImprovement {
    /// The leader on whom improvements are measured.
    #[inline]
    pub(crate) fn leader(&self) -> Leader {
        self.leader
    }

    /// The variance that nodes have in common.
    #[inline]
    pub(crate) fn common(&self) -> f64 {
        self.noise.common()
    }

    /// The standard deviation of a mean of one reward with the common variance.
    pub(crate) fn spread(&self) -> f64 {
        (self.current * self.noise.common()).sqrt()
    }

    /// The caution of this leg.
    #[inline]
    pub(crate) fn current_caution(&self) -> f64 {
        self.current
    }

    /// Whether the caution may differ from leg to leg.
    pub(crate) fn changes_caution(&self) -> bool {
        self.trust > 0.0
    }

    /// No mean is less certain than this: that of one reward with the declared variance.
    pub(crate) fn widest(&self) -> f64 {
        (self.current * self.noise.declared()).sqrt()
    }

    /// Whether the variance of a node is the declared one only because no estimate is higher.
    #[inline]
    pub(crate) fn is_capped(&self, estimates: &Estimates, node: NodeId) -> bool {
        self.noise.is_capped(estimates.sample(node))
    }

    /// The improvements if no variance were capped.
    pub(crate) fn uncapped(&self) -> Self {
        Self { noise: self.noise.uncapped(), tally: Tally::default(), ..*self }
    }

    /// The highest common variance there is.
    pub(crate) fn declared(&self) -> f64 {
        self.noise.declared()
    }

    /// The improvements if the common variance, the caution and the leader's mean were these. They
    /// grow with the first two and shrink with the third, up to rounding.
    pub(crate) fn supposing(&self, common: f64, caution: f64, top: f64) -> Self {
        let (noise, tally) = (self.noise.supposing(common), Tally::default());
        let leader = Leader { mean: top, ..self.leader };
        Self { noise, current: caution, leader, tally, ..*self }
    }

    /// The same improvements, without what serves to find the next leader.
    pub(crate) fn as_found(&self) -> Self {
        Self { tally: Tally::default(), ..*self }
    }

    /// The means that a node needs for an improvement of at least `score`.
    pub(crate) fn means_reaching(&self, score: f64) -> MeansReaching {
        // The improvement grows with the uncertainty.
        let widest = self.widest();
        let needed = score * (1.0 - MARGIN);
        if needed <= 0.0 || widest == 0.0 {
            return MeansReaching { least: f64::NEG_INFINITY, score };
        }
        let reaches = |z: f64| widest * normal::excess_between(z).1 >= needed;
        let (mut near, mut far) = (0.0, FARTHEST);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (near + far);
            if reaches(middle) { near = middle } else { far = middle }
        }
        let gap = far * widest * (1.0 + MARGIN);
        MeansReaching { least: self.leader.mean - gap, score }
    }

    /// The same improvements with another caution.
    pub(crate) fn with_caution(&self, caution: f64) -> Self {
        Self { current: caution, tally: Tally::default(), ..*self }
    }

    /// Makes `node` the one that improves on nothing.
    pub(crate) fn follow(&mut self, node: NodeId) {
        self.leader.node = node;
    }

    /// The improvement of a node; see [`Index::score`].
    #[inline]
    pub(crate) fn of(&self, estimates: &Estimates, node: NodeId) -> f64 {
        let sample = estimates.sample(node);
        if sample.count == 0 {
            return f64::INFINITY;
        }
        let sd = self.variance(sample).sqrt();
        if node == self.leader.node || sd == 0.0 {
            return 0.0;
        }
        sd * normal::excess(self.leader.gap(estimates, node) / sd)
    }

    /// The same, sooner if it is zero: for a pass over all nodes, most of which are hopeless.
    #[inline]
    pub(crate) fn of_any(&self, estimates: &Estimates, node: NodeId) -> f64 {
        let (sample, gap) = (estimates.sample(node), self.leader.gap(estimates, node));
        if sample.count > 0 && gap * gap > HOPELESS * self.variance(sample) {
            return 0.0;
        }
        self.of(estimates, node)
    }

    /// Bounds on the improvement of a node that are quicker to compute.
    #[inline]
    pub(crate) fn between(&self, estimates: &Estimates, node: NodeId) -> (f64, f64) {
        let sample = estimates.sample(node);
        if sample.count == 0 {
            return (f64::INFINITY, f64::INFINITY);
        }
        let (variance, gap) = (self.variance(sample), self.leader.gap(estimates, node));
        if node == self.leader.node || variance == 0.0 || gap * gap > HOPELESS * variance {
            return (0.0, 0.0);
        }
        let sd = variance.sqrt();
        let (least, most) = normal::excess_between(gap / sd);
        (sd * least, sd * most)
    }

    /// The variance of the mean of a node.
    #[inline]
    fn variance(&self, sample: &Sample) -> f64 {
        self.current * self.noise.of(sample) / sample.n()
    }
}

impl Index for ExpectedImprovement {
    type Clock = Visits;

    fn prepare(&mut self, now: &Situation<'_>, _t: Visits) {
        self.leader = self.tally.prepare(now, &mut self.noise);
        if self.trust > 0.0 {
            let lead = self.tally.lead_in_quiet(&self.noise, now.estimates, self.leader.node);
            // A high power reacts only to a leader that is quieter than nearly all rivals. If half of
            // them are as quiet as the leader, quietness says little about a node.
            self.current = self.caution * (1.0 - self.trust * (lead * lead * lead));
        }
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
        self.of(estimates, node)
    }

    #[inline]
    fn improvements(&self) -> Option<&ExpectedImprovement> {
        Some(self)
    }

    fn node_scores(&self, _: &Estimates, _: &mut Stream) -> Option<NodeScores> {
        Some(NodeScores::improvements(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, Reading};
    use crate::graph::Graph;
    use crate::index::Variance;
    use crate::random::Seed;

    fn scores(scale: f64) -> [f64; 4] {
        let graph = Graph::line(4).unwrap();
        let mut estimates = Estimates::new(4);
        for (node, reward) in [(0, 1.0), (1, 2.0), (2, 2.0), (3, 1.5)] {
            for _ in 0..6 {
                estimates.push(node, reward);
            }
        }
        let noise = Noise::new(scale, Variance::Declared);
        let mut index = ExpectedImprovement::new(noise, 1.5);
        let now =
            Situation { graph: &graph, at: 0, estimates: &estimates, clock: &Clock::default() };
        index.prepare(&now, Visits::of(&now));
        [0, 1, 2, 3].map(|node| index.score(&estimates, node, &mut Seed(0).stream()))
    }

    #[test]
    fn formula_by_hand() {
        // sd = 1 / 2: z is 2, the leader's, 0 and 1.
        let found = scores(1.0);
        let expected = [0.008_490_702_617_126, 0.0, 0.398_942_280_401, 0.083_315_470_630_28];
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - 0.5 * expected).abs() < 1e-9, "{found} {expected}");
        }
    }

    #[test]
    fn without_noise_nothing_improves() {
        assert_eq!(scores(0.0), [0.0; 4]);
        assert_eq!(scores(1e-3)[0], 0.0);
    }
}
