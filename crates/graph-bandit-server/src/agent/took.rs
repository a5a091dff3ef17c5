//! How long steps took, as robots report it: travel and visit together, in units of one visit.

use super::live::Live;
use super::{EventError, Spoken, Visits};
use graph_bandit::{MAX_TRAVEL, MAX_VISITS, Paid};

/// By how much a step may be shorter than the visit at its end, because clocks round.
const TOLERANCE: f64 = 1e-6;

impl Live {
    /// Refuses impossible times.
    pub(super) fn check_took(&self, visits: &[Visits]) -> Result<(), EventError> {
        for Visits { node, rewards, took } in visits {
            if !took.is_empty() && took.len() != rewards.len() {
                return Err(EventError::OtherTimes { times: took.len(), visits: rewards.len() });
            }
            if let Some(&took) = took.iter().flatten().find(|took| !is_possible(**took)) {
                let node = Spoken::of(self.graph(), *node);
                return Err(EventError::ImpossibleTook { node, took });
            }
        }
        self.check_clock(visits)
    }

    /// Refuses times beyond the range of the clock.
    fn check_clock(&self, visits: &[Visits]) -> Result<(), EventError> {
        if !self.has_roads() && visits.iter().all(|run| run.took.is_empty()) {
            return Ok(());
        }
        let (mut from, mut travel) = (self.place(), self.session.clock().travel());
        for run in visits {
            for Paid { took, .. } in run.each() {
                let road = || self.session.graph().travel(from, run.node).unwrap_or(0.0);
                travel += took.map_or_else(road, |took| took - 1.0);
                from = run.node;
            }
        }
        // Visits and time are exact up to here.
        if travel <= MAX_VISITS as f64 { Ok(()) } else { Err(EventError::TooMuchTime) }
    }
}

fn is_possible(took: f64) -> bool {
    // False for NaN, too.
    (1.0 - TOLERANCE..=1.0 + MAX_TRAVEL).contains(&took)
}
