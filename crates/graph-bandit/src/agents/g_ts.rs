//! g-ts: posterior samples less the cost of travel, and stays that pay for the trip.

use super::Traveller;
use super::parameters::{GROWTH, HORIZON, NOISE_SCALE, PER_HOP, REWARDS, TRAVEL, VARIANCE};
use crate::index::{BetaSample, MeanSample, RewardFamily};
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};

pub(super) static G_TS: AgentEntry = AgentEntry {
    name: "g-ts",
    summary: "g-ts: posterior samples minus the cost of travel; stays grow with visits and hops",
    about: "Thompson sampling for graphs. Before each leg it draws a plausible mean for every \
        node from the node's posterior, and subtracts the cost of the trip. It goes to the node \
        with the highest result. The more often it has been there, and the longer the trip, the \
        longer it stays. The draws make it explore: now and then it draws a high mean for a node \
        with few visits.",
    origin: Origin::Frontier,
    standing: Standing::Other,
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
