//! UCB-V (Audibert, Munos and Szepesvari, 2009), from Bernstein's inequality with the variance as seen:
//! `mean + sqrt(2 V ln t / n) + 3 b ln t / n`, rewards of range `b`.
//!
//! A bound that holds with an estimated variance, and pays for it in the second term.

use super::Index;
use crate::agent::Situation;
use crate::estimates::Estimates;
use crate::exact::exact;
use crate::graph::NodeId;
use crate::random::Stream;

/// The empirical Bernstein bound.
#[derive(Debug, Clone)]
pub struct UcbV {
    range: f64,
    log: f64,
}

impl UcbV {
    /// The bound for rewards of one node that lie within `range` of each other.
    pub fn new(range: f64) -> Self {
        Self { range, log: 0.0 }
    }
}

impl Index for UcbV {
    fn prepare(&mut self, now: &Situation<'_>) {
        self.log = libm::log(exact(now.estimates.visits().max(1)));
    }

    #[inline]
    fn score(&self, estimates: &Estimates, node: NodeId, _stream: &mut Stream) -> f64 {
        let sample = estimates.sample(node);
        if sample.count == 0 {
            return f64::INFINITY;
        }
        let n = sample.n();
        let variance = sample.scatter() / n;
        let share = self.log / n;
        sample.mean() + (2.0 * variance * share).sqrt() + 3.0 * self.range * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
    use crate::random::Seed;

    #[test]
    fn formula_by_hand() {
        let graph = Graph::line(2).unwrap();
        let mut estimates = Estimates::new(2);
        for reward in [0.0, 1.0, 0.0, 1.0] {
            estimates.push(0, reward);
        }
        let mut index = UcbV::new(2.0);
        index.prepare(&Situation { graph: &graph, at: 0, estimates: &estimates });
        let score = |node| index.score(&estimates, node, &mut Seed(0).stream());
        // V = 1 / 4, ln t / n = ln(4) / 4.
        let share = libm::log(4.0) / 4.0;
        assert!((score(0) - (0.5 + (0.5 * share).sqrt() + 6.0 * share)).abs() < 1e-12);
        assert_eq!(score(1), f64::INFINITY);
    }
}
