//! sw-ts: Thompson sampling from a sliding window (Trovo, Paladino, Restelli and Gatti, 2020).

use super::Exploration;
use super::changing::Changing;
use super::parameters::{
    CHANGES, CHANGING_HORIZON, GAUSSIAN_NOISE, NO_GROWTH, PER_HOP, UNIT_REWARDS, WINDOW,
};
use crate::forgetting::Window;
use crate::index::BeliefSample;
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};
use crate::tuning::Formula;

pub(super) static SW_TS: AgentEntry = AgentEntry {
    name: "sw-ts",
    summary: "SW-TS: Thompson sampling for which only the last visits count",
    about: "Thompson sampling for means that change. Before each leg it draws a plausible mean for \
        every node, and goes to the node with the highest draw. Only the agent's most recent \
        visits count, whichever nodes it visited. So the agent knows little about nodes that it \
        has not visited for a long time, and comes back to them.",
    origin: Origin::Changing,
    standing: Standing::Other,
    look: Some(Look { slot: 6, dash: Dash::Solid }),
    parameters: &[
        &CHANGES,
        &CHANGING_HORIZON,
        &WINDOW,
        &UNIT_REWARDS,
        &GAUSSIAN_NOISE,
        &NO_GROWTH,
        &PER_HOP,
    ],
    program: "",
    noise_scale: Changing::declared_noise,
    build: |values, graph| {
        let changing = Changing::of(values, graph);
        let window = Window::new(changing.nodes, changing.tuned(&WINDOW, Formula::Window));
        Ok(changing.agent(window, BeliefSample::new(changing.divergence), Exploration::None))
    },
};
