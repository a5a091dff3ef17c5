//! The error of planners that count steps on a graph whose roads take time.

use crate::graph::{Graph, Roads};
use thiserror::Error;

/// A planner that counts steps of one unit was given roads that take longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "{what} counts steps of one unit each, but roads of this graph take longer; use \
     shortest_path, which prices time"
)]
pub struct StepsOnly {
    /// The planner.
    pub what: &'static str,
}

impl StepsOnly {
    /// Refuses a graph whose roads take time. One-way roads are fine.
    pub(crate) fn check(graph: &Graph, what: &'static str) -> Result<(), Self> {
        if graph.roads().is_some_and(Roads::take_time) { Err(Self { what }) } else { Ok(()) }
    }
}
