//! glr-klucb: KL-UCB restarted by a generalized likelihood ratio test (Besson et al., 2022).

use super::Exploration;
use super::changing::Changing;
use super::parameters::{
    CHANGES, CHANGING_HORIZON, FALSE_ALARMS, FORCED, GAUSSIAN_NOISE, NO_GROWTH, PER_HOP, RESTARTS,
    UNIT_REWARDS,
};
use crate::detector::Glr;
use crate::forgetting::Restarts;
use crate::index::{Age, KlBound};
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};
use crate::tuning::Formula;

/// The factor of the logarithm in the published experiments.
const FACTOR: f64 = 3.0;

pub(super) static GLR_KLUCB: AgentEntry = AgentEntry {
    name: "glr-klucb",
    summary: "GLR-klUCB: KL-UCB that restarts a node when a likelihood ratio says that it changed",
    about: "KL-UCB for means that change now and then. At every node it asks whether two means, \
        one before and one after some moment, explain the rewards much better than one. If so, \
        the agent concludes that the mean has changed. It then forgets the node, or all nodes. \
        Now and then it goes to a random node, so that it also notices changes elsewhere. In our \
        measurements, it has the least regret on average of all agents from the literature.",
    origin: Origin::Changing,
    standing: Standing::Other,
    look: Some(Look { slot: 1, dash: Dash::Solid }),
    parameters: &[
        &CHANGES,
        &CHANGING_HORIZON,
        &RESTARTS,
        &FALSE_ALARMS,
        &FORCED,
        &UNIT_REWARDS,
        &GAUSSIAN_NOISE,
        &NO_GROWTH,
        &PER_HOP,
    ],
    program: "",
    noise_scale: Changing::declared_noise,
    build: |values, graph| {
        let changing = Changing::of(values, graph);
        let scope = values.get(&RESTARTS);
        let delta = changing.tuned(&FALSE_ALARMS, Formula::GlrDelta(scope));
        let glr = Glr::new(changing.divergence, delta);
        let forced = changing.tuned(&FORCED, Formula::GlrExploration(scope));
        Ok(changing.agent(
            Restarts::new(changing.nodes, glr, scope),
            KlBound::with(changing.divergence, FACTOR, Age::OfNode),
            Exploration::AtRandom(forced),
        ))
    },
};
