//! What g-ts, g-moss, g-imed and g-klucb have in common: all but the index.

use super::{Episodic, ParameterError, require_size};
use crate::agent::Agent;
use crate::index::{Horizon, Index};
use crate::planner::{Travel, TravelAware};
use crate::schedule::Amortized;

/// The parameters of planner and schedule.
#[derive(Debug, Clone, Copy)]
pub(super) struct Traveller {
    pub(super) travel: Travel,
    pub(super) horizon: f64,
    pub(super) growth: f64,
    pub(super) per_hop: f64,
}

impl Traveller {
    pub(super) fn check(&self) -> Result<(), ParameterError> {
        require_size("horizon", self.horizon)?;
        require_size("growth", self.growth)?;
        require_size("per-hop", self.per_hop)
    }

    /// An agent that travels with `index`.
    pub(super) fn with<I: Index + Send + 'static>(&self, index: I) -> Box<dyn Agent + Send> {
        Box::new(Episodic {
            index,
            planner: TravelAware::new(self.travel, Horizon::of_parameter(self.horizon)),
            schedule: Amortized { growth: self.growth, per_hop: self.per_hop },
        })
    }
}
