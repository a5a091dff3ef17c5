//! The noises that there are; a new one is an entry here and its name in the list.

use super::{Law, Values as Residuals};
use crate::spec::{NoiseEntry, Number, Numbers, Range};

/// All noises of this crate.
pub(crate) const BUILT_IN: &[&NoiseEntry] =
    &[&UNIFORM, &BERNOULLI, &BETA, &GAUSSIAN, &TRUNCATED_GAUSSIAN, &CONSTANT, &EMPIRICAL];

const HALF_WIDTH: Number = Number {
    name: "half-width",
    help: "How far from its mean a reward can be",
    default: None,
    range: Range::SIZE,
};
const DEVIATION: Number =
    Number { name: "deviation", help: "The standard deviation", default: None, range: Range::SIZE };
const CONCENTRATION: Number = Number {
    name: "concentration",
    help: "The sum of the two parameters of the law; the higher, the less noise",
    default: None,
    range: Range::POSITIVE_SIZE,
};
const POSITIVE_DEVIATION: Number = Number {
    help: "The standard deviation before the cut",
    range: Range::POSITIVE_SIZE,
    ..DEVIATION
};
const POSITIVE_HALF_WIDTH: Number = Number { range: Range::POSITIVE_SIZE, ..HALF_WIDTH };
const VALUES: Numbers = Numbers {
    name: "values",
    each: "value",
    help: "The values, such as the residuals of a measurement",
    range: Range::ANY,
};

static UNIFORM: NoiseEntry = NoiseEntry {
    name: "uniform",
    summary: "uniform within HALF_WIDTH of the mean",
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
    example: "bernoulli",
    parameters: &[],
    means: Range::PROBABILITY,
    law: |_values| Box::new(Law::bernoulli),
};

static BETA: NoiseEntry = NoiseEntry {
    name: "beta",
    summary: "beta on [0, 1], narrower with CONCENTRATION; means strictly inside (0, 1)",
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
    summary: "no noise, every reward is the mean",
    example: "constant",
    parameters: &[],
    means: Range::ANY,
    law: |_values| Box::new(Law::constant),
};

static EMPIRICAL: NoiseEntry = NoiseEntry {
    name: "empirical",
    summary: "one of the values at random, moved to the mean",
    example: "empirical:-0.5,0.1,0.4",
    parameters: &[&VALUES],
    means: Range::ANY,
    // Made once, for all nodes to share.
    law: |values| {
        let residuals = Residuals::new(values.get(&VALUES).into());
        Box::new(move |mean| Law::empirical_around(residuals.as_ref().map_err(Clone::clone)?, mean))
    },
};
