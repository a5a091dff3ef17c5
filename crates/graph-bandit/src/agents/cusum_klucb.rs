//! cusum-klucb: KL-UCB restarted by two-sided CUSUM (after Liu, Lee and Shroff, 2018).

use super::Exploration;
use super::changing::Changing;
use super::parameters::{
    CHANGES, CHANGING_HORIZON, FALSE_ALARMS, FORCED, GAUSSIAN_NOISE, NO_GROWTH, PER_HOP, RESTARTS,
    UNIT_REWARDS,
};
use crate::detector::Cusum;
use crate::estimates::MAX_VISITS;
use crate::forgetting::Restarts;
use crate::index::KlBound;
use crate::spec::{AgentEntry, Count, Dash, Look, Number, Origin, Range, Standing};
use crate::tuning::Formula;

const FIRST: Count = Count {
    name: "first",
    help: "How many of a node's first rewards are averaged before the sums begin",
    when: "Lower it if means change often. Raise it if they change rarely, for fewer false \
        alarms.",
    default: Some(150),
    least: 1,
    most: MAX_VISITS as usize,
};
const TOLERANCE: Number = Number {
    name: "tolerance",
    help: "How much of each reward's difference from the average of the first rewards is ignored, \
        as a fraction of the range of rewards; that range is 1, or with `rewards=gaussian` twice \
        `noise-scale`",
    when: "Set it to about half of the smallest change that matters. If it is too small, random \
        differences add up to a false alarm.",
    default: Some(0.1),
    range: Range::SIZE,
};
const CUSUM_DELTA: Number = Number {
    help: "The agent concludes that a mean has changed when a sum reaches the logarithm of 1 / \
        delta; if 0, delta follows from `changes` and `horizon`",
    ..FALSE_ALARMS
};

pub(super) static CUSUM_KLUCB: AgentEntry = AgentEntry {
    name: "cusum-klucb",
    summary: "CUSUM-klUCB: KL-UCB that restarts a node when rewards drift from its first average",
    about: "KL-UCB for means that change now and then. It averages the first rewards of a node. \
        From then on, it keeps two sums: how far later rewards are above that average, and how far \
        below. When a sum is too large to be chance, the agent concludes that the mean has \
        changed. It then forgets the node, or all nodes. Now and then it goes to a random node, so \
        that it also notices changes elsewhere.",
    origin: Origin::Changing,
    standing: Standing::Other,
    look: Some(Look { slot: 2, dash: Dash::Dashed }),
    parameters: &[
        &CHANGES,
        &CHANGING_HORIZON,
        &RESTARTS,
        &FIRST,
        &TOLERANCE,
        &CUSUM_DELTA,
        &FORCED,
        &UNIT_REWARDS,
        &GAUSSIAN_NOISE,
        &NO_GROWTH,
        &PER_HOP,
    ],
    program: "",
    noise_scale: Changing::declared_noise,
    build: |values, graph| {
        let changing = Changing::of(values, graph);
        let cusum = Cusum {
            first: values.get(&FIRST) as u64,
            tolerance: values.get(&TOLERANCE),
            unit: changing.unit(),
            likelihood: changing.tuned(&CUSUM_DELTA, Formula::CusumDelta),
        };
        let forced = changing.tuned(&FORCED, Formula::CusumExploration);
        Ok(changing.agent(
            Restarts::new(changing.nodes, cusum, values.get(&RESTARTS)),
            KlBound::new(changing.divergence),
            Exploration::AtRandom(forced),
        ))
    },
};
