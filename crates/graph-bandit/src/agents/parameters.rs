//! Parameters that several agents have, and the names of the parts they choose from.

use crate::index::{RewardFamily, UnionFactor, Variance};
use crate::planner::{Destinations, PolicyValues, SweepCap, Travel};
use crate::schedule::{Counting, Doubling};
use crate::spec::{Choice, Number, Range};

/// The factor of a confidence radius.
pub const BONUS: Number = Number {
    name: "bonus",
    help: "Scales the confidence radius sqrt(2 ln t / n)",
    default: Some(1.0),
    range: Range::ZERO_OR_MORE,
};

/// The confidence parameter of UCRL2's bound.
pub const DELTA: Number = Number {
    name: "delta",
    help: "Confidence parameter of the bound",
    default: Some(0.01),
    range: Range::POSITIVE_PROBABILITY,
};

/// A discount.
pub const GAMMA: Number =
    Number { name: "gamma", help: "Discount", default: Some(0.9), range: Range::OPEN_PROBABILITY };

/// How much is explored at first.
pub const EPSILON: Number = Number {
    name: "epsilon",
    help: "Exploration at t = 1; the probability is epsilon (w S + 1) / (w S + t), w the warm-up",
    default: Some(1.5),
    range: Range::ZERO_OR_MORE,
};

/// How long is explored.
pub const WARMUP: Number = Number {
    name: "warmup",
    help: "Visits per node until exploration has roughly halved",
    default: Some(3.0),
    range: Range::ZERO_OR_MORE,
};

/// The noise that an agent is told of.
pub const NOISE_SCALE: Number = Number {
    name: "noise-scale",
    help: "Declared sub-Gaussian scale of one node's noise",
    default: Some(0.5),
    range: Range::SIZE,
};

/// A horizon that is known.
pub const HORIZON: Number = Number {
    name: "horizon",
    help: "Visits in all, initialization included, where they are known; else 0",
    default: Some(0.0),
    range: Range::SIZE,
};

/// How stays grow with visits.
pub const GROWTH: Number = Number {
    name: "growth",
    help: "New visits to a destination for every visit before",
    default: Some(1.0),
    range: Range::SIZE,
};

/// How stays grow with the way.
pub const PER_HOP: Number = Number {
    name: "per-hop",
    help: "New visits to a destination for every hop walked there",
    default: Some(1.0),
    range: Range::SIZE,
};

/// The variance that an agent goes by.
pub const VARIANCE: Choice<Variance> = Choice {
    name: "variance",
    help: "Where the variance of rewards comes from",
    first: ("estimated", Variance::Estimated),
    others: &[("pooled", Variance::Pooled), ("declared", Variance::Declared)],
};

/// What travel counts for.
pub const TRAVEL: Choice<Travel> = Choice {
    name: "travel",
    help: "Whether the way to a destination counts when it is chosen",
    first: ("priced", Travel::Priced),
    others: &[("ignored", Travel::Ignored)],
};

/// The law that an agent believes in.
pub const REWARDS: Choice<RewardFamily> = Choice {
    name: "rewards",
    help: "The law that rewards are taken to follow; under bernoulli, noise-scale and variance do not matter",
    first: ("gaussian", RewardFamily::Gaussian),
    others: &[("bernoulli", RewardFamily::Bernoulli)],
};

/// How far a destination is sampled.
pub const DOUBLING: Choice<Doubling> = Choice {
    name: "doubling",
    help: "To what the destination's samples grow",
    first: ("exact", Doubling::Exact),
    others: &[("after-arrival", Doubling::AfterArrival), ("one-more", Doubling::OneMore)],
};

/// How ties between destinations are broken.
pub const DESTINATIONS: Choice<Destinations> = Choice {
    name: "destinations",
    help: "Which of equally promising nodes to go to",
    first: ("all-best", Destinations::AllBest),
    others: &[("first-best", Destinations::FirstBest)],
};

/// What ends an episode of UCRL2.
pub const COUNTING: Choice<Counting> = Choice {
    name: "counting",
    help: "What ends an episode",
    first: ("arrivals", Counting::Arrivals),
    others: &[("departures", Counting::Departures)],
};

/// The factor inside the logarithm of UCRL2's bound.
pub const UNION_FACTOR: Choice<UnionFactor> = Choice {
    name: "union-factor",
    help: "The factor inside the bound's logarithm",
    first: ("one", UnionFactor::One),
    others: &[("two", UnionFactor::Two)],
};

/// How long value iteration goes on.
pub const SWEEP_CAP: Choice<SweepCap> = Choice {
    name: "sweep-cap",
    help: "How many sweeps value iteration may make",
    first: ("none", SweepCap::None),
    others: &[("square-root", SweepCap::SquareRoot)],
};

/// Which values count in value iteration.
pub const POLICY_VALUES: Choice<PolicyValues> = Choice {
    name: "policy-values",
    help: "Which values the policy is read from",
    first: ("last", PolicyValues::Last),
    others: &[("previous", PolicyValues::Previous)],
};
