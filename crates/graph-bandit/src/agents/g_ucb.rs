//! G-UCB (Algorithm 2): optimism, shortest paths, doubling at the destination.

use super::Episodic;
use super::parameters::{BONUS, DESTINATIONS, DOUBLING};
use crate::index::Ucb;
use crate::planner::ShortestPath;
use crate::schedule::DoubleAtDestination;
use crate::spec::{AgentEntry, Dash, Look, Origin};

pub(super) static G_UCB: AgentEntry = AgentEntry {
    name: "g-ucb",
    summary: "G-UCB: upper confidence bounds, cheapest path to the highest, stay until its samples double",
    about: "The algorithm of the paper (Algorithm 2). It rates every node by its upper confidence \
        bound: the mean of its rewards plus a bonus, which is large while the node has few \
        visits. G-UCB takes the cheapest path to the node with the highest bound and stays there \
        until its visits have doubled. Then it plans again. A step costs the highest bound minus \
        the bound of the node that it enters.",
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
