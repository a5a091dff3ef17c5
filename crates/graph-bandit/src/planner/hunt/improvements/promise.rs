//! What the nodes of a district promise.

use crate::estimates::Estimates;
use crate::exact::exact;
use crate::graph::NodeId;
use crate::index::Leader;
use crate::planner::hunt::ENDLESS;

/// The most that the nodes of a district promise.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Promise {
    /// The highest upper bound on an improvement.
    pub(super) most: f64,
    /// The highest bound per gap.
    pub(super) per_gap: f64,
    /// The highest bound per price of the visits that earlier visits alone ask for.
    pub(super) per_price: f64,
}

impl Promise {
    /// What a node with this upper bound promises, if the leader is as `nearest` says.
    #[inline]
    pub(super) fn new(
        nearest: &Leader,
        estimates: &Estimates,
        node: NodeId,
        most: f64,
        growth: f64,
        step: f64,
    ) -> Self {
        let gap = nearest.gap(estimates, node);
        // One visit less than they ask for: visits are rounded down.
        let stay = (growth * exact(estimates.count(node)) - 1.0).clamp(1.0, ENDLESS);
        Self { most, per_gap: most / gap, per_price: most / (gap * stay + step) }
    }

    /// The more of both.
    #[inline]
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            most: self.most.max(other.most),
            per_gap: self.per_gap.max(other.per_gap),
            per_price: self.per_price.max(other.per_price),
        }
    }
}
