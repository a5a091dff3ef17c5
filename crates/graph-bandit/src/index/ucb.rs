//! The upper confidence bound of G-UCB: `mean(s) + bonus * sqrt(2 ln t / n(s))`, Eq. (5).

use super::Index;
use crate::agent::Situation;
use crate::estimates::Sample;
use crate::random::Stream;

/// Hoeffding's bound at confidence `t^-4` for rewards of range one.
#[derive(Debug, Clone)]
pub struct Ucb {
    bonus: f64,
    twice_log_time: f64,
}

impl Ucb {
    /// The paper's bound is `bonus` 1; other values scale the confidence radius.
    pub fn new(bonus: f64) -> Self {
        Self { bonus, twice_log_time: 0.0 }
    }
}

impl Index for Ucb {
    fn prepare(&mut self, now: &Situation<'_>) {
        self.twice_log_time = 2.0 * libm::log(now.estimates.visits() as f64);
    }

    #[inline]
    fn score(&self, sample: &Sample, _stream: &mut Stream) -> f64 {
        if sample.count == 0 {
            return f64::INFINITY;
        }
        let n = sample.count as f64;
        sample.sum / n + self.bonus * (self.twice_log_time / n).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimates::Estimates;
    use crate::graph::Graph;
    use crate::random::Seed;

    #[test]
    fn formula_by_hand() {
        let graph = Graph::from_edges(2, [(0, 1)]).unwrap();
        let mut estimates = Estimates::new(2);
        for reward in [1.0, 0.0, 0.5, 0.5, 1.0, 0.0, 0.5, 0.5] {
            estimates.push(0, reward);
        }
        let now = Situation { graph: &graph, at: 0, estimates: &estimates };
        let mut stream = Seed(0).stream();
        let mut score = |bonus, node| {
            let mut ucb = Ucb::new(bonus);
            ucb.prepare(&now);
            ucb.score(estimates.sample(node), &mut stream)
        };
        // t = n = 8: sqrt(2 * 2.0794415 / 8) = 0.7210134.
        assert!((score(1.0, 0) - 1.221_013_443_300_441).abs() < 1e-9);
        assert!((score(0.5, 0) - 0.860_506_721_650_221).abs() < 1e-9);
        assert_eq!(score(1.0, 1), f64::INFINITY);
    }
}
