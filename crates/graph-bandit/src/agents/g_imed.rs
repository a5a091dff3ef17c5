//! g-imed: minimum empirical divergence, travel raising the bar, stays that pay for the way.

use super::{ParameterError, Recipe, Traveller};
use crate::agent::Agent;
use crate::graph::Graph;
use crate::index::Imed;
use serde::{Deserialize, Serialize};

/// IMED on a graph.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GImed {
    /// All but the index.
    #[serde(flatten)]
    pub traveller: Traveller,
}

impl Recipe for GImed {
    const SUMMARY: &'static str =
        "g-imed: least empirical divergence, travel counted, stay in proportion to visits and hops";

    fn check(&self) -> Result<(), ParameterError> {
        self.traveller.check()
    }

    fn noise_scale(&self) -> Option<f64> {
        Some(self.traveller.noise_scale)
    }

    fn build(&self, _graph: &Graph) -> Box<dyn Agent + Send> {
        self.traveller.with(Imed::new(self.traveller.noise()))
    }
}
