//! UCRL2 in the graph setting (Appendix E, Algorithms 3 and 4).

use super::{Episodic, ParameterError, Recipe, require_delta};
use crate::agent::Agent;
use crate::graph::Graph;
use crate::index::{Ucrl2Bound, UnionFactor};
use crate::planner::{PolicyValues, SweepCap, ValueIteration};
use crate::schedule::{Counting, DoubleAnywhere};
use serde::{Deserialize, Serialize};

/// UCRL2 that knows the graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Ucrl2 {
    /// Confidence parameter of the bound.
    pub delta: f64,
    /// The factor inside the bound's logarithm.
    pub union_factor: UnionFactor,
    /// How many sweeps value iteration may make.
    pub sweep_cap: SweepCap,
    /// Which values the policy is read from.
    pub policy_values: PolicyValues,
    /// What ends an episode.
    pub counting: Counting,
}

impl Default for Ucrl2 {
    fn default() -> Self {
        Self {
            delta: 0.01,
            union_factor: UnionFactor::default(),
            sweep_cap: SweepCap::default(),
            policy_values: PolicyValues::default(),
            counting: Counting::default(),
        }
    }
}

impl Recipe for Ucrl2 {
    const SUMMARY: &'static str = "UCRL2 knowing the graph: its wider bound, value iteration, episodes until any node doubles";

    fn program() -> Self {
        Self {
            union_factor: UnionFactor::Two,
            sweep_cap: SweepCap::SquareRoot,
            policy_values: PolicyValues::Previous,
            counting: Counting::Departures,
            ..Self::default()
        }
    }

    fn check(&self) -> Result<(), ParameterError> {
        require_delta(self.delta)
    }

    fn build(&self, _graph: &Graph) -> Box<dyn Agent + Send> {
        Box::new(Episodic {
            index: Ucrl2Bound::new(self.delta, self.union_factor),
            planner: ValueIteration::new(self.sweep_cap, self.policy_values),
            schedule: DoubleAnywhere::new(self.counting),
        })
    }
}
