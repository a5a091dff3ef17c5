//! G-UCB (Algorithm 2): optimism, shortest paths, doubling at the destination.

use super::Episodic;
use super::parameters::{BONUS, DESTINATIONS, DOUBLING};
use crate::index::Ucb;
use crate::planner::ShortestPath;
use crate::schedule::DoubleAtDestination;
use crate::spec::{AgentEntry, Dash, Look, Origin};

pub(super) static G_UCB: AgentEntry = AgentEntry {
    name: "g-ucb",
    summary: "G-UCB: upper confidence bounds, shortest path to the highest, stay until its samples double",
    origin: Origin::Paper,
    look: Some(Look { slot: 0, dash: Dash::Solid }),
    parameters: &[&BONUS, &DOUBLING, &DESTINATIONS],
    program: "doubling=after-arrival,destinations=first-best",
    noise_scale: |_values| None,
    build: |values, _graph| {
        Ok(Box::new(Episodic {
            index: Ucb::new(values.get(&BONUS)),
            planner: ShortestPath::new(values.get(&DESTINATIONS)),
            schedule: DoubleAtDestination::new(values.get(&DOUBLING)),
        }))
    },
};
