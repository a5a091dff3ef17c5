//! UCRL2's upper confidence bound: `mean(s) + sqrt(7 ln(f S A t / delta) / (2 n(s)))`, Eq. (9).
//!
//! The paper has `f = 1`; Jaksch et al. (2010) and the authors' program have `f = 2`.

use super::Index;
use crate::agent::Situation;
use crate::clock::Visits;
use crate::estimates::Estimates;
use crate::graph::NodeId;
use crate::random::Stream;

/// The factor inside UCRL2's logarithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnionFactor {
    /// `ln(S A t / delta)`, as the paper prints it.
    #[default]
    One,
    /// `ln(2 S A t / delta)`, as in Jaksch et al. and the authors' program.
    Two,
}

/// UCRL2's confidence bound on a mean reward.
#[derive(Debug, Clone)]
pub struct Ucrl2Bound {
    delta: f64,
    factor: UnionFactor,
    reach: f64,
}

impl Ucrl2Bound {
    /// The bound at confidence `delta`, in `(0, 1]`.
    pub fn new(delta: f64, factor: UnionFactor) -> Self {
        Self { delta, factor, reach: 0.0 }
    }
}

impl Index for Ucrl2Bound {
    type Clock = Visits;

    fn prepare(&mut self, now: &Situation<'_>, t: Visits) {
        let factor = match self.factor {
            UnionFactor::One => 1.0,
            UnionFactor::Two => 2.0,
        };
        let nodes = now.graph.len() as f64;
        let actions = now.graph.action_count() as f64;
        // Before the first visit every node is infinitely promising, and no logarithm is needed.
        let t = t.0.max(1) as f64;
        self.reach = (3.5 * libm::log(factor * nodes * actions * t / self.delta)).sqrt();
    }

    #[inline]
    fn score(&self, estimates: &Estimates, node: NodeId, _stream: &mut Stream) -> f64 {
        estimates.estimate(node).bound(self.reach)
    }

    #[inline]
    fn reach(&self) -> Option<f64> {
        Some(self.reach)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, Reading};
    use crate::graph::Graph;
    use crate::random::Seed;

    #[test]
    fn formula_by_hand() {
        let graph = Graph::from_edges(2, [(0, 1)]).unwrap();
        let mut estimates = Estimates::new(2);
        estimates.push(0, 0.25);
        estimates.push(0, 0.75);
        let now =
            Situation { graph: &graph, at: 0, estimates: &estimates, clock: &Clock::default() };
        let score = |factor| {
            let mut bound = Ucrl2Bound::new(0.5, factor);
            bound.prepare(&now, Visits::of(&now));
            bound.score(&estimates, 0, &mut Seed(0).stream())
        };
        // S = 2, A = 6, t = 2: sqrt(7 ln 48 / 4) and sqrt(7 ln 96 / 4).
        assert!((score(UnionFactor::One) - 3.102_806_517_797_435).abs() < 1e-12);
        assert!((score(UnionFactor::Two) - 3.326_235_895_156_084).abs() < 1e-12);
    }
}
