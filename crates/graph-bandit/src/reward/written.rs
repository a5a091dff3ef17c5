//! The serialized form of laws.

use super::beta::Beta;
use super::law::{Law, LawError, Shape};
use super::own::Own;
use super::values::Values;
use crate::clock::Time;
use serde::{Deserialize, Serialize};

/// A serialized law: its name and parameters, not yet checked.
#[derive(Serialize, Deserialize)]
#[serde(tag = "law", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Parameters {
    Uniform {
        low: f64,
        high: f64,
    },
    Bernoulli {
        mean: f64,
    },
    Beta {
        alpha: f64,
        beta: f64,
    },
    Gaussian {
        mean: f64,
        deviation: f64,
    },
    TruncatedGaussian {
        location: f64,
        deviation: f64,
        low: f64,
        high: f64,
    },
    Constant {
        value: f64,
    },
    Empirical {
        values: Vec<f64>,
        #[serde(default)]
        shift: f64,
    },
    /// For display only; it cannot be read back. A law that changes over time is shown as it is at
    /// the start.
    Own {
        mean: f64,
        variance: f64,
    },
}

impl TryFrom<Parameters> for Law {
    type Error = LawError;

    fn try_from(parameters: Parameters) -> Result<Self, LawError> {
        match parameters {
            Parameters::Uniform { low, high } => Self::uniform(low, high),
            Parameters::Bernoulli { mean } => Self::bernoulli(mean),
            Parameters::Beta { alpha, beta } => Self::beta(alpha, beta),
            Parameters::Gaussian { mean, deviation } => Self::gaussian(mean, deviation),
            Parameters::TruncatedGaussian { location, deviation, low, high } => {
                Self::truncated_gaussian(location, deviation, (low, high))
            }
            Parameters::Constant { value } => Self::constant(value),
            Parameters::Empirical { values, shift } => {
                Self::empirical_shifted(&Values::new(values.into())?, shift)
            }
            Parameters::Own { mean, .. } => Err(LawError::OwnLaw { mean }),
        }
    }
}

impl From<Law> for Parameters {
    fn from(law: Law) -> Self {
        match law.0 {
            Shape::Uniform { low, high } => Self::Uniform { low, high },
            Shape::Bernoulli { mean } => Self::Bernoulli { mean },
            Shape::Beta(Beta { alpha, beta }) => Self::Beta { alpha, beta },
            Shape::Gaussian { mean, deviation } => Self::Gaussian { mean, deviation },
            Shape::TruncatedGaussian(law) => Self::TruncatedGaussian {
                location: law.location,
                deviation: law.deviation,
                low: law.low,
                high: law.high,
            },
            Shape::Constant { value } => Self::Constant { value },
            Shape::Empirical { shift, values } => {
                Self::Empirical { values: values.list.to_vec(), shift }
            }
            Shape::OverTime(law) => {
                Self::Own { mean: law.mean(Time::START), variance: law.variance() }
            }
            Shape::Own(Own(law)) => {
                Self::Own { mean: law.mean(Time::START), variance: law.variance() }
            }
        }
    }
}
