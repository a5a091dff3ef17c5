//! g-moss: the anytime MOSS bound less the cost of travel, and stays that pay for the trip.

use super::Traveller;
use super::parameters::{GROWTH, HORIZON, NOISE_SCALE, PER_HOP, TRAVEL, VARIANCE};
use crate::index::Moss;
use crate::spec::{AgentEntry, Dash, Look, Origin};

pub(super) static G_MOSS: AgentEntry = AgentEntry {
    name: "g-moss",
    summary: "g-moss: MOSS bounds less the cost of travel, stays that grow with visits and hops",
    about: "An optimistic agent: it rates every node as highly as its rewards allow, by the MOSS \
        bound, and deducts what the trip costs. It goes to the node with the highest result, and \
        stays longer the more often it has been there and the farther it has come. The MOSS bound \
        shrinks for nodes that have had their share of visits, so the agent explores less than \
        agents whose bounds keep growing.",
    origin: Origin::Frontier,
    look: Some(Look { slot: 10, dash: Dash::Solid }),
    parameters: &[&NOISE_SCALE, &VARIANCE, &TRAVEL, &HORIZON, &GROWTH, &PER_HOP],
    program: "",
    noise_scale: |values| Some(values.get(&NOISE_SCALE)),
    build: |values, _graph| {
        let traveller = Traveller::of(values);
        Ok(traveller.with(Moss::new(traveller.noise(), traveller.horizon)))
    },
};
