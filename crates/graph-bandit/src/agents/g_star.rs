//! g-star: goes where the expected improvement on the best known node is the largest multiple of
//! the cost of the trip. If no trip is worth its cost, it goes to the best known node.

use super::Episodic;
use super::parameters::{GROWTH, HORIZON, NOISE_SCALE, PER_HOP, VARIANCE};
use crate::index::{ExpectedImprovement, Horizon, Noise};
use crate::planner::Bargain;
use crate::schedule::Amortized;
use crate::spec::{AgentEntry, Dash, Look, Number, Origin, Range, Values};

pub(crate) const CAUTION: Number = Number {
    name: "caution",
    help: "Factor by which the variance of rewards is multiplied",
    when: "Raise it for a smaller chance of giving up the best node by bad luck; lower it towards \
        1 for less exploration.",
    default: Some(1.5),
    range: Range::SIZE,
};
pub(crate) const SLOW_GROWTH: Number = Number {
    when: "Lower it to decide more often, which takes more computing and more travel. Keep it above \
        0 even on a complete graph: the stays are part of how the agent explores.",
    default: Some(0.5),
    ..GROWTH
};
pub(crate) const STAY_PER_HOP: Number = Number {
    when: "Raise it where trips are costly and the agent moves too often. Keep it above 0 even on a \
        complete graph: the stays are part of how the agent explores.",
    ..PER_HOP
};

pub(super) static G_STAR: AgentEntry = AgentEntry {
    name: "g-star",
    summary: "g-star: explores where the expected gain is worth the trip, else stays on the best node",
    about: "Before each leg it asks of every node: how much better than the best node so far is \
        this one expected to be, and what does it cost to go there and look? The cost is the \
        reward missed on the way there, plus half of the reward missed on the way back. It goes \
        to the node whose expected gain over the visits to come is the largest multiple of that \
        cost. If no gain is worth its cost, it goes to the best node so far and stays. The longer \
        the way, the longer it stays. It draws no random numbers. Of all agents here it usually \
        has the least regret, and it is the default.",
    origin: Origin::Frontier,
    look: Some(Look { slot: 13, dash: Dash::Dotted }),
    parameters: &[&NOISE_SCALE, &VARIANCE, &CAUTION, &HORIZON, &SLOW_GROWTH, &STAY_PER_HOP],
    program: "",
    noise_scale: |values| Some(values.get(&NOISE_SCALE)),
    build: |values, _graph| Ok(Box::new(agent(values))),
};

/// g-star with these parameters.
pub(super) fn agent(values: Values<'_>) -> Episodic<ExpectedImprovement, Bargain, Amortized> {
    let noise_scale = values.get(&NOISE_SCALE);
    let noise = Noise::new(noise_scale, values.get(&VARIANCE));
    let horizon = Horizon::of_parameter(values.get(&HORIZON));
    let schedule =
        Amortized { growth: values.get(&SLOW_GROWTH), per_hop: values.get(&STAY_PER_HOP) };
    Episodic {
        index: ExpectedImprovement::new(noise, values.get(&CAUTION)),
        planner: Bargain::new(schedule, horizon, noise_scale),
        schedule,
    }
}
