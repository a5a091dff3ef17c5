//! Parameters that several agents share, and the names of their choices.

use crate::forgetting::Scope;
use crate::index::{RewardFamily, UnionFactor, Variance};
use crate::planner::{Destinations, PolicyValues, SweepCap, Travel};
use crate::schedule::{Counting, Doubling};
use crate::spec::{Choice, Number, Range};

/// The factor of a confidence radius.
pub const BONUS: Number = Number {
    name: "bonus",
    help: "Scales the confidence radius sqrt(2 ln t / n)",
    when: "Lower it for less exploration where differences between nodes are large compared \
        with the noise; raise it where noise is larger than 1/2.",
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
    help: "Discount of rewards to come, per visit",
    when: "Raise it towards 1 where good nodes are many steps away; lower it for faster learning \
        on small graphs.",
    default: Some(0.9),
    range: Range::OPEN_PROBABILITY,
};

/// The initial exploration.
pub const EPSILON: Number = Number {
    name: "epsilon",
    help: "Exploration at t = 1; the probability is epsilon (w S + 1) / (w S + t) for warm-up w \
        and S nodes",
    when: "Lower it for less exploration at random, raise it where good nodes are missed; 0 never \
        explores.",
    default: Some(1.5),
    range: Range::ZERO_OR_MORE,
};

/// How long exploration lasts.
pub const WARMUP: Number = Number {
    name: "warmup",
    help: "Visits per node until exploration has roughly halved",
    when: "Raise it for longer exploration, where the run is long; lower it where the run is short.",
    default: Some(3.0),
    range: Range::ZERO_OR_MORE,
};

/// The declared noise.
pub const NOISE_SCALE: Number = Number {
    name: "noise-scale",
    help: "Declared sub-Gaussian scale of one node's noise",
    when: "Always set it to your noise: half the range of one node's rewards, or their standard \
        deviation if they are Gaussian. If it is too small, the agent may settle on a wrong \
        node for good; if it is too large, the agent explores more than it needs to.",
    default: Some(0.5),
    range: Range::SIZE,
};

/// The known horizon.
pub const HORIZON: Number = Number {
    name: "horizon",
    help: "Total number of visits, initialization included; 0 if unknown",
    when: "Set it if you know how long the run will be: the agent explores less near the end.",
    default: Some(0.0),
    range: Range::SIZE,
};

/// How stays grow with visits.
pub const GROWTH: Number = Number {
    name: "growth",
    help: "New visits to a destination for every earlier visit to it",
    when: "Lower it to decide more often, which takes more computing and more travel. Set it \
        to 0 on a complete graph, where travel costs nothing.",
    default: Some(1.0),
    range: Range::SIZE,
};

/// How stays grow with the trip.
pub const PER_HOP: Number = Number {
    name: "per-hop",
    help: "New visits to a destination for every hop walked there",
    when: "Raise it where trips are costly and the agent moves too often. Set it to 0 on a \
        complete graph, where travel costs nothing.",
    default: Some(1.0),
    range: Range::SIZE,
};

/// No growth, for agents that decide at every visit unless told otherwise.
pub const NO_GROWTH: Number = Number {
    when: "Raise it to decide less often, which takes less computing and less travel, where means \
        change rarely.",
    default: Some(0.0),
    ..GROWTH
};

/// The number of changes.
pub const CHANGES: Number = Number {
    name: "changes",
    help: "How many times the means change until the horizon; exploration and forgetting follow from it",
    when: "Set it to your best guess of how many times some node's mean changes; less than 1 \
        counts as 1.",
    default: Some(1.0),
    range: Range::SIZE,
};

/// The known horizon, where means change.
pub const CHANGING_HORIZON: Number = Number {
    help: "Total number of visits; if it is 0, the agent assumes two to four times the visits so \
        far",
    when: "Set it if you know how long the run will be: how much the agent explores and how fast it \
        forgets follow from it.",
    ..HORIZON
};

/// The noise, where the agent may assume rewards within `[0, 1]`.
pub const GAUSSIAN_NOISE: Number = Number {
    when: "Set it to your noise if you write rewards=gaussian: half the range of one node's rewards, \
        or their standard deviation if they are Gaussian. If it is too small, the agent may \
        settle on a wrong node; if it is too large, it explores more than it needs to. An agent that \
        detects changes also raises false alarms in the first case and notices changes late in the \
        second.",
    ..NOISE_SCALE
};

/// The assumed reward law, of rewards within `[0, 1]` by default.
pub const UNIT_REWARDS: Choice<RewardFamily> = Choice {
    name: "rewards",
    help: "The assumed law of rewards; bernoulli ignores noise-scale",
    when: "bernoulli is for rewards within [0, 1]. Choose gaussian for all others, and set \
        noise-scale.",
    first: ("bernoulli", RewardFamily::Bernoulli),
    others: &[("gaussian", RewardFamily::Gaussian)],
};

