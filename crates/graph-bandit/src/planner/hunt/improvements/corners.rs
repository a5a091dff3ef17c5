//! Where bounds hold, and what they are.

use super::sums::ROUNDING;
use crate::estimates::Estimates;
use crate::graph::NodeId;
use crate::index::ExpectedImprovement;

/// The half widths of the intervals of the common variance and of the caution, as shares of them.
const VARIANCE_SPAN: f64 = 2e-2;
const CAUTION_SPAN: f64 = 2e-2;
/// The half width of the interval of the leader's mean, in standard deviations of one reward.
const MEAN_SPAN: f64 = 5e-2;

/// Where bounds hold.
#[derive(Debug, Clone)]
pub(super) struct Intervals {
    pub(super) common: (f64, f64),
    caution: (f64, f64),
    pub(super) top: (f64, f64),
}

impl Intervals {
    /// Intervals this many times as wide as usual.
    pub(super) fn around(scores: &ExpectedImprovement, wider: f64) -> Self {
        let around = |x: f64, share: f64| (x * (1.0 - wider * share), x * (1.0 + wider * share));
        let common = around(scores.common(), VARIANCE_SPAN);
        let caution = around(scores.current_caution(), CAUTION_SPAN);
        let (top, mean_span) = (scores.leader().mean, wider * MEAN_SPAN * scores.spread());
        Self { common, caution, top: (top - mean_span, top + mean_span) }
    }

    /// The least improvements within the intervals.
    pub(super) fn least(&self, scores: &ExpectedImprovement) -> ExpectedImprovement {
        scores.supposing(self.common.0, self.caution.0, self.top.1)
    }

    /// The highest improvements within the intervals.
    pub(super) fn most(&self, scores: &ExpectedImprovement) -> ExpectedImprovement {
        scores.supposing(self.common.1, self.caution.1, self.top.0)
    }

    pub(super) fn hold(&self, scores: &ExpectedImprovement) -> bool {
        self.bound_from_above(scores) && scores.leader().mean <= self.top.1
    }

    /// Whether the upper bounds hold: however high the leader's mean is.
    pub(super) fn bound_from_above(&self, scores: &ExpectedImprovement) -> bool {
        let within = |(low, high): (f64, f64), x: f64| low <= x && x <= high;
        within(self.common, scores.common())
            && within(self.caution, scores.current_caution())
            && self.top.0 <= scores.leader().mean
    }
}

/// The improvements at the ends of all intervals.
#[derive(Debug, Clone)]
pub(super) struct Corners {
    pub(super) intervals: Intervals,
    pub(super) least: ExpectedImprovement,
    pub(super) most: ExpectedImprovement,
}

impl Corners {
    /// The corners of intervals this many times as wide as usual.
    pub(super) fn around(scores: &ExpectedImprovement, wider: f64) -> Self {
        let intervals = Intervals::around(scores, wider);
        Self { least: intervals.least(scores), most: intervals.most(scores), intervals }
    }

    /// Makes `leader` the node that improves on nothing.
    pub(super) fn follow(&mut self, leader: NodeId) {
        self.least.follow(leader);
        self.most.follow(leader);
    }
}

#[inline]
pub(super) fn upper(scores: &ExpectedImprovement, estimates: &Estimates, node: NodeId) -> f64 {
    scores.between(estimates, node).1 * (1.0 + ROUNDING)
}

/// Bounds on the improvement of a node between two corners.
#[inline]
pub(super) fn between(corners: &Corners, estimates: &Estimates, node: NodeId) -> (f64, f64) {
    match upper(&corners.most, estimates, node) {
        // Where nothing can be gained at best, nothing can be gained at worst.
        0.0 => (0.0, 0.0),
        most => (corners.least.between(estimates, node).0 * (1.0 - ROUNDING), most),
    }
}
