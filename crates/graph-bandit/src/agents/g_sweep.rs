//! g-sweep: the proven part of g-safe alone. It sweeps the nodes that may be best, each time until
//! it knows the best mean twice as well, and stays on the best node in between.

use super::certified::Certified;
use super::g_safe::{CERTAIN_HORIZON, RESOLUTION, sweeping};
use super::parameters::NOISE_SCALE;
use super::random::RandomWalk;
use crate::spec::{AgentEntry, Dash, Look, Number, Origin, Standing};

const SWEEP_RESOLUTION: Number = Number {
    when: "Raise it to sweep less, lower it to sweep more. The bound is smallest at 3.7.",
    default: Some(3.7),
    ..RESOLUTION
};

pub(super) static G_SWEEP: AgentEntry = AgentEntry {
    name: "g-sweep",
    summary: "g-sweep: sweeps all nodes that may be best until the best mean is known twice as well",
    about: "It keeps a confidence interval for the mean of every node. If it does not know the \
        best mean well enough for the time that has passed, it sweeps: it goes once round the \
        graph, and visits the nodes that may still be the best until it knows the best mean twice \
        as well. Between sweeps, it stays where it cannot lose much. A sweep walks at most two \
        hops per node, and there are only logarithmically many sweeps. Its expected regret has a \
        proven bound. In practice g-safe, which has almost the same bound, has far less regret.",
    origin: Origin::Frontier,
    standing: Standing::Other,
    look: Some(Look { slot: 8, dash: Dash::Dotted }),
    parameters: &[&NOISE_SCALE, &SWEEP_RESOLUTION, &CERTAIN_HORIZON],
    program: "",
    noise_scale: |values| Some(values.get(&NOISE_SCALE)),
    build: |values, graph| {
        let rule = sweeping(values);
        Ok(Box::new(Certified::<RandomWalk>::new(graph.len(), rule, None)))
    },
};
