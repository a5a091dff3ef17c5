//! G-UCB (Algorithm 2): optimism, shortest paths, doubling at the destination.

use super::{Episodic, ParameterError, Recipe, require_bonus};
use crate::agent::Agent;
use crate::graph::Graph;
use crate::index::Ucb;
use crate::planner::{Destinations, ShortestPath};
use crate::schedule::{DoubleAtDestination, Doubling};
use serde::{Deserialize, Serialize};

/// The paper's algorithm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct GUcb {
    /// Scales the confidence radius `sqrt(2 ln t / n)`.
    pub bonus: f64,
    /// To what the destination's samples grow.
    pub doubling: Doubling,
    /// Which of equally promising nodes to go to.
    pub destinations: Destinations,
}

impl Default for GUcb {
    fn default() -> Self {
        Self { bonus: 1.0, doubling: Doubling::default(), destinations: Destinations::default() }
    }
}

impl Recipe for GUcb {
    const SUMMARY: &'static str = "G-UCB: upper confidence bounds, shortest path to the highest, stay until its samples double";

    fn program() -> Self {
        Self {
            doubling: Doubling::AfterArrival,
            destinations: Destinations::FirstBest,
            ..Self::default()
        }
    }

    fn check(&self) -> Result<(), ParameterError> {
        require_bonus(self.bonus)
    }

    fn build(&self, _graph: &Graph) -> Box<dyn Agent + Send> {
        Box::new(Episodic {
            index: Ucb::new(self.bonus),
            planner: ShortestPath::new(self.destinations),
            schedule: DoubleAtDestination::new(self.doubling),
        })
    }
}
