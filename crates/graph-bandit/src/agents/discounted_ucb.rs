//! discounted-ucb: upper confidence bounds of discounted rewards (Garivier and Moulines, 2011).

use super::Exploration;
use super::changing::Changing;
use super::parameters::{BONUS, CHANGES, CHANGING_HORIZON, FADING, NO_GROWTH, PER_HOP};
use crate::forgetting::Discount;
use crate::index::Ucb;
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};
use crate::tuning::Formula;

pub(super) static DISCOUNTED_UCB: AgentEntry = AgentEntry {
    name: "discounted-ucb",
    summary: "Discounted UCB: upper confidence bounds; a reward counts less with every later visit",
    about: "An agent with the upper confidence bounds of G-UCB, for means that change. A reward \
        counts less with every later visit, to whichever node. So if the agent has not visited a \
        node for a long time, the node's bound rises again, and the agent comes back.",
    origin: Origin::Changing,
    standing: Standing::Other,
    look: Some(Look { slot: 5, dash: Dash::Dashed }),
    parameters: &[&CHANGES, &CHANGING_HORIZON, &FADING, &BONUS, &NO_GROWTH, &PER_HOP],
    program: "",
    noise_scale: |_values| None,
    build: |values, graph| {
        let changing = Changing::of(values, graph);
        let discount = Discount::new(changing.nodes, changing.tuned(&FADING, Formula::Discount));
        Ok(changing.agent(discount, Ucb::new(values.get(&BONUS)), Exploration::None))
    },
};
