//! Parameters that several agents share, and the names of their choices.

use crate::forgetting::Scope;
use crate::index::{RewardFamily, UnionFactor, Variance};
use crate::planner::{Destinations, PolicyValues, SweepCap, Travel};
use crate::schedule::{Counting, Doubling};
use crate::spec::{Choice, Number, Range};

/// The factor of a confidence radius.
pub const BONUS: Number = Number {
    name: "bonus",
    help: "Scales the confidence radius sqrt(2 ln t / n) of a node with n rewards at time t",
    when: "Lower it to explore less, if differences between nodes are large compared with the \
        noise. If the scale of the noise (half the range of one node's rewards, or their standard \
        deviation if they are Gaussian) is larger than the bonus, raise the bonus to that scale. \
        The proven bounds on regret (of G-UCB, Direct-SP and Multi-G-UCB) need more: at least \
        twice the scale, so a bonus of 1 covers a scale up to 1/2.",
    default: Some(1.0),
    range: Range::ZERO_OR_MORE,
};

/// The confidence parameter of UCRL2's bound.
pub const DELTA: Number = Number {
    name: "delta",
    help: "Confidence parameter of the bound",
    when: "Raise it for a narrower bound and less exploration.",
    default: Some(0.01),
    range: Range::POSITIVE_PROBABILITY,
};

/// A discount.
pub const GAMMA: Number = Number {
    name: "gamma",
    help: "Discount of future rewards, per visit",
    when: "Raise it towards 1 if good nodes are many steps away. Lower it to learn faster on \
        small graphs.",
    default: Some(0.9),
    range: Range::OPEN_PROBABILITY,
};

/// The initial exploration.
pub const EPSILON: Number = Number {
    name: "epsilon",
    help: "At time t, the agent explores with probability epsilon (w S + 1) / (w S + t), at most \
        1, for warm-up w and S nodes",
    when: "Lower it to explore less. Raise it if the agent misses good nodes. With 0, it never \
        explores.",
    default: Some(1.5),
    range: Range::ZERO_OR_MORE,
};

/// How long exploration lasts.
pub const WARMUP: Number = Number {
    name: "warmup",
    help: "Visits per node until exploration has roughly halved",
    when: "Raise it if the run is long. Lower it if the run is short.",
    default: Some(3.0),
    range: Range::ZERO_OR_MORE,
};

/// The declared noise.
pub const NOISE_SCALE: Number = Number {
    name: "noise-scale",
    help: "Declared sub-Gaussian scale of one node's noise",
    when: "Always set it to the scale of your noise: half the range of one node's rewards, or \
        their standard deviation if they are Gaussian. If it is too small, the agent may settle \
        on the wrong node for good. If it is too large, the agent explores more than it needs to.",
    default: Some(0.5),
    range: Range::SIZE,
};

/// The known horizon.
pub const HORIZON: Number = Number {
    name: "horizon",
    help: "Length of the run, including initialization: the number of visits, plus the time on \
        roads if roads take time; 0 if unknown",
    when: "Set it if you know how long the run will be: the agent then explores less near the \
        end.",
    default: Some(0.0),
    range: Range::SIZE,
};

/// How stays grow with visits.
pub const GROWTH: Number = Number {
    name: "growth",
    help: "How many new visits the agent makes to a destination for every earlier visit to it",
    when: "Lower it to decide more often, at the price of more computing and more travel. Set it \
        to 0 on a complete graph, where travel costs nothing.",
    default: Some(1.0),
    range: Range::SIZE,
};

/// How stays grow with the trip.
pub const PER_HOP: Number = Number {
    name: "per-hop",
    help: "How many new visits the agent makes to a destination for every hop on the path to it",
    when: "Raise it if trips are costly and the agent moves too often. Set it to 0 on a complete \
        graph, where travel costs nothing.",
    default: Some(1.0),
    range: Range::SIZE,
};

