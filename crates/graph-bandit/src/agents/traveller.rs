//! The shared part of g-ts, g-moss, g-imed and g-klucb: everything but the index.

use super::Episodic;
use super::parameters::{GROWTH, HORIZON, NOISE_SCALE, PER_HOP, REWARDS, TRAVEL, VARIANCE};
use crate::agent::Agent;
use crate::index::{Horizon, Index, Noise, RewardFamily, Variance};
use crate::planner::{Travel, TravelAware};
use crate::schedule::Amortized;
use crate::spec::Values;

/// The parameters of noise, planner and schedule.
#[derive(Debug, Clone, Copy)]
pub(super) struct Traveller {
    noise_scale: f64,
    variance: Variance,
    travel: Travel,
    pub(super) horizon: Horizon,
    schedule: Amortized,
}

impl Traveller {
    pub(super) fn of(values: Values<'_>) -> Self {
        Self {
            noise_scale: values.get(&NOISE_SCALE),
            variance: values.get(&VARIANCE),
            travel: values.get(&TRAVEL),
            horizon: Horizon::of_parameter(values.get(&HORIZON)),
            schedule: Amortized { growth: values.get(&GROWTH), per_hop: values.get(&PER_HOP) },
        }
    }

    /// The declared noise scale; `rewards=bernoulli` ignores it.
    pub(super) fn declared_noise(values: Values<'_>) -> Option<f64> {
        let is_gaussian = values.get(&REWARDS) == RewardFamily::Gaussian;
        is_gaussian.then(|| values.get(&NOISE_SCALE))
    }

    pub(super) fn noise(&self) -> Noise {
        Noise::new(self.noise_scale, self.variance)
    }

    /// The same for rewards within `[0, 1]`, whose noise scale is 1/2 whatever is declared.
    pub(super) fn within_unit(&self) -> Self {
        Self { noise_scale: 0.5, ..*self }
    }

    /// An agent with this `index`.
    pub(super) fn with<I: Index + Send + 'static>(&self, index: I) -> Box<dyn Agent + Send> {
        Box::new(Episodic {
            index,
            planner: TravelAware::new(self.travel, self.horizon, self.noise_scale),
            schedule: self.schedule,
        })
    }
}
