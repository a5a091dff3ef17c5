//! sw-klucb: KL-UCB that remembers a sliding window (after Garivier and Moulines, 2011).

use super::Exploration;
use super::changing::Changing;
use super::parameters::{
    CHANGES, CHANGING_HORIZON, GAUSSIAN_NOISE, NO_GROWTH, PER_HOP, UNIT_REWARDS, WINDOW,
};
use crate::forgetting::Window;
use crate::index::KlBound;
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};
use crate::tuning::Formula;

pub(super) static SW_KLUCB: AgentEntry = AgentEntry {
    name: "sw-klucb",
    summary: "SW-klUCB: KL-UCB for which only the last visits count",
    about: "KL-UCB for means that change. Only the agent's most recent visits count, whichever \
        nodes it visited. If a node has had none of these visits, the agent visits it again. So it \
        keeps coming back to all nodes, whether anything changes or not.",
    origin: Origin::Changing,
    standing: Standing::Other,
    look: Some(Look { slot: 11, dash: Dash::Solid }),
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
        let index = KlBound::new(changing.divergence);
        Ok(changing.agent(window, index, Exploration::None))
    },
};
