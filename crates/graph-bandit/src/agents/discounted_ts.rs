//! discounted-ts: Thompson sampling from discounted rewards (Raj and Kalyani, 2017).

use super::Exploration;
use super::changing::Changing;
use super::parameters::{
    CHANGES, CHANGING_HORIZON, FADING, GAUSSIAN_NOISE, NO_GROWTH, PER_HOP, UNIT_REWARDS,
};
use crate::forgetting::Discount;
use crate::index::BeliefSample;
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};
use crate::tuning::Formula;

pub(super) static DISCOUNTED_TS: AgentEntry = AgentEntry {
    name: "discounted-ts",
    summary: "Discounted Thompson sampling: a reward counts less with every later visit",
    about: "Thompson sampling for means that change. Before each leg it draws a plausible mean for \
        every node, and goes to the node with the highest draw. A reward counts less with every \
        later visit, to whichever node. So if the agent has not visited a node for a long time, \
        its draws for that node vary widely again, and it comes back.",
    origin: Origin::Changing,
    standing: Standing::Other,
    look: Some(Look { slot: 9, dash: Dash::Dashed }),
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
        Ok(changing.agent(discount, BeliefSample::new(changing.divergence), Exploration::None))
    },
};
