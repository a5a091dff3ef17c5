//! How long steps took, as robots tell it: travel and visit together, in units of one visit.

use super::live::Live;
use super::{EventError, Spoken, Visits};
use graph_bandit::MAX_TRAVEL;

/// What a visit paid, and how long the step there took, if somebody says so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paid {
    /// The reward.
    pub reward: f64,
    /// The time of the step, the visit at its end included.
    pub took: Option<f64>,
}

impl From<f64> for Paid {
    fn from(reward: f64) -> Self {
        Self { reward, took: None }
    }
}

/// By how much a step may take less than the visit at its end: clocks are rounded.
const TOLERANCE: f64 = 1e-6;

impl Live {
    /// Refuses times that no step takes.
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
        Ok(())
    }
}

fn is_possible(took: f64) -> bool {
    // False for what is not a number, too.
    (1.0 - TOLERANCE..=1.0 + MAX_TRAVEL).contains(&took)
}
