//! g-ts: posterior samples, travel deducted, stays that pay for the way.

use super::Traveller;
use super::parameters::{GROWTH, HORIZON, NOISE_SCALE, PER_HOP, REWARDS, TRAVEL, VARIANCE};
use crate::index::{BetaSample, MeanSample, RewardFamily};
use crate::spec::{AgentEntry, Dash, Look, Origin};

pub(super) static G_TS: AgentEntry = AgentEntry {
    name: "g-ts",
    summary: "g-ts: posterior samples less the cost of travel, stay in proportion to visits and hops",
    origin: Origin::Frontier,
    look: Some(Look { slot: 9, dash: Dash::Solid }),
    parameters: &[&REWARDS, &NOISE_SCALE, &VARIANCE, &TRAVEL, &HORIZON, &GROWTH, &PER_HOP],
    program: "",
    noise_scale: Traveller::told_of_noise,
    build: |values, _graph| {
        let traveller = Traveller::of(values);
        Ok(match values.get(&REWARDS) {
            RewardFamily::Gaussian => traveller.with(MeanSample::new(traveller.noise())),
            RewardFamily::Bernoulli => traveller.within_unit().with(BetaSample),
        })
    },
};
