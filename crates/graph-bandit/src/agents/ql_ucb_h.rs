//! QL-UCB-H (Section V-A): Q-learning with Jin et al.'s Hoeffding bonus and decaying exploration.

use super::parameters::{EPSILON, GAMMA, WARMUP};
use super::{Epsilon, QLearning, Update};
use crate::spec::{AgentEntry, Dash, Look, Number, Origin, Range, Standing};

const C: Number = Number {
    name: "c",
    help: "Factor of the bonus c sqrt(H^3 ln(S E k sqrt(t)) / k) at time t for an edge walked k \
        times, on a graph with S nodes and E edges (staying counts as an edge); H is 1 / gamma, as \
        in the program of the paper's authors",
    when: "Lower it if the bonus drowns out the rewards.",
    default: Some(1.0),
    range: Range::ZERO_OR_MORE,
};
const SHORT_EPSILON: Number = Number { default: Some(0.7), ..EPSILON };

pub(super) static QL_UCB_H: AgentEntry = AgentEntry {
    name: "ql-ucb-h",
    summary: "QL-UCB-H: Q-learning with a Hoeffding-style bonus",
    about: "Q-learning as in ql-eps, but with a learning rate that falls, and a bonus for steps \
        that the agent has rarely made (UCB-H of Jin et al.). Like ql-eps, it also explores with \
        a probability that falls over time.",
    origin: Origin::Paper,
    standing: Standing::Other,
    look: Some(Look { slot: 8, dash: Dash::Dashed }),
    parameters: &[&C, &GAMMA, &SHORT_EPSILON, &WARMUP],
    program: "",
    noise_scale: |_values| None,
    build: |values, graph| {
        let epsilon = Epsilon { scale: values.get(&SHORT_EPSILON), warmup: values.get(&WARMUP) };
        let update = Update::Hoeffding { c: values.get(&C) };
        Ok(Box::new(QLearning::new(graph, epsilon, values.get(&GAMMA), update)))
    },
};
