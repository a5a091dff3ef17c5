//! KL-UCB with a full logarithm (Garivier and Cappe, 2011): the highest mean whose divergence from
//! the observed mean, times `n`, is at most `factor ln t`.
//!
//! [`KlUcb`](super::KlUcb) has `ln+(t / n)` instead. This is the index of the literature on rewards
//! that change, where `t` may differ from node to node.

use super::Index;
use crate::agent::Situation;
use crate::clock::Visits;
use crate::divergence::Divergence;
use crate::estimates::Estimates;
use crate::exact::exact;
use crate::graph::NodeId;
use crate::random::Stream;

/// What `t` counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Age {
    /// All visits that count, to whichever node: the same `t` for all nodes.
    #[default]
    Shared,
    /// All visits since the node was last restarted.
    OfNode,
}

/// The highest `q` with `n kl(mean, q) <= factor ln t`.
#[derive(Debug, Clone)]
pub struct KlBound {
    divergence: Divergence,
    factor: f64,
    age: Age,
    /// `factor ln t`.
    level: f64,
    /// The same for every node, if nodes have their own `t`.
    levels: Vec<f64>,
}

impl KlBound {
    /// The bound with factor 1 and one `t` for all nodes.
    pub fn new(divergence: Divergence) -> Self {
        Self { divergence, factor: 1.0, age: Age::Shared, level: 0.0, levels: Vec::new() }
    }

    /// The bound with this factor and `t`.
    pub fn with(divergence: Divergence, factor: f64, age: Age) -> Self {
        Self { factor, age, ..Self::new(divergence) }
    }

    fn level(&self, t: u64) -> f64 {
        self.factor * libm::log(exact(t.max(1)))
    }
}

impl Index for KlBound {
    type Clock = Visits;

    fn count_from(&mut self, ages: &[u64]) {
        if self.age == Age::OfNode {
            let mut levels = std::mem::take(&mut self.levels);
            levels.clear();
            levels.extend(ages.iter().map(|&age| self.level(age)));
            self.levels = levels;
        }
    }

    fn prepare(&mut self, _now: &Situation<'_>, t: Visits) {
        self.level = self.level(t.0);
    }

    fn score(&self, estimates: &Estimates, node: NodeId, _stream: &mut Stream) -> f64 {
        if estimates.count(node) == 0 {
            return f64::INFINITY;
        }
        let seen = estimates.estimate(node);
        let level = self.levels.get(node as usize).copied().unwrap_or(self.level);
        self.divergence.highest(seen.mean, level / seen.weight())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, Reading};
    use crate::graph::Graph;
    use crate::random::Seed;

    #[test]
    fn levels_by_hand() {
        let graph = Graph::line(3).unwrap();
        let mut estimates = Estimates::new(3);
        for reward in [1.0, 0.0, 0.0, 0.0] {
            estimates.push(0, reward);
        }
        (0..16).for_each(|_| estimates.push(1, 0.25));
        let now =
            Situation { graph: &graph, at: 0, estimates: &estimates, clock: &Clock::default() };
        let scores = |mut index: KlBound| {
            index.count_from(&[7, 100, 0]);
            index.prepare(&now, Visits::of(&now));
            [0, 1, 2].map(|node| index.score(&estimates, node, &mut Seed(0).stream()))
        };
        let gaussian = Divergence::gaussian(0.5);
        let found = scores(KlBound::new(gaussian));
        // t = 20: sqrt(2 / 4 ln(20) / 4) and sqrt(2 / 4 ln(20) / 16) above 1 / 4.
        assert!((found[0] - 0.25 - (libm::log(20.0) / 8.0).sqrt()).abs() < 1e-12, "{found:?}");
        assert!((found[1] - 0.25 - (libm::log(20.0) / 32.0).sqrt()).abs() < 1e-12, "{found:?}");
        assert_eq!(found[2], f64::INFINITY);
        let found = scores(KlBound::with(gaussian, 3.0, Age::OfNode));
        assert!((found[0] - 0.25 - (3.0 * libm::log(7.0) / 8.0).sqrt()).abs() < 1e-12);
        assert!((found[1] - 0.25 - (3.0 * libm::log(100.0) / 32.0).sqrt()).abs() < 1e-12);
        let found = scores(KlBound::new(Divergence::Bernoulli));
        let kl = Divergence::Bernoulli.between(0.25, found[1]);
        assert!((16.0 * kl - libm::log(20.0)).abs() < 1e-9, "{found:?}");
    }
}
