//! Local UCB (Section V-A): every step to the neighbour of highest upper confidence bound.

use super::Episodic;
use super::parameters::BONUS;
use crate::index::Ucb;
use crate::planner::BestNeighbor;
use crate::schedule::EveryVisit;
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};

pub(super) static LOCAL_UCB: AgentEntry = AgentEntry {
    name: "local-ucb",
    summary: "Local UCB: each step to the neighbour or current node with the highest upper confidence bound",
    about: "It looks only one step ahead: it compares its own node and the neighbours, and goes to \
        the one with the highest upper confidence bound. It does not plan paths, so it may never \
        reach a good node behind poor ones.",
    origin: Origin::Paper,
    standing: Standing::Other,
    look: Some(Look { slot: 5, dash: Dash::Solid }),
    parameters: &[&BONUS],
    program: "",
    noise_scale: |_values| None,
    build: |values, _graph| {
        Ok(Box::new(Episodic {
            index: Ucb::new(values.get(&BONUS)),
            planner: BestNeighbor::default(),
            schedule: EveryVisit,
        }))
    },
};
