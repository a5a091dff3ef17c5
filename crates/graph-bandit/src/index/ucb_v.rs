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
///
/// A part for agents of one's own: no named agent has it, since the second term costs more than a declared
/// scale does where one is known, as it is to all of them.
///
/// ```
/// use graph_bandit::agents::Episodic;
/// use graph_bandit::index::{Horizon, UcbV};
/// use graph_bandit::planner::{Travel, TravelAware};
/// use graph_bandit::schedule::Amortized;
/// use graph_bandit::{Graph, Law, RunPlan, Seed, World, run};
///
/// // Rewards of range one, but for the best node, in the far corner, of variance a hundredth of that.
/// let mut laws = vec![Law::uniform(0.0, 1.0)?; 9];
/// laws[8] = Law::uniform(0.85, 0.95)?;
/// let world = World::new(Graph::grid(3, 3)?, laws)?;
/// let mut agent = Episodic {
///     index: UcbV::new(1.0),
///     planner: TravelAware::new(Travel::Priced, Horizon::Unknown, 0.5),
///     schedule: Amortized::default(),
/// };
/// let record = run(&world, &mut agent, &RunPlan::new(20_000, 1), Seed(1))?;
/// assert!(record.visits[8] > 15_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
        // A variance is at most a quarter of the range squared; up to there, what rounding may hide counts.
        let hidden = sample.scatter_error().min(0.25 * self.range * self.range * n);
        let variance = sample.scatter().max(hidden) / n;
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
