//! Local TS (Section V-A): every step to the neighbour of highest posterior sample.

use super::Episodic;
use crate::index::PosteriorSample;
use crate::planner::BestNeighbor;
use crate::schedule::EveryVisit;
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};

pub(super) static LOCAL_TS: AgentEntry = AgentEntry {
    name: "local-ts",
    summary: "Local TS: each step to the neighbour or current node with the highest posterior sample",
    about: "It looks only one step ahead: it draws a plausible mean for its own node and for each \
        neighbour, and goes to the node with the highest draw. It does not plan paths, so it may \
        never reach a good node behind poor ones.",
    origin: Origin::Paper,
    standing: Standing::Other,
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
