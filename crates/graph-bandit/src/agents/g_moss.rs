//! g-moss: the anytime MOSS bound less the cost of travel, and stays that pay for the trip.

use super::Traveller;
use super::parameters::{GROWTH, HORIZON, NOISE_SCALE, PER_HOP, TRAVEL, VARIANCE};
use crate::index::Moss;
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};

pub(super) static G_MOSS: AgentEntry = AgentEntry {
    name: "g-moss",
    summary: "g-moss: MOSS bounds minus the cost of travel; stays grow with visits and hops",
    about: "An optimistic agent. It rates every node by the MOSS bound, the highest mean that the \
        node's rewards allow, and subtracts the cost of the trip. It goes to the node with the \
        highest result. The more often it has been there, and the longer the trip, the longer it \
        stays. The MOSS bound shrinks for nodes that have had their share of visits. So this \
        agent explores less than agents whose bounds keep growing.",
    origin: Origin::Frontier,
    standing: Standing::Other,
    look: Some(Look { slot: 10, dash: Dash::Solid }),
    parameters: &[&NOISE_SCALE, &VARIANCE, &TRAVEL, &HORIZON, &GROWTH, &PER_HOP],
    program: "",
    noise_scale: |values| Some(values.get(&NOISE_SCALE)),
    build: |values, _graph| {
        let traveller = Traveller::of(values);
        Ok(traveller.with(Moss::new(traveller.noise(), traveller.horizon)))
    },
};
