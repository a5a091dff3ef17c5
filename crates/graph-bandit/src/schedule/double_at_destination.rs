//! G-UCB's doubling: walk to the destination, stay until its samples double (Algorithm 2, line 12).

use super::{Schedule, follow};
use crate::agent::Situation;
use crate::leg::Leg;
use crate::planner::Planner;

/// To what the visits of a destination grow in one episode, from `n` when it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Doubling {
    /// `2 n`, the arrival counted: the paper.
    #[default]
    Exact,
    /// `2 (n + 1)` when the agent walked there, `2 n` when it stood there: G-UCB in the authors'
    /// program.
    AfterArrival,
    /// `2 n + 1`: Direct-SP in the authors' program.
    OneMore,
}

/// Stays at the end of the plan until its samples double.
///
/// Needs a planner whose walk comes to an end, as walks to a destination do.
#[derive(Debug, Clone, Copy, Default)]
pub struct DoubleAtDestination {
    doubling: Doubling,
}

impl DoubleAtDestination {
    /// A schedule that doubles in the given sense.
    pub fn new(doubling: Doubling) -> Self {
        Self { doubling }
    }
}

impl Schedule for DoubleAtDestination {
    fn commit<P: Planner>(&mut self, now: &Situation<'_>, planner: &P, leg: &mut Leg) {
        let node = follow(now, planner, &mut leg.path);
        let walked = !leg.path.is_empty();
        let before = now.estimates.count(node);
        let visits = match self.doubling {
            Doubling::Exact => before,
            Doubling::AfterArrival => before + 2 * u64::from(walked),
            Doubling::OneMore => before + 1,
        };
        // A node never visited before is visited once.
        leg.stay = visits.max(1) - u64::from(walked);
    }
}
