//! klucb: KL-UCB, which never forgets.

use super::changing::Changing;
use super::parameters::{GAUSSIAN_NOISE, NO_GROWTH, PER_HOP, UNIT_REWARDS};
use crate::index::KlBound;
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};

pub(super) static KLUCB: AgentEntry = AgentEntry {
    name: "klucb",
    summary: "KL-UCB, which never forgets: shows what forgetting is worth if means change",
    about: "KL-UCB in its usual form, for means that do not change. It rates every node by the \
        KL-UCB bound, the highest mean that the node's rewards allow, and takes the cheapest path \
        to the node with the highest bound. Use it to see what forgetting is worth: most agents \
        for means that change are KL-UCB or a similar agent, with a rule for what to forget.",
    origin: Origin::Changing,
    standing: Standing::Other,
    look: Some(Look { slot: 15, dash: Dash::Solid }),
    parameters: &[&UNIT_REWARDS, &GAUSSIAN_NOISE, &NO_GROWTH, &PER_HOP],
    program: "",
    noise_scale: Changing::declared_noise,
    build: |values, graph| {
        let changing = Changing::of(values, graph);
        Ok(Box::new(changing.parts(KlBound::new(changing.divergence))))
    },
};