/// No growth, for agents that decide at every visit unless told otherwise.
pub const NO_GROWTH: Number = Number {
    when: "If means change rarely, raise it to decide less often. This saves computing and \
        travel.",
    default: Some(0.0),
    ..GROWTH
};

/// The number of changes.
pub const CHANGES: Number = Number {
    name: "changes",
    help: "How many times means change before the horizon; how much the agent explores and \
            forgets depends on it",
    when: "Set it to your best guess. If several means change at the same moment, count that \
        moment once. Less than 1 counts as 1.",
    default: Some(1.0),
    range: Range::SIZE,
};

/// The known horizon, where means change.
pub const CHANGING_HORIZON: Number = Number {
    help: "Total number of visits, including initialization; if 0, the agent assumes twice the \
        visits so far, rounded up to a power of two",
    when: "Set it if you know how long the run will be. How much the agent explores and how fast \
        it forgets depend on it.",
    ..HORIZON
};

/// The noise, where the agent may assume rewards within `[0, 1]`.
pub const GAUSSIAN_NOISE: Number = Number {
    when: "With `rewards=gaussian`, set it to the scale of your noise: half the range of one \
        node's rewards, or their standard deviation if they are Gaussian. If it is too small, the \
        agent may settle on the wrong node, and an agent that detects changes raises false \
        alarms. If it is too large, the agent explores more than it needs to, and notices changes \
        late.",
    ..NOISE_SCALE
};

/// The assumed reward law, of rewards within `[0, 1]` by default.
pub const UNIT_REWARDS: Choice<RewardFamily> = Choice {
    name: "rewards",
    help: "The assumed law of rewards; `bernoulli` ignores `noise-scale`",
    when: "`bernoulli` is for rewards within [0, 1]. Choose `gaussian` for all others, and set \
        `noise-scale`.",
    first: ("bernoulli", RewardFamily::Bernoulli),
    others: &[("gaussian", RewardFamily::Gaussian)],
};

/// What a detected change restarts.
pub const RESTARTS: Choice<Scope> = Choice {
    name: "restarts",
    help: "What the agent forgets when it detects a change",
    when: "`local` forgets only the node at which it detected the change; choose it if nodes \
        change one by one. `global` forgets everything; choose it if all nodes change together.",
    first: ("local", Scope::Local),
    others: &[("global", Scope::Global)],
};

/// The false-alarm probability of a detector.
pub const FALSE_ALARMS: Number = Number {
    name: "delta",
    help: "Probability of a false alarm; if 0, it follows from `changes` and `horizon`",
    when: "With a higher value, the agent notices changes sooner, at the price of more false \
        alarms.",
    default: Some(0.0),
    range: Range::PROBABILITY,
};

/// The probability of forced exploration.
pub const FORCED: Number = Number {
    name: "exploration",
    help: "Probability that a leg goes to a random node; if 0, it follows from `changes` and \
            `horizon`",
    when: "With a higher value, the agent sooner notices changes at nodes that it has left, at the \
        price of more visits to bad nodes.",
    default: Some(0.0),
    range: Range::PROBABILITY,
};

/// The size of a sliding window.
pub const WINDOW: Number = Number {
    name: "window",
    help: "How many of the most recent visits count; if 0, it follows from `changes` and `horizon`",
    when: "Choose a small number if means change often, and a large one if they change rarely.",
    default: Some(0.0),
    range: Range::SIZE,
};

/// The discount of earlier rewards.
pub const FADING: Number = Number {
    name: "gamma",
    help: "Every later visit multiplies the weight of a reward by this factor; if 0, it follows \
        from `changes` and `horizon`",
    when: "Choose a value near 1 if means change rarely, and a lower one if they change often.",
    default: Some(0.0),
    range: Range::PROBABILITY,
};

