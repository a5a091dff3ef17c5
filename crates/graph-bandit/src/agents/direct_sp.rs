//! Direct-SP (Appendix F-F): G-UCB that takes the path of fewest hops instead of least cost.

use super::Episodic;
use super::parameters::{BONUS, DESTINATIONS, DOUBLING};
use crate::index::Ucb;
use crate::planner::FewestHops;
use crate::schedule::DoubleAtDestination;
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};

pub(super) static DIRECT_SP: AgentEntry = AgentEntry {
    name: "direct-sp",
    summary: "Direct-SP: G-UCB along the path with the fewest hops",
    about: "G-UCB with a different path: to reach the node with the highest upper confidence \
        bound, it takes the path with the fewest hops, whatever the nodes on that path pay. The \
        paper uses it (Appendix F-F) to show how much it helps to choose the path by cost.",
    origin: Origin::Paper,
    standing: Standing::Other,
    look: Some(Look { slot: 1, dash: Dash::Dashed }),
    parameters: &[&BONUS, &DOUBLING, &DESTINATIONS],
    program: "doubling=one-more,destinations=first-best",
    noise_scale: |_values| None,
    build: |values, _graph| {
        Ok(Box::new(Episodic {
            index: Ucb::new(values.get(&BONUS)),
            planner: FewestHops::new(values.get(&DESTINATIONS)),
            schedule: DoubleAtDestination::new(values.get(&DOUBLING)),
        }))
    },
};
