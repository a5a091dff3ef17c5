//! G-UCB (Algorithm 2): optimism, shortest paths, doubling at the destination.

use super::parameters::{BONUS, DESTINATIONS, DOUBLING};
use super::{Episodic, Forgetful};
use crate::forgetting::{Moments, RestartsAt};
use crate::index::Ucb;
use crate::planner::ShortestPath;
use crate::reward::MAX_MAGNITUDE;
use crate::schedule::DoubleAtDestination;
use crate::spec::{AgentEntry, Choice, Dash, Look, Number, Origin, Range, Standing};

/// When G-UCB forgets everything.
#[derive(Debug, Clone, Copy)]
enum Restarting {
    Never,
    AtChanges,
    Periodically,
}

const RESTARTS: Choice<Restarting> = Choice {
    name: "restarts",
    help: "When the agent forgets everything",
    when: "`never` is the paper's algorithm. The others are for means that change: with \
        `periodic`, the agent forgets after every `period`; with `oracle`, whenever some mean \
        changes, which only a simulation knows.",
    first: ("never", Restarting::Never),
    others: &[("oracle", Restarting::AtChanges), ("periodic", Restarting::Periodically)],
};
const PERIOD: Number = Number {
    name: "period",
    help: "The time between two restarts; used only with `restarts=periodic`",
    when: "Lower it if means change often.",
    default: Some(1_000.0),
    range: Range::closed(1.0, MAX_MAGNITUDE),
};

pub(super) static G_UCB: AgentEntry = AgentEntry {
    name: "g-ucb",
    summary: "G-UCB: takes the cheapest path to the highest upper confidence bound, and stays \
            until samples double",
    about: "The algorithm of the paper (Algorithm 2). It rates every node by its upper confidence \
        bound: the mean of the node's rewards plus a bonus, which is large while the node has few \
        visits. G-UCB takes the cheapest path to the node with the highest bound, and stays there \
        until the visits to that node have doubled. Then it plans again. A step costs the highest \
        bound minus the bound of the node that the step enters.",
    origin: Origin::Paper,
    standing: Standing::Recommended,
    look: Some(Look { slot: 0, dash: Dash::Solid }),
    parameters: &[&BONUS, &DOUBLING, &DESTINATIONS, &RESTARTS, &PERIOD],
    program: "doubling=after-arrival,destinations=first-best",
    noise_scale: |_values| None,
    build: |values, graph| {
        let parts = Episodic {
            index: Ucb::new(values.get(&BONUS)),
            planner: ShortestPath::new(values.get(&DESTINATIONS)),
            schedule: DoubleAtDestination::new(values.get(&DOUBLING)),
        };
        let moments = match values.get(&RESTARTS) {
            Restarting::Never => return Ok(Box::new(parts)),
            Restarting::AtChanges => Moments::Changes,
            Restarting::Periodically => Moments::Every(values.get(&PERIOD)),
        };
        Ok(Box::new(Forgetful::new(RestartsAt::new(graph.len(), moments), parts)))
    },
};
