//! MOSS (Audibert and Bubeck, 2009), anytime: `mean + sqrt(2 s2 ln+(t / (K n)) / n)` with `K`
//! nodes.
//!
//! A node that has had its share of the visits gets no bonus.

use super::kl_ucb::gaussian_bound;
use super::{Horizon, Index, Noise};
use crate::agent::Situation;
use crate::clock::Visits;
use crate::estimates::Estimates;
use crate::exact::exact;
use crate::graph::NodeId;
use crate::random::Stream;

/// The MOSS bound.
#[derive(Debug, Clone)]
pub struct Moss {
    noise: Noise,
    horizon: Horizon,
    /// `t / K`.
    share: f64,
}

impl Moss {
    /// The bound under this noise; a known horizon replaces `t`.
    pub fn new(noise: Noise, horizon: Horizon) -> Self {
        Self { noise, horizon, share: 0.0 }
    }
}

impl Index for Moss {
    type Clock = Visits;

    fn prepare(&mut self, now: &Situation<'_>, t: Visits) {
        self.noise.prepare(now.estimates);
        let t = self.horizon.total(t);
        self.share = t / now.graph.len() as f64;
    }

    #[inline]
    fn score(&self, estimates: &Estimates, node: NodeId, _stream: &mut Stream) -> f64 {
        match estimates.count(node) {
            0 => f64::INFINITY,
            n => gaussian_bound(&self.noise, estimates, node, self.share / exact(n)),
        }
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
