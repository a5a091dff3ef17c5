//! g-imed: minimum empirical divergence with priced travel, and stays that pay for the trip.

use super::Traveller;
use super::parameters::{GROWTH, HORIZON, NOISE_SCALE, PER_HOP, TRAVEL, VARIANCE};
use crate::index::Imed;
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};

pub(super) static G_IMED: AgentEntry = AgentEntry {
    name: "g-imed",
    summary: "g-imed: minimum empirical divergence with a price for travel; stays grow with \
            visits and hops",
    about: "Minimum empirical divergence for graphs. It goes to the node with the weakest \
        evidence that another node is better. The cost of the trip counts as such evidence, too. \
        The more often it has been there, and the longer the trip, the longer it stays. It draws \
        no random numbers.",
    origin: Origin::Frontier,
    standing: Standing::Other,
    look: Some(Look { slot: 11, dash: Dash::Dashed }),
    parameters: &[&NOISE_SCALE, &VARIANCE, &TRAVEL, &HORIZON, &GROWTH, &PER_HOP],
    program: "",
    noise_scale: |values| Some(values.get(&NOISE_SCALE)),
    build: |values, _graph| {
        let traveller = Traveller::of(values);
        Ok(traveller.with(Imed::new(traveller.noise())))
    },
};
