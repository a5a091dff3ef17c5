//! Local TS (Section V-A): every step to the neighbour of highest posterior sample.

use super::Episodic;
use crate::index::PosteriorSample;
use crate::planner::BestNeighbor;
use crate::schedule::EveryVisit;
use crate::spec::{AgentEntry, Dash, Look, Origin};

pub(super) static LOCAL_TS: AgentEntry = AgentEntry {
    name: "local-ts",
    summary: "Local TS: each step to the neighbour or current node with the highest posterior sample",
    about: "Looks no farther than one step: it draws a plausible mean for its own node and each \
        neighbour, and goes to the highest. It plans no paths, so a good node behind poor ones \
        may stay out of reach.",
    origin: Origin::Paper,
    look: Some(Look { slot: 6, dash: Dash::Dashed }),
    parameters: &[],
    program: "",
    noise_scale: |_values| None,
    build: |_values, _graph| {
        Ok(Box::new(Episodic {
            index: PosteriorSample::default(),
            planner: BestNeighbor::default(),
            schedule: EveryVisit,
        }))
    },
};
