//! MOSS (Audibert and Bubeck, 2009), anytime: `mean + sqrt(2 s2 ln+(t / (K n)) / n)` with `K`
//! nodes.
//!
//! A node that has had its share of the visits gets no bonus.

use super::gaussian_bounds::GaussianBounds;
use super::{Horizon, Index, Noise};
use crate::agent::{Situation, Visit};
use crate::clock::Visits;
use crate::estimates::Estimates;
use crate::graph::NodeId;
use crate::node_scores::NodeScores;
use crate::random::Stream;

/// The MOSS bound.
#[derive(Debug, Clone)]
pub struct Moss {
    horizon: Horizon,
    bounds: GaussianBounds,
}

impl Moss {
    /// The bound under this noise; a known horizon replaces `t`.
    pub fn new(noise: Noise, horizon: Horizon) -> Self {
        Self { horizon, bounds: GaussianBounds::new(noise) }
    }
}

impl Index for Moss {
    type Clock = Visits;

    fn prepare(&mut self, now: &Situation<'_>, t: Visits) {
        // `t / K`, of which a node that was visited `n` times has had `n`.
        let share = self.horizon.total(t) / now.graph.len() as f64;
        self.bounds.prepare(now, share);
    }

    #[inline]
    fn visited(&mut self, visit: &Visit) {
        self.bounds.visited(visit);
    }

    fn forget_visits(&mut self) {
        self.bounds.forget_visits();
    }

    #[inline]
    fn score(&self, estimates: &Estimates, node: NodeId, _stream: &mut Stream) -> f64 {
        self.bounds.of(estimates, node)
    }

    fn node_scores(&self, _: &Estimates, _: &mut Stream) -> Option<NodeScores> {
        Some(NodeScores::each_alone(self.bounds.as_found()))
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
        estimates.push(0, 2.0);
        estimates.push(0, 3.0);
        for _ in 0..28 {
            estimates.push(1, 1.0);
        }
        let now =
            Situation { graph: &graph, at: 0, estimates: &estimates, clock: &Clock::default() };
        let mut moss = Moss::new(Noise::new(1.0, Variance::Declared), Horizon::Unknown);
        moss.prepare(&now, Visits::of(&now));
        let score = |node| moss.score(&estimates, node, &mut Seed(0).stream());
        // t / K = 10: sqrt(2 ln(5) / 2) above 5 / 2, and nothing above 1.
        assert!((score(0) - (2.5 + libm::log(5.0).sqrt())).abs() < 1e-12);
        assert_eq!(score(1), 1.0);
        assert_eq!(score(2), f64::INFINITY);
    }
}
