//! g-ts: posterior samples less the cost of travel, and stays that pay for the trip.

use super::Traveller;
use super::parameters::{GROWTH, HORIZON, NOISE_SCALE, PER_HOP, REWARDS, TRAVEL, VARIANCE};
use crate::index::{BetaSample, MeanSample, RewardFamily};
use crate::spec::{AgentEntry, Dash, Look, Origin};

pub(super) static G_TS: AgentEntry = AgentEntry {
    name: "g-ts",
    summary: "g-ts: posterior samples less the cost of travel, stays that grow with visits and hops",
    about: "Thompson sampling for graphs. Before each leg it draws a plausible mean for every node \
        from its posterior, and deducts what the trip costs. It goes to the \
        node with the highest result, and stays longer the more often it has been there and the \
        farther it has come. The draws make it explore: now and then, a node with few visits \
        draws a high mean.",
    origin: Origin::Frontier,
    look: Some(Look { slot: 9, dash: Dash::Solid }),
    parameters: &[&REWARDS, &NOISE_SCALE, &VARIANCE, &TRAVEL, &HORIZON, &GROWTH, &PER_HOP],
    program: "",
    noise_scale: Traveller::declared_noise,
    build: |values, _graph| {
        let traveller = Traveller::of(values);
        Ok(match values.get(&REWARDS) {
            RewardFamily::Gaussian => traveller.with(MeanSample::new(traveller.noise())),
            RewardFamily::Bernoulli => traveller.within_unit().with(BetaSample),
        })
    },
};
