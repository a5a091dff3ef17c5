//! What g-ts, g-moss, g-imed and g-klucb have in common: all but the index.

use super::{Episodic, ParameterError, require_size};
use crate::agent::Agent;
use crate::index::{Horizon, Index, Noise, Variance};
use crate::planner::{Travel, TravelAware};
use crate::schedule::Amortized;
use serde::{Deserialize, Serialize};

/// The parameters of noise, planner and schedule.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Traveller {
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

impl Default for Traveller {
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

impl Traveller {
    pub(super) fn check(&self) -> Result<(), ParameterError> {
        require_size("noise-scale", self.noise_scale)?;
        require_size("horizon", self.horizon)?;
        require_size("growth", self.growth)?;
        require_size("per-hop", self.per_hop)
    }

    pub(super) fn noise(&self) -> Noise {
        Noise::new(self.noise_scale, self.variance)
    }

    pub(super) fn horizon(&self) -> Horizon {
        Horizon::of_parameter(self.horizon)
    }

    /// The same for rewards within `[0, 1]`, whose noise has scale 1/2 whatever is declared.
    pub(super) fn within_unit(&self) -> Self {
        Self { noise_scale: 0.5, ..*self }
    }

    /// An agent that travels with `index`.
    pub(super) fn with<I: Index + Send + 'static>(&self, index: I) -> Box<dyn Agent + Send> {
        Box::new(Episodic {
            index,
            planner: TravelAware::new(self.travel, self.horizon(), self.noise_scale),
            schedule: Amortized { growth: self.growth, per_hop: self.per_hop },
        })
    }
}
