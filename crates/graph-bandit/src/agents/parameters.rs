//! Parameters that several agents have, and the names of the parts they choose from.

use crate::index::{RewardFamily, UnionFactor, Variance};
use crate::planner::{Destinations, PolicyValues, SweepCap, Travel};
use crate::schedule::{Counting, Doubling};
use crate::spec::{Choice, Number, Range};

/// The factor of a confidence radius.
pub const BONUS: Number = Number {
    name: "bonus",
    help: "Scales the confidence radius sqrt(2 ln t / n)",
    when: "Lower it for less exploration where differences between nodes are large beside the \
        noise; raise it where noise is larger than 1/2.",
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
    when: "Raise it towards 1 where good nodes are many steps away; lower it for faster learning on \
        small graphs.",
    default: Some(0.9),
    range: Range::OPEN_PROBABILITY,
};

/// How much is explored at first.
pub const EPSILON: Number = Number {
    name: "epsilon",
    help: "Exploration at t = 1; the probability is epsilon (w S + 1) / (w S + t), w the warm-up",
    when: "Lower it for less exploration at random, raise it where good nodes are missed; 0 never \
        explores.",
    default: Some(1.5),
    range: Range::ZERO_OR_MORE,
};

/// How long is explored.
pub const WARMUP: Number = Number {
    name: "warmup",
    help: "Visits per node until exploration has roughly halved",
    when: "Raise it for longer exploration, where the run is long; lower it where the run is short.",
    default: Some(3.0),
    range: Range::ZERO_OR_MORE,
};

/// The noise that an agent is told of.
pub const NOISE_SCALE: Number = Number {
    name: "noise-scale",
    help: "Declared sub-Gaussian scale of one node's noise",
    when: "Always set it to your noise: half the range of one node's rewards, or their standard \
        deviation if they are Gaussian. Too small can cost everything, too large costs some \
        exploration.",
    default: Some(0.5),
    range: Range::SIZE,
};

/// A horizon that is known.
pub const HORIZON: Number = Number {
    name: "horizon",
    help: "Visits in all, initialization included, where they are known; else 0",
    when: "Set it where you know how long the run will be: the agent explores less near the end.",
    default: Some(0.0),
    range: Range::SIZE,
};

/// How stays grow with visits.
pub const GROWTH: Number = Number {
    name: "growth",
    help: "New visits to a destination for every visit before",
    when: "Lower it to decide more often, which takes more computing and more travel; 0 on a \
        complete graph, where travel costs nothing.",
    default: Some(1.0),
    range: Range::SIZE,
};

/// How stays grow with the way.
pub const PER_HOP: Number = Number {
    name: "per-hop",
    help: "New visits to a destination for every hop walked there",
    when: "Raise it where travel is dear and the agent moves too often; 0 on a complete graph, \
        where travel costs nothing.",
    default: Some(1.0),
    range: Range::SIZE,
};

/// The variance that an agent goes by.
pub const VARIANCE: Choice<Variance> = Choice {
    name: "variance",
    help: "Where the variance of rewards comes from",
    when: "estimated learns it node by node; pooled is better where noise is alike on all nodes and \
        visits are few; declared trusts noise-scale alone.",
    first: ("estimated", Variance::Estimated),
    others: &[("pooled", Variance::Pooled), ("declared", Variance::Declared)],
};

/// What travel counts for.
pub const TRAVEL: Choice<Travel> = Choice {
    name: "travel",
    help: "Whether the way to a destination counts when it is chosen",
    when: "priced is right nearly always; ignored shows what it is worth to count the way.",
    first: ("priced", Travel::Priced),
    others: &[("ignored", Travel::Ignored)],
};

/// The law that an agent believes in.
pub const REWARDS: Choice<RewardFamily> = Choice {
    name: "rewards",
    help: "The law that rewards are taken to follow; under bernoulli, noise-scale and variance do not matter",
    when: "Choose bernoulli where every reward is 0 or 1.",
    first: ("gaussian", RewardFamily::Gaussian),
    others: &[("bernoulli", RewardFamily::Bernoulli)],
};

/// How far a destination is sampled.
pub const DOUBLING: Choice<Doubling> = Choice {
    name: "doubling",
    help: "To what the destination's samples grow",
    when: "exact is the paper's text; the others are what its authors' program does. Change it to \
        compare with published figures.",
    first: ("exact", Doubling::Exact),
    others: &[("after-arrival", Doubling::AfterArrival), ("one-more", Doubling::OneMore)],
};

/// How ties between destinations are broken.
pub const DESTINATIONS: Choice<Destinations> = Choice {
    name: "destinations",
    help: "Which of equally promising nodes to go to",
    when: "all-best goes to the cheapest to reach of several; first-best goes to the lowest number, \
        as the authors' program does.",
    first: ("all-best", Destinations::AllBest),
    others: &[("first-best", Destinations::FirstBest)],
};

/// What ends an episode of UCRL2.
pub const COUNTING: Choice<Counting> = Choice {
    name: "counting",
    help: "What ends an episode",
    when: "arrivals is the paper's text, departures what its authors' program does. Change it to \
        compare with published figures.",
    first: ("arrivals", Counting::Arrivals),
    others: &[("departures", Counting::Departures)],
};

/// The factor inside the logarithm of UCRL2's bound.
pub const UNION_FACTOR: Choice<UnionFactor> = Choice {
    name: "union-factor",
    help: "The factor inside the bound's logarithm",
    when: "one is the paper's text, two what its authors' program does. Change it to compare with \
        published figures.",
    first: ("one", UnionFactor::One),
    others: &[("two", UnionFactor::Two)],
};

/// How long value iteration goes on.
pub const SWEEP_CAP: Choice<SweepCap> = Choice {
    name: "sweep-cap",
    help: "How many sweeps value iteration may make",
    when: "none solves the planning problem exactly; square-root stops early, as the authors' \
        program does.",
    first: ("none", SweepCap::None),
    others: &[("square-root", SweepCap::SquareRoot)],
};

/// Which values count in value iteration.
pub const POLICY_VALUES: Choice<PolicyValues> = Choice {
    name: "policy-values",
    help: "Which values the policy is read from",
    when: "last is the paper's text, previous what its authors' program does. Change it to compare \
        with published figures.",
    first: ("last", PolicyValues::Last),
    others: &[("previous", PolicyValues::Previous)],
};
