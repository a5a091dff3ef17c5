//! g-star: where the expected improvement on the best node known is the largest multiple of what it costs
//! to go and see; if nothing is worth its price, to that node.

use super::{Episodic, ParameterError, Recipe, require_size};
use crate::agent::Agent;
use crate::graph::Graph;
use crate::index::{ExpectedImprovement, Horizon, Noise, Variance};
use crate::planner::Bargain;
use crate::schedule::Amortized;
use serde::{Deserialize, Serialize};

/// The agent of least regret here. It draws no random numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct GStar {
    /// Declared sub-Gaussian scale of one node's noise.
    pub noise_scale: f64,
    /// Where the variance of rewards comes from.
    pub variance: Variance,
    /// So many times larger than it seems the variance is taken to be.
    pub caution: f64,
    /// Visits in all, initialization included, where they are known; else zero.
    pub horizon: f64,
    /// New visits to a destination for every visit before.
    pub growth: f64,
    /// New visits to a destination for every hop walked there.
    pub per_hop: f64,
}

impl Default for GStar {
    fn default() -> Self {
        Self {
            noise_scale: 0.5,
            variance: Variance::default(),
            caution: 1.5,
            horizon: 0.0,
            growth: 0.5,
            per_hop: 1.0,
        }
    }
}

impl Recipe for GStar {
    const SUMMARY: &'static str = "g-star: to the expected improvement that is the largest multiple of its price, else to the best mean";

    fn check(&self) -> Result<(), ParameterError> {
        require_size("noise-scale", self.noise_scale)?;
        require_size("caution", self.caution)?;
        require_size("horizon", self.horizon)?;
        require_size("growth", self.growth)?;
        require_size("per-hop", self.per_hop)
    }

    fn noise_scale(&self) -> Option<f64> {
        Some(self.noise_scale)
    }

    fn build(&self, _graph: &Graph) -> Box<dyn Agent + Send> {
        let noise = Noise::new(self.noise_scale, self.variance);
        let schedule = Amortized { growth: self.growth, per_hop: self.per_hop };
        Box::new(Episodic {
            index: ExpectedImprovement::new(noise, self.caution),
            planner: Bargain::new(schedule, Horizon::of_parameter(self.horizon), self.noise_scale),
            schedule,
        })
    }
}
