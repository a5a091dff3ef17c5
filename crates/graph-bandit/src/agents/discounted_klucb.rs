//! discounted-klucb: KL-UCB with discounted rewards (after Garivier and Moulines, 2011).

use super::Exploration;
use super::changing::Changing;
use super::parameters::{
    CHANGES, CHANGING_HORIZON, FADING, GAUSSIAN_NOISE, NO_GROWTH, PER_HOP, UNIT_REWARDS,
};
use crate::forgetting::Discount;
use crate::index::KlBound;
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};
use crate::tuning::Formula;

pub(super) static DISCOUNTED_KLUCB: AgentEntry = AgentEntry {
    name: "discounted-klucb",
    summary: "Discounted KL-UCB: a reward counts less with every later visit",
    about: "KL-UCB for means that change. A reward counts less with every later visit, to \
        whichever node. So if the agent has not visited a node for a long time, the node's bound \
        rises again, and the agent comes back.",
    origin: Origin::Changing,
    standing: Standing::Other,
    look: Some(Look { slot: 10, dash: Dash::Dashed }),
    parameters: &[
        &CHANGES,
        &CHANGING_HORIZON,
        &FADING,
        &UNIT_REWARDS,
        &GAUSSIAN_NOISE,
        &NO_GROWTH,
        &PER_HOP,
    ],
    program: "",
    noise_scale: Changing::declared_noise,
    build: |values, graph| {
        let changing = Changing::of(values, graph);
        let discount = Discount::new(changing.nodes, changing.tuned(&FADING, Formula::Discount));
        Ok(changing.agent(discount, KlBound::new(changing.divergence), Exploration::None))
    },
};
