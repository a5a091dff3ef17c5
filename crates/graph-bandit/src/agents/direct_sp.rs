//! Direct-SP (Appendix F-F): G-UCB that takes the path of fewest hops instead of least cost.

use super::{Episodic, ParameterError, Recipe, require_bonus};
use crate::agent::Agent;
use crate::graph::Graph;
use crate::index::Ucb;
use crate::planner::{Destinations, FewestHops};
use crate::schedule::{DoubleAtDestination, Doubling};
use serde::{Deserialize, Serialize};

/// G-UCB along the fewest hops.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct DirectSp {
    /// Scales the confidence radius `sqrt(2 ln t / n)`.
    pub bonus: f64,
    /// To what the destination's samples grow.
    pub doubling: Doubling,
    /// Which of equally promising nodes to go to.
    pub destinations: Destinations,
}

impl Default for DirectSp {
    fn default() -> Self {
        Self { bonus: 1.0, doubling: Doubling::default(), destinations: Destinations::default() }
    }
}

impl Recipe for DirectSp {
    const SUMMARY: &'static str = "Direct-SP: G-UCB along the path of fewest hops";

    fn program() -> Self {
        Self {
            doubling: Doubling::OneMore,
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
            planner: FewestHops::new(self.destinations),
            schedule: DoubleAtDestination::new(self.doubling),
        })
    }
}
