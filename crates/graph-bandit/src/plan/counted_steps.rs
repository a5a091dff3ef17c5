//! What planners say that count steps where roads take time.

use crate::graph::{Graph, Roads};
use thiserror::Error;

/// A planner that counts steps of one unit each was given roads that take longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "{what} counts steps that take one unit each, and roads of this graph take longer; use \
     shortest_path, which prices time"
)]
pub struct StepsOnly {
    /// What was asked for.
    pub what: &'static str,
}

impl StepsOnly {
    /// Refuses a graph some of whose roads take time. Directions are fine.
    pub(crate) fn check(graph: &Graph, what: &'static str) -> Result<(), Self> {
        if graph.roads().is_some_and(Roads::take_time) { Err(Self { what }) } else { Ok(()) }
    }
}
