//! Planning again at every visit, as the local benchmarks do.

use super::Schedule;
use crate::agent::Situation;
use crate::leg::Leg;
use crate::planner::Planner;

/// Legs of one visit.
#[derive(Debug, Clone, Copy, Default)]
pub struct EveryVisit;

impl Schedule for EveryVisit {
    fn commit<P: Planner>(&mut self, now: &Situation<'_>, planner: &P, leg: &mut Leg) {
        leg.visit_once(now.at, planner.next(now.graph, now.at));
    }
}