/// What a detected change restarts.
pub const RESTARTS: Choice<Scope> = Choice {
    name: "restarts",
    help: "What the agent forgets when it detects a change",
    when: "local forgets the node at which the change was detected: right if nodes change one by \
        one. global forgets everything: right if all nodes change together.",
    first: ("local", Scope::Local),
    others: &[("global", Scope::Global)],
};

/// The false-alarm probability of a detector.
pub const FALSE_ALARMS: Number = Number {
    name: "delta",
    help: "Probability of a false alarm; if it is 0, it follows from changes and horizon",
    when: "Raise it to notice changes sooner, at the price of more false alarms.",
    default: Some(0.0),
    range: Range::PROBABILITY,
};

/// The probability of forced exploration.
pub const FORCED: Number = Number {
    name: "exploration",
    help: "Probability of a leg to a random node; if it is 0, it follows from changes and horizon",
    when: "Raise it to notice changes of nodes that the agent has left, at the price of more visits \
        to bad nodes.",
    default: Some(0.0),
    range: Range::PROBABILITY,
};

/// The size of a sliding window.
pub const WINDOW: Number = Number {
    name: "window",
    help: "How many of the last visits count; if it is 0, it follows from changes and horizon",
    when: "Lower it where means change often, raise it where they change rarely.",
    default: Some(0.0),
    range: Range::SIZE,
};

/// The discount of earlier rewards.
pub const FADING: Number = Number {
    name: "gamma",
    help: "How much of a reward counts after each later visit; if it is 0, it follows from changes and horizon",
    when: "Lower it where means change often, raise it towards 1 where they change rarely.",
    default: Some(0.0),
    range: Range::PROBABILITY,
};

/// The source of the variance.
pub const VARIANCE: Choice<Variance> = Choice {
    name: "variance",
    help: "Where the variance of rewards comes from",
    when: "estimated learns it node by node; pooled is better where noise is alike on all nodes \
        and visits are few; declared trusts noise-scale alone.",
    first: ("estimated", Variance::Estimated),
    others: &[("pooled", Variance::Pooled), ("declared", Variance::Declared)],
};

/// Whether travel is priced.
pub const TRAVEL: Choice<Travel> = Choice {
    name: "travel",
    help: "Whether the cost of the trip counts when a destination is chosen",
    when: "priced is nearly always right; ignored shows what pricing the trip is worth.",
    first: ("priced", Travel::Priced),
    others: &[("ignored", Travel::Ignored)],
};

/// The assumed reward law.
pub const REWARDS: Choice<RewardFamily> = Choice {
    name: "rewards",
    help: "The assumed law of rewards; bernoulli ignores noise-scale and variance",
    when: "Choose bernoulli where every reward is 0 or 1.",
    first: ("gaussian", RewardFamily::Gaussian),
    others: &[("bernoulli", RewardFamily::Bernoulli)],
};

/// How far a destination is sampled.
pub const DOUBLING: Choice<Doubling> = Choice {
    name: "doubling",
    help: "How many samples of the destination end the stay",
    when: "exact is the paper's text. In its authors' program, G-UCB uses after-arrival and \
        Direct-SP uses one-more. Change it to compare with published figures.",
    first: ("exact", Doubling::Exact),
    others: &[("after-arrival", Doubling::AfterArrival), ("one-more", Doubling::OneMore)],
};

/// How ties between destinations are broken.
pub const DESTINATIONS: Choice<Destinations> = Choice {
    name: "destinations",
    help: "Which of equally promising nodes to go to",
    when: "all-best goes to the one that is cheapest to reach; first-best goes to the one with the \
        lowest number, as the authors' program does.",
    first: ("all-best", Destinations::AllBest),
    others: &[("first-best", Destinations::FirstBest)],
};

/// What ends a leg of UCRL2.
pub const COUNTING: Choice<Counting> = Choice {
    name: "counting",
    help: "What ends a leg",
    when: "arrivals follows the paper's text; departures follows its authors' program. Change it \
        to compare with published figures.",
    first: ("arrivals", Counting::Arrivals),
    others: &[("departures", Counting::Departures)],
};

/// The factor inside the logarithm of UCRL2's bound.
pub const UNION_FACTOR: Choice<UnionFactor> = Choice {
    name: "union-factor",
    help: "The factor inside the bound's logarithm",
    when: "one follows the paper's text; two follows its authors' program. Change it to compare \
        with published figures.",
    first: ("one", UnionFactor::One),
    others: &[("two", UnionFactor::Two)],
};

/// How many sweeps value iteration makes.
pub const SWEEP_CAP: Choice<SweepCap> = Choice {
    name: "sweep-cap",
    help: "How many sweeps value iteration may make",
    when: "none solves the planning problem exactly; square-root stops early, as the authors' \
        program does.",
    first: ("none", SweepCap::None),
    others: &[("square-root", SweepCap::SquareRoot)],
};

/// Which values give the policy.
pub const POLICY_VALUES: Choice<PolicyValues> = Choice {
    name: "policy-values",
    help: "Which values the policy is read from",
    when: "last follows the paper's text; previous follows its authors' program. Change it to \
        compare with published figures.",
    first: ("last", PolicyValues::Last),
    others: &[("previous", PolicyValues::Previous)],
};
