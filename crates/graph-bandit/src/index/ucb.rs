//! The upper confidence bound of G-UCB: `mean(s) + bonus * sqrt(2 ln t / n(s))`, Eq. (5).

use super::Index;
use crate::agent::Situation;
use crate::ahead::Ahead;
use crate::clock::Visits;
use crate::estimates::Estimates;
use crate::graph::NodeId;
use crate::random::Stream;

/// Hoeffding's bound at confidence `t^-4` for rewards of range one.
#[derive(Debug, Clone)]
pub struct Ucb {
    bonus: f64,
    reach: f64,
    reaches: Ahead,
}

impl Ucb {
    /// The paper's bound is `bonus` 1; other values scale the confidence radius.
    pub fn new(bonus: f64) -> Self {
        Self { bonus, reach: 0.0, reaches: Ahead::default() }
    }
}

impl Ucb {
    /// Computes the shared terms after `t` visits.
    #[inline]
    pub fn prepare_at(&mut self, t: Visits) {
        // Before the first visit every node is infinitely promising, and no logarithm is needed.
        let t = t.0.max(1);
        let bonus = self.bonus;
        self.reach = self.reaches.at(t, |log| {
            // Finite, so that zero times it stays zero.
            (bonus * (2.0 * log).sqrt()).min(f64::MAX)
        });
    }
}

impl Index for Ucb {
    type Clock = Visits;

    #[inline]
    fn prepare(&mut self, _now: &Situation<'_>, t: Visits) {
        self.prepare_at(t);
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
        for reward in [1.0, 0.0, 0.5, 0.5, 1.0, 0.0, 0.5, 0.5] {
            estimates.push(0, reward);
        }
        let now =
            Situation { graph: &graph, at: 0, estimates: &estimates, clock: &Clock::default() };
        let mut stream = Seed(0).stream();
        let mut score = |bonus, node| {
            let mut ucb = Ucb::new(bonus);
            ucb.prepare(&now, Visits::of(&now));
            ucb.score(&estimates, node, &mut stream)
        };
        // t = n = 8: sqrt(2 * 2.0794415 / 8) = 0.7210134.
        assert!((score(1.0, 0) - 1.221_013_443_300_441).abs() < 1e-9);
        assert!((score(0.5, 0) - 0.860_506_721_650_221).abs() < 1e-9);
        assert_eq!(score(1.0, 1), f64::INFINITY);
    }
}
