//! Walk to the destination, collect there once, plan again.

use super::{Schedule, follow};
use crate::agent::Situation;
use crate::leg::Leg;
use crate::planner::Planner;

/// Ends a leg with the first visit to the destination; a walker already there visits once more.
///
/// Needs a planner whose walk ends, such as a walk to a destination.
#[derive(Debug, Clone, Copy, Default)]
pub struct Arrival;

impl Schedule for Arrival {
    fn commit<P: Planner>(&mut self, now: &Situation<'_>, planner: &P, leg: &mut Leg) {
        follow(now, planner, &mut leg.path);
        leg.stay = u64::from(leg.path.is_empty());
    }
}
