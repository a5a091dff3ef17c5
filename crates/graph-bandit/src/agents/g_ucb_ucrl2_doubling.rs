//! G-UCB with UCRL2's doubling: the ablation of Appendix F-D.

use super::Episodic;
use super::parameters::{BONUS, COUNTING, DESTINATIONS};
use crate::index::Ucb;
use crate::planner::ShortestPath;
use crate::schedule::DoubleAnywhere;
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};

pub(super) static G_UCB_UCRL2_DOUBLING: AgentEntry = AgentEntry {
    name: "g-ucb-ucrl2-doubling",
    summary: "G-UCB whose legs end as soon as any node's visits double, as UCRL2's do",
    about: "G-UCB with one part of UCRL2: its rule for when to plan again. A leg ends as soon as \
        the visits to any node have doubled, on the path or at the destination. The paper uses it \
        (Appendix F-D) to show how much of G-UCB's advantage is due to its own rule.",
    origin: Origin::Paper,
    standing: Standing::Other,
    look: Some(Look { slot: 4, dash: Dash::Dashed }),
    parameters: &[&BONUS, &COUNTING, &DESTINATIONS],
    program: "counting=departures,destinations=first-best",
    noise_scale: |_values| None,
    build: |values, _graph| {
        Ok(Box::new(Episodic {
            index: Ucb::new(values.get(&BONUS)),
            planner: ShortestPath::new(values.get(&DESTINATIONS)),
            schedule: DoubleAnywhere::new(values.get(&COUNTING)),
        }))
    },
};
