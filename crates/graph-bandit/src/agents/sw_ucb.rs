//! sw-ucb: upper confidence bounds of a sliding window (Garivier and Moulines, 2011).

use super::Exploration;
use super::changing::Changing;
use super::parameters::{BONUS, CHANGES, CHANGING_HORIZON, NO_GROWTH, PER_HOP, WINDOW};
use crate::forgetting::Window;
use crate::index::Ucb;
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};
use crate::tuning::Formula;

pub(super) static SW_UCB: AgentEntry = AgentEntry {
    name: "sw-ucb",
    summary: "SW-UCB: upper confidence bounds for which only the last visits count",
    about: "An agent with the upper confidence bounds of G-UCB, for means that change. Only the \
        agent's most recent visits count, whichever nodes it visited. If a node has had none of \
        these visits, the agent visits it again. So it keeps coming back to all nodes, whether \
        anything changes or not.",
    origin: Origin::Changing,
    standing: Standing::Other,
    look: Some(Look { slot: 4, dash: Dash::Solid }),
    parameters: &[&CHANGES, &CHANGING_HORIZON, &WINDOW, &BONUS, &NO_GROWTH, &PER_HOP],
    program: "",
    noise_scale: |_values| None,
    build: |values, graph| {
        let changing = Changing::of(values, graph);
        let window = Window::new(changing.nodes, changing.tuned(&WINDOW, Formula::Window));
        Ok(changing.agent(window, Ucb::new(values.get(&BONUS)), Exploration::None))
    },
};
