//! G-UCB with UCRL2's bound: the ablation of Appendix F-C.

use super::Episodic;
use super::parameters::{DELTA, DESTINATIONS, DOUBLING, UNION_FACTOR};
use crate::index::Ucrl2Bound;
use crate::planner::ShortestPath;
use crate::schedule::DoubleAtDestination;
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};

pub(super) static G_UCB_UCRL2_BOUND: AgentEntry = AgentEntry {
    name: "g-ucb-ucrl2-bound",
    summary: "G-UCB with UCRL2's confidence bound in place of its own",
    about: "G-UCB with one part of UCRL2: its wider confidence bound. The paper uses it \
        (Appendix F-C) to show how much of G-UCB's advantage is due to the bound.",
    origin: Origin::Paper,
    standing: Standing::Other,
    look: Some(Look { slot: 3, dash: Dash::Dotted }),
    parameters: &[&DELTA, &UNION_FACTOR, &DOUBLING, &DESTINATIONS],
    program: "union-factor=two,doubling=after-arrival,destinations=first-best",
    noise_scale: |_values| None,
    build: |values, _graph| {
        Ok(Box::new(Episodic {
            index: Ucrl2Bound::new(values.get(&DELTA), values.get(&UNION_FACTOR)),
            planner: ShortestPath::new(values.get(&DESTINATIONS)),
            schedule: DoubleAtDestination::new(values.get(&DOUBLING)),
        }))
    },
};
