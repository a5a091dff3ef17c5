//! g-klucb: the KL-UCB bound less the cost of travel, and stays that pay for the trip.

use super::Traveller;
use super::parameters::{GROWTH, HORIZON, NOISE_SCALE, PER_HOP, REWARDS, TRAVEL, VARIANCE};
use crate::index::{KlUcb, KlUcbBernoulli, RewardFamily};
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};

pub(super) static G_KLUCB: AgentEntry = AgentEntry {
    name: "g-klucb",
    summary: "g-klucb: KL-UCB bounds minus the cost of travel; stays grow with visits and hops",
    about: "An optimistic agent. It rates every node by the KL-UCB bound, the highest mean that \
        the node's rewards allow, and subtracts the cost of the trip. It goes to the node with \
        the highest result. The more often it has been there, and the longer the trip, the longer \
        it stays. If every reward is 0 or 1, write `rewards=bernoulli`: the bound is then much \
        tighter near 0 and 1.",
    origin: Origin::Frontier,
    standing: Standing::Other,
    look: Some(Look { slot: 12, dash: Dash::Solid }),
    parameters: &[&REWARDS, &NOISE_SCALE, &VARIANCE, &TRAVEL, &HORIZON, &GROWTH, &PER_HOP],
    program: "",
    noise_scale: Traveller::declared_noise,
    build: |values, _graph| {
        let traveller = Traveller::of(values);
        let horizon = traveller.horizon;
        Ok(match values.get(&REWARDS) {
            RewardFamily::Gaussian => traveller.with(KlUcb::new(traveller.noise(), horizon)),
            RewardFamily::Bernoulli => traveller.within_unit().with(KlUcbBernoulli::new(horizon)),
        })
    },
};
