//! G-UCB's doubling: walk to the destination, stay until its samples double (Algorithm 2, line 12).

use super::{Schedule, follow};
use crate::agent::Situation;
use crate::leg::Leg;
use crate::planner::Planner;

/// How many visits a destination has at the end of a leg, if it had `n` when the leg began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Doubling {
    /// `2 n`, including the arrival: the paper.
    #[default]
    Exact,
    /// `2 (n + 1)` if the agent walked there, `2 n` if it was there already: G-UCB in the authors'
    /// program.
    AfterArrival,
    /// `2 n + 1`: Direct-SP in the authors' program.
    OneMore,
}

/// Stays at the end of the plan until its samples double.
///
/// Needs a planner whose walk ends, such as a walk to a destination.
#[derive(Debug, Clone, Copy, Default)]
pub struct DoubleAtDestination {
    doubling: Doubling,
}

impl DoubleAtDestination {
    /// A schedule that doubles in this way.
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
