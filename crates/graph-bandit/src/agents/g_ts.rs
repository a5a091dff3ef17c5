//! g-ts: posterior samples, travel deducted, stays that pay for the way.

use super::{ParameterError, Recipe, Traveller};
use crate::agent::Agent;
use crate::graph::Graph;
use crate::index::{BetaSample, MeanSample, RewardFamily};
use serde::{Deserialize, Serialize};

/// Thompson sampling on a graph.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GTs {
    /// The law that rewards are taken to follow; under `bernoulli` the two parameters of noise do
    /// not matter.
    pub rewards: RewardFamily,
    /// All but the index.
    #[serde(flatten)]
    pub traveller: Traveller,
}

impl Recipe for GTs {
    const SUMMARY: &'static str =
        "g-ts: posterior samples less the cost of travel, stay in proportion to visits and hops";

    fn check(&self) -> Result<(), ParameterError> {
        self.traveller.check()
    }

    fn noise_scale(&self) -> Option<f64> {
        let is_gaussian = self.rewards == RewardFamily::Gaussian;
        is_gaussian.then_some(self.traveller.noise_scale)
    }

    fn build(&self, _graph: &Graph) -> Box<dyn Agent + Send> {
        let Self { rewards, traveller } = self;
        match rewards {
            RewardFamily::Gaussian => traveller.with(MeanSample::new(traveller.noise())),
            RewardFamily::Bernoulli => traveller.within_unit().with(BetaSample),
        }
    }
}
