//! QL-epsilon (Section V-A): Q-learning with a constant rate and decaying exploration.

use super::parameters::{EPSILON, GAMMA, WARMUP};
use super::{Epsilon, QLearning, Update};
use crate::spec::{AgentEntry, Dash, Look, Number, Origin, Range, Standing};

const ALPHA: Number = Number {
    name: "alpha",
    help: "Learning rate: how far a new reward moves a value",
    when: "Lower it if rewards are noisy. Raise it if they are not.",
    default: Some(0.4),
    range: Range::POSITIVE_PROBABILITY,
};

pub(super) static QL_EPS: AgentEntry = AgentEntry {
    name: "ql-eps",
    summary: "QL-epsilon: Q-learning that explores with a probability that falls over time",
    about: "Q-learning. It learns a value for every step from a node to a neighbour: the reward \
        there, plus the discounted value of the best step from there. It takes the step with the \
        highest value. With a probability that falls over time, it goes to its least visited \
        neighbour instead. It does not use the graph to plan.",
    origin: Origin::Paper,
    standing: Standing::Other,
    look: Some(Look { slot: 7, dash: Dash::Solid }),
    parameters: &[&ALPHA, &GAMMA, &EPSILON, &WARMUP],
    program: "",
    noise_scale: |_values| None,
    build: |values, graph| {
        let epsilon = Epsilon { scale: values.get(&EPSILON), warmup: values.get(&WARMUP) };
        let update = Update::Constant { alpha: values.get(&ALPHA) };
        Ok(Box::new(QLearning::new(graph, epsilon, values.get(&GAMMA), update)))
    },
};
