//! The built-in noises. To add one, add an entry here and its name to the list.

use super::{Law, Values as Residuals};
use crate::spec::{NoiseEntry, Number, Numbers, Range};

/// All noises of this crate.
pub(crate) const BUILT_IN: &[&NoiseEntry] =
    &[&UNIFORM, &BERNOULLI, &BETA, &GAUSSIAN, &TRUNCATED_GAUSSIAN, &CONSTANT, &EMPIRICAL];

const HALF_WIDTH: Number = Number {
    name: "half-width",
    help: "How far from its mean a reward can be",
    when: "The more noise, the more visits an agent needs to see the same difference. Set the \
        agents' `noise-scale` to match.",
    default: None,
    range: Range::SIZE,
};
const DEVIATION: Number = Number {
    name: "deviation",
    help: "The standard deviation",
    when: "The more noise, the more visits an agent needs to see the same difference. Set the \
        agents' `noise-scale` to match.",
    default: None,
    range: Range::SIZE,
};
const CONCENTRATION: Number = Number {
    name: "concentration",
    help: "The sum of the two parameters of the beta distribution",
    when: "Raise it for less noise.",
    default: None,
    range: Range::POSITIVE_SIZE,
};
const POSITIVE_DEVIATION: Number = Number {
    help: "The standard deviation before the cut",
    when: "The more noise, the more visits an agent needs to see the same difference.",
    range: Range::POSITIVE_SIZE,
    ..DEVIATION
};
const POSITIVE_HALF_WIDTH: Number = Number {
    when: "The more noise, the more visits an agent needs to see the same difference.",
    range: Range::POSITIVE_SIZE,
    ..HALF_WIDTH
};
const VALUES: Numbers = Numbers {
    name: "values",
    each: "value",
    help: "The values, such as the residuals of a measurement",
    when: "Give as many as you have. If a value is listed twice, it is drawn twice as often.",
    range: Range::ANY,
};

static UNIFORM: NoiseEntry = NoiseEntry {
    name: "uniform",
    summary: "uniform within HALF_WIDTH of the mean",
    about: "Every reward is uniform between the mean minus HALF_WIDTH and the mean plus \
        HALF_WIDTH. The paper's experiments use `uniform:0.5`. The `noise-scale` of this noise is \
        HALF_WIDTH.",
    example: "uniform:0.5",
    parameters: &[&HALF_WIDTH],
    means: Range::ANY,
    law: |values| {
        let half_width = values.get(&HALF_WIDTH);
        Box::new(move |mean| Law::uniform(mean - half_width, mean + half_width))
    },
};

static BERNOULLI: NoiseEntry = NoiseEntry {
    name: "bernoulli",
    summary: "1 with the mean as its probability, else 0; means in [0, 1]",
    about: "Every reward is 1 or 0, such as a success or a failure; the mean is the probability \
        of a 1. The `noise-scale` of this noise is 0.5.",
    example: "bernoulli",
    parameters: &[],
    means: Range::PROBABILITY,
    law: |_values| Box::new(Law::bernoulli),
};

static BETA: NoiseEntry = NoiseEntry {
    name: "beta",
    summary: "beta on [0, 1], narrower with CONCENTRATION; means strictly inside (0, 1)",
    about: "Rewards are numbers between 0 and 1, such as proportions. The higher the \
        concentration, the nearer they are to the mean. The `noise-scale` of this noise is at \
        most 0.5.",
    example: "beta:10",
    parameters: &[&CONCENTRATION],
    means: Range::OPEN_PROBABILITY,
    law: |values| {
        let concentration = values.get(&CONCENTRATION);
        Box::new(move |mean| Law::beta(mean * concentration, (1.0 - mean) * concentration))
    },
};

static GAUSSIAN: NoiseEntry = NoiseEntry {
    name: "gaussian",
    summary: "Gaussian, unbounded",
    about: "Rewards are normally distributed around the mean, and may be any number, even \
        negative. The `noise-scale` of this noise is the standard deviation.",
    example: "gaussian:1",
    parameters: &[&DEVIATION],
    means: Range::ANY,
    law: |values| {
        let deviation = values.get(&DEVIATION);
        Box::new(move |mean| Law::gaussian(mean, deviation))
    },
};

static TRUNCATED_GAUSSIAN: NoiseEntry = NoiseEntry {
    name: "truncated-gaussian",
    summary: "Gaussian cut to within HALF_WIDTH of the mean",
    about: "Rewards are normally distributed around the mean, but at most HALF_WIDTH away from \
        it: a reward that is farther away is drawn again. The `noise-scale` of this noise is the \
        smaller of DEVIATION and HALF_WIDTH.",
    example: "truncated-gaussian:0.25,0.5",
    parameters: &[&POSITIVE_DEVIATION, &POSITIVE_HALF_WIDTH],
    means: Range::ANY,
    law: |values| {
        let deviation = values.get(&POSITIVE_DEVIATION);
        let half_width = values.get(&POSITIVE_HALF_WIDTH);
        Box::new(move |mean| {
            Law::truncated_gaussian(mean, deviation, (mean - half_width, mean + half_width))
        })
    },
};

static CONSTANT: NoiseEntry = NoiseEntry {
    name: "constant",
    summary: "no noise: every reward is the mean",
    about: "Every visit pays the mean exactly, so one visit to a node is enough to know it. Use \
        it for tests and for planning problems.",
    example: "constant",
    parameters: &[],
    means: Range::ANY,
    law: |_values| Box::new(Law::constant),
};

static EMPIRICAL: NoiseEntry = NoiseEntry {
    name: "empirical",
    summary: "one of the values at random, shifted to the mean",
    about: "You list values, which are shifted so that they average 0. Every reward is the mean \
        of its node plus one of these values, drawn at random. Use it for the residuals of your \
        own measurements.",
    example: "empirical:-0.5,0.1,0.4",
    parameters: &[&VALUES],
    means: Range::ANY,
    // Made once and shared by all nodes.
    law: |values| {
        let residuals = Residuals::new(values.get(&VALUES).into());
        Box::new(move |mean| Law::empirical_around(residuals.as_ref().map_err(Clone::clone)?, mean))
    },
};
