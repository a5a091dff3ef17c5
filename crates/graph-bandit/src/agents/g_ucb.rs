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
    about: "The algorithm of the paper (Algorithm 2). Every node counts as good as its upper \
        confidence bound: the mean of its rewards, and a bonus that is large while it was \
        visited little. G-UCB takes the cheapest way to the node of the highest bound, where a \
        step costs what the node entered falls short of that bound, and stays until the visits \
        to it have doubled. Then it plans again.",
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