/// The source of the variance.
pub const VARIANCE: Choice<Variance> = Choice {
    name: "variance",
    help: "Where the variance of rewards comes from",
    when: "`estimated` learns it for each node, and leans on the other nodes while a node has few \
        visits. `pooled` is better if noise is alike on all nodes and visits are few. `declared` \
        trusts `noise-scale` alone.",
    first: ("estimated", Variance::Estimated),
    others: &[("pooled", Variance::Pooled), ("declared", Variance::Declared)],
};

/// Whether travel is priced.
pub const TRAVEL: Choice<Travel> = Choice {
    name: "travel",
    help: "Whether the cost of the trip counts when a destination is chosen",
    when: "`priced` is nearly always right. `ignored` shows how much it helps to price the trip.",
    first: ("priced", Travel::Priced),
    others: &[("ignored", Travel::Ignored)],
};

/// The assumed reward law.
pub const REWARDS: Choice<RewardFamily> = Choice {
    name: "rewards",
    help: "The assumed law of rewards; `bernoulli` ignores `noise-scale` and `variance`",
    when: "Choose `bernoulli` if every reward is 0 or 1.",
    first: ("gaussian", RewardFamily::Gaussian),
    others: &[("bernoulli", RewardFamily::Bernoulli)],
};

/// How far a destination is sampled.
pub const DOUBLING: Choice<Doubling> = Choice {
    name: "doubling",
    help: "How many visits the destination has when the agent plans again",
    when: "If it had n visits when the leg began, `exact` is 2 n, as in the paper's text. In the authors' program, G-UCB uses \
        `after-arrival` (2 n + 2 if it walked there, 2 n if it was there already) and Direct-SP \
        uses `one-more` (2 n + 1). Change it to compare with published figures.",
    first: ("exact", Doubling::Exact),
    others: &[("after-arrival", Doubling::AfterArrival), ("one-more", Doubling::OneMore)],
};

/// How ties between destinations are broken.
pub const DESTINATIONS: Choice<Destinations> = Choice {
    name: "destinations",
    help: "Which one of several equally promising nodes the agent goes to",
    when: "With `all-best`, it goes to the one with the cheapest path (Direct-SP: the shortest). \
        With `first-best`, it goes to the one with the lowest number, as in the authors' program.",
    first: ("all-best", Destinations::AllBest),
    others: &[("first-best", Destinations::FirstBest)],
};

/// What ends a leg of UCRL2.
pub const COUNTING: Choice<Counting> = Choice {
    name: "counting",
    help: "What counts towards the doubling that ends a leg: visits to a node, or moves from it",
    when: "`arrivals` follows the paper's text; `departures` follows the authors' program. Change \
        it to compare with published figures.",
    first: ("arrivals", Counting::Arrivals),
    others: &[("departures", Counting::Departures)],
};

/// The factor inside the logarithm of UCRL2's bound.
pub const UNION_FACTOR: Choice<UnionFactor> = Choice {
    name: "union-factor",
    help: "The factor inside the bound's logarithm",
    when: "`one` follows the paper's text; `two` follows the authors' program. Change it to \
        compare with published figures.",
    first: ("one", UnionFactor::One),
    others: &[("two", UnionFactor::Two)],
};

/// How many sweeps value iteration makes.
pub const SWEEP_CAP: Choice<SweepCap> = Choice {
    name: "sweep-cap",
    help: "How many sweeps value iteration may make",
    when: "With `none`, it makes as many as it needs for an accuracy of 1 / sqrt(t) after t \
        visits, as in the paper. With `square-root`, it makes at most about sqrt(t), as in the \
        authors' program: plans are then short-sighted.",
    first: ("none", SweepCap::None),
    others: &[("square-root", SweepCap::SquareRoot)],
};

/// Which values give the policy.
pub const POLICY_VALUES: Choice<PolicyValues> = Choice {
    name: "policy-values",
    help: "Which values of value iteration give the policy: those after its last sweep, or those \
        before it",
    when: "`last` follows the paper's text; `previous` follows the authors' program. Change it to \
        compare with published figures.",
    first: ("last", PolicyValues::Last),
    others: &[("previous", PolicyValues::Previous)],
};
