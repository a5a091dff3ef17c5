//! restarting-klucb: KL-UCB restarted by an oracle at every change.

use super::Exploration;
use super::changing::Changing;
use super::parameters::{GAUSSIAN_NOISE, NO_GROWTH, PER_HOP, UNIT_REWARDS};
use crate::forgetting::{Moments, RestartsAt};
use crate::index::KlBound;
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};

pub(super) static RESTARTING_KLUCB: AgentEntry = AgentEntry {
    name: "restarting-klucb",
    summary: "KL-UCB that forgets everything when some mean changes; an oracle tells it when",
    about: "KL-UCB for means that change, with an advantage that no agent has in practice: the \
        simulation tells it when some mean changes. It then forgets everything. So it shows what \
        the best detector could achieve. It works only in simulations.",
    origin: Origin::Changing,
    standing: Standing::Other,
    look: Some(Look { slot: 14, dash: Dash::Solid }),
    parameters: &[&UNIT_REWARDS, &GAUSSIAN_NOISE, &NO_GROWTH, &PER_HOP],
    program: "",
    noise_scale: Changing::declared_noise,
    build: |values, graph| {
        let changing = Changing::of(values, graph);
        let restarts = RestartsAt::new(changing.nodes, Moments::Changes);
        Ok(changing.agent(restarts, KlBound::new(changing.divergence), Exploration::None))
    },
};
