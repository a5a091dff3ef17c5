//! G-UCB with UCRL2's bound: the ablation of Appendix F-C.

use super::{Episodic, ParameterError, Recipe, require_delta};
use crate::agent::Agent;
use crate::graph::Graph;
use crate::index::{Ucrl2Bound, UnionFactor};
use crate::planner::{Destinations, ShortestPath};
use crate::schedule::{DoubleAtDestination, Doubling};
use serde::{Deserialize, Serialize};

/// G-UCB with UCRL2's confidence bound.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct GUcbUcrl2Bound {
    /// Confidence parameter of the bound.
    pub delta: f64,
    /// The factor inside the bound's logarithm.
    pub union_factor: UnionFactor,
    /// To what the destination's samples grow.
    pub doubling: Doubling,
    /// Which of equally promising nodes to go to.
    pub destinations: Destinations,
}

impl Default for GUcbUcrl2Bound {
    fn default() -> Self {
        Self {
            delta: 0.01,
            union_factor: UnionFactor::default(),
            doubling: Doubling::default(),
            destinations: Destinations::default(),
        }
    }
}

impl Recipe for GUcbUcrl2Bound {
    const SUMMARY: &'static str = "G-UCB with UCRL2's confidence bound in place of its own";

    fn program() -> Self {
        Self {
            union_factor: UnionFactor::Two,
            doubling: Doubling::AfterArrival,
            destinations: Destinations::FirstBest,
            ..Self::default()
        }
    }

    fn check(&self) -> Result<(), ParameterError> {
        require_delta(self.delta)
    }

    fn build(&self, _graph: &Graph) -> Box<dyn Agent + Send> {
        Box::new(Episodic {
            index: Ucrl2Bound::new(self.delta, self.union_factor),
            planner: ShortestPath::new(self.destinations),
            schedule: DoubleAtDestination::new(self.doubling),
        })
    }
}
