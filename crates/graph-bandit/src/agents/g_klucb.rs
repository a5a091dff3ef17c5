//! g-klucb: the bound of KL-UCB, travel deducted, stays that pay for the way.

use super::{ParameterError, Recipe, Traveller};
use crate::agent::Agent;
use crate::graph::Graph;
use crate::index::{KlUcb, KlUcbBernoulli, RewardFamily};
use serde::{Deserialize, Serialize};

/// KL-UCB on a graph.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GKlUcb {
    /// The law that rewards are taken to follow; under `bernoulli` the two parameters of noise do
    /// not matter.
    pub rewards: RewardFamily,
    /// All but the index.
    #[serde(flatten)]
    pub traveller: Traveller,
}

impl Recipe for GKlUcb {
    const SUMMARY: &'static str =
        "g-klucb: KL-UCB bounds less the cost of travel, stay in proportion to visits and hops";

    fn check(&self) -> Result<(), ParameterError> {
        self.traveller.check()
    }

    fn noise_scale(&self) -> Option<f64> {
        let is_gaussian = self.rewards == RewardFamily::Gaussian;
        is_gaussian.then_some(self.traveller.noise_scale)
    }

    fn build(&self, _graph: &Graph) -> Box<dyn Agent + Send> {
        let Self { rewards, traveller } = self;
        let horizon = traveller.horizon();
        match rewards {
            RewardFamily::Gaussian => traveller.with(KlUcb::new(traveller.noise(), horizon)),
            RewardFamily::Bernoulli => traveller.within_unit().with(KlUcbBernoulli::new(horizon)),
        }
    }
}
