//! g-imed: minimum empirical divergence, travel raising the bar, stays that pay for the way.

use super::traveller::Traveller;
use super::{ParameterError, Recipe, require_size};
use crate::agent::Agent;
use crate::graph::Graph;
use crate::index::{Imed, Noise, Variance};
use crate::planner::Travel;
use serde::{Deserialize, Serialize};

/// IMED on a graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct GImed {
    /// Declared sub-Gaussian scale of one node's noise.
    pub noise_scale: f64,
    /// Where the variance of rewards comes from.
    pub variance: Variance,
    /// Whether the way to a destination counts when it is chosen.
    pub travel: Travel,
    /// Visits in all, initialization included, where they are known; else zero.
    pub horizon: f64,
    /// New visits to a destination for every visit before.
    pub growth: f64,
    /// New visits to a destination for every hop walked there.
    pub per_hop: f64,
}

impl Default for GImed {
    fn default() -> Self {
        Self {
            noise_scale: 0.5,
            variance: Variance::default(),
            travel: Travel::default(),
            horizon: 0.0,
            growth: 1.0,
            per_hop: 1.0,
        }
    }
}

impl GImed {
    fn traveller(&self) -> Traveller {
        let Self { travel, horizon, growth, per_hop, .. } = *self;
        Traveller { travel, horizon, growth, per_hop }
    }
}

impl Recipe for GImed {
    const SUMMARY: &'static str =
        "g-imed: least empirical divergence, travel counted, stay in proportion to visits and hops";

    fn program() -> Self {
        Self::default()
    }

    fn check(&self) -> Result<(), ParameterError> {
        require_size("noise-scale", self.noise_scale)?;
        self.traveller().check()
    }

    fn build(&self, _graph: &Graph) -> Box<dyn Agent + Send> {
        let noise = Noise::new(self.noise_scale, self.variance);
        self.traveller().with(Imed::new(noise))
    }
}
