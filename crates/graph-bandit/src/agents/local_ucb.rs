//! Local UCB (Section V-A): every step to the neighbour of highest upper confidence bound.

use super::{Episodic, ParameterError, Recipe, require_bonus};
use crate::agent::Agent;
use crate::graph::Graph;
use crate::index::Ucb;
use crate::planner::BestNeighbor;
use crate::schedule::EveryVisit;
use serde::{Deserialize, Serialize};

/// UCB without foresight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct LocalUcb {
    /// Scales the confidence radius `sqrt(2 ln t / n)`.
    pub bonus: f64,
}

impl Default for LocalUcb {
    fn default() -> Self {
        Self { bonus: 1.0 }
    }
}

impl Recipe for LocalUcb {
    const SUMMARY: &'static str =
        "Local UCB: each step to the neighbour of highest upper confidence bound";

    fn program() -> Self {
        Self::default()
    }

    fn check(&self) -> Result<(), ParameterError> {
        require_bonus(self.bonus)
    }

    fn build(&self, _graph: &Graph) -> Box<dyn Agent + Send> {
        Box::new(Episodic {
            index: Ucb::new(self.bonus),
            planner: BestNeighbor::default(),
            schedule: EveryVisit,
        })
    }
}
