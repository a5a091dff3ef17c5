//! g-star: goes where the expected improvement on the best known node is the largest multiple of
//! the cost of the trip. If no trip is worth its cost, it goes to the best known node.

use super::Episodic;
use super::parameters::{GROWTH, HORIZON, NOISE_SCALE, PER_HOP, VARIANCE};
use crate::index::{ExpectedImprovement, Horizon, Noise};
use crate::planner::Bargain;
use crate::schedule::Amortized;
use crate::spec::{AgentEntry, Dash, Look, Number, Origin, Range, Standing, Values};

pub(crate) const CAUTION: Number = Number {
    name: "caution",
    help: "Factor by which the agent multiplies the variance of rewards",
    when: "Raise it to make the agent less likely to give up the best node after bad luck. Lower \
        it towards 1 to explore less.",
    default: Some(1.5),
    range: Range::SIZE,
};
pub(crate) const DOUBT: Number = Number {
    name: "doubt",
    help: "How much the declared variance (`noise-scale` squared) weighs in the estimate for each \
        node, as a number of visits; used only with `variance=estimated`",
    when: "Set it to 3, with `caution=1.2`, where the best node may be much noisier than the \
        others, the graph is small, and each node can be visited hundreds of times. On large \
        graphs and in short runs, it makes the agent check too many nodes. With 0, the agent \
        expects a node with few visits to be as quiet as the others, and may give it up after a \
        few low rewards.",
    default: Some(0.0),
    range: Range::SIZE,
};
pub(crate) const TRUST: Number = Number {
    name: "trust",
    help: "Share of its caution that the agent gives up if the rewards of the best node so far \
        vary much less than those of nearly all others; used only with `variance=estimated`",
    when: "Set it to 0.9 where the best node may be much quieter than the others: once the agent \
        has found that node, it then explores less.",
    default: Some(0.0),
    range: Range::PROBABILITY,
};
const LENGTH: Number = Number {
    when: "Set it if you know how long the run will be, and very bad runs matter most: on some \
        graphs they become rarer. Mean regret does not fall. `g-horizon` makes more of a known \
        length.",
    ..HORIZON
};
pub(crate) const FORESIGHT: Number = Number {
    name: "foresight",
    help: "How strongly the price of returning later counts when the agent decides whether to \
        leave a rival (a node that may be better than the best node so far): the agent multiplies \
        the gain of staying at the rival by (1 + trip / price) to this power. `price` is the price \
        of the next visits there. `trip` is the price of returning to the rival later: the way \
        from the best node so far to the rival, and half of the way from the rival to the best \
        node so far",
    when: "Set it to 1 where trips are costly: the agent then stays longer at each rival, and \
        returns to it less often.",
    default: Some(0.0),
    range: Range::SIZE,
};
pub(crate) const SLOW_GROWTH: Number = Number {
    when: "Lower it to decide more often, at the price of more computing and more travel. Keep it \
        above 0 even on a complete graph: the agent also explores by staying.",
    default: Some(0.5),
    ..GROWTH
};
pub(crate) const STAY_PER_HOP: Number = Number {
    when: "Raise it if trips are costly and the agent moves too often. Keep it above 0 even on a \
        complete graph: the agent also explores by staying.",
    ..PER_HOP
};

pub(super) static G_STAR: AgentEntry = AgentEntry {
    name: "g-star",
    summary: "g-star: explores where the expected gain is worth the trip, else stays on the best node",
    about: "Before each leg it asks two questions about every node. How much better is this node \
        expected to be than the best node so far? And what does it cost to go there and look? The \
        cost is the reward missed on the way there, plus half of the reward missed on the way \
        back. The agent goes to the node whose expected gain over the remaining visits is the \
        largest multiple of that cost. If no gain is worth its cost, it goes to the best node so \
        far and stays. The longer the trip, the longer it stays. It draws no random numbers. Of \
        all agents here, it usually has the least regret. It is the default.",
    origin: Origin::Frontier,
    standing: Standing::Recommended,
    look: Some(Look { slot: 13, dash: Dash::Dotted }),
    parameters: &[
        &NOISE_SCALE,
        &VARIANCE,
        &CAUTION,
        &LENGTH,
        &SLOW_GROWTH,
        &STAY_PER_HOP,
        &DOUBT,
        &TRUST,
        &FORESIGHT,
    ],
    program: "",
    noise_scale: |values| Some(values.get(&NOISE_SCALE)),
    build: |values, _graph| Ok(Box::new(agent(values))),
};

/// g-star with these parameters.
pub(super) fn agent(values: Values<'_>) -> Episodic<ExpectedImprovement, Bargain, Amortized> {
    let noise_scale = values.get(&NOISE_SCALE);
    let noise = Noise::new(noise_scale, values.get(&VARIANCE)).with_doubt(values.get(&DOUBT));
    let horizon = Horizon::of_parameter(values.get(&LENGTH));
    let schedule =
        Amortized { growth: values.get(&SLOW_GROWTH), per_hop: values.get(&STAY_PER_HOP) };
    Episodic {
        index: ExpectedImprovement::new(noise, values.get(&CAUTION)).with_trust(values.get(&TRUST)),
        planner: Bargain::new(schedule, horizon, noise_scale)
            .with_foresight(values.get(&FORESIGHT)),
        schedule,
    }
}
