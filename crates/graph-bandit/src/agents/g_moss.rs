//! g-moss: the anytime bound of MOSS, travel deducted, stays that pay for the way.

use super::{ParameterError, Recipe, Traveller};
use crate::agent::Agent;
use crate::graph::Graph;
use crate::index::Moss;
use serde::{Deserialize, Serialize};

/// MOSS on a graph.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GMoss {
    /// All but the index.
    #[serde(flatten)]
    pub traveller: Traveller,
}

impl Recipe for GMoss {
    const SUMMARY: &'static str =
        "g-moss: MOSS bounds less the cost of travel, stay in proportion to visits and hops";

    fn check(&self) -> Result<(), ParameterError> {
        self.traveller.check()
    }

    fn noise_scale(&self) -> Option<f64> {
        Some(self.traveller.noise_scale)
    }

    fn build(&self, _graph: &Graph) -> Box<dyn Agent + Send> {
        self.traveller.with(Moss::new(self.traveller.noise(), self.traveller.horizon()))
    }
}
