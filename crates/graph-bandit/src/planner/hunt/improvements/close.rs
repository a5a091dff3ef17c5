//! A closer look at the sum of all improvements.

use super::corners::{Corners, between};
use super::sums::Sums;
use crate::estimates::Estimates;
use crate::graph::NodeId;
use crate::index::ExpectedImprovement;

/// The intervals for a close look at the sum are this many times as wide.
const CLOSE: f64 = 0.0625;

/// Bounds on the improvements of nodes that are not faint, in narrower intervals: for decisions that
/// the usual bounds on the sum leave open.
#[derive(Debug, Clone, Default)]
pub(super) struct Close {
    /// Unless the bounds are out of date.
    pub(super) corners: Option<Corners>,
    bounds: Vec<(f64, f64)>,
    pub(super) sum: Sums,
}

impl Close {
    /// Computes all bounds.
    pub(super) fn compute(
        &mut self,
        scores: &ExpectedImprovement,
        estimates: &Estimates,
        clear: &[NodeId],
    ) {
        let corners = Corners::around(scores, CLOSE);
        self.bounds.clear();
        self.bounds.resize(estimates.samples().len(), (0.0, 0.0));
        let (mut least, mut most) = (0.0, 0.0);
        for &node in clear {
            let bounds = between(&corners, estimates, node);
            (least, most) = (least + bounds.0, most + bounds.1);
            self.bounds[node as usize] = bounds;
        }
        self.sum = Sums { least, most, highest: most, updates: 0 };
        self.corners = Some(corners);
    }

    /// Accounts for visits to these nodes, if the corners still hold.
    pub(super) fn refresh<'a>(
        &mut self,
        scores: &ExpectedImprovement,
        estimates: &Estimates,
        nodes: impl Iterator<Item = &'a NodeId>,
    ) {
        let Some(mut corners) = self.corners.take() else { return };
        let is_lost = self.sum.are_lost() || self.sum.updates > self.bounds.len();
        if !corners.intervals.hold(scores) || is_lost {
            return;
        }
        corners.follow(scores.leader().node);
        for &node in nodes {
            let bounds = between(&corners, estimates, node);
            let before = std::mem::replace(&mut self.bounds[node as usize], bounds);
            self.sum.replace(before, bounds);
        }
        self.corners = Some(corners);
    }
}
