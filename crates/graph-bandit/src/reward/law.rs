//! The reward laws and their moments.

use super::beta::Beta;
use super::over_time::OverTime;
use super::own::{Course, Own, OwnLaw};
use super::truncated::{self, TruncatedGaussian};
use super::values::Values;
use super::written::Parameters;
use crate::clock::Time;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use thiserror::Error;

/// The largest magnitude of a parameter: far beyond practical values, and no square of a reward
/// overflows.
pub const MAX_MAGNITUDE: f64 = 1e100;

/// The smallest parameter of a beta law.
const SMALLEST_BETA: f64 = 1e-100;

/// Why a law could not be built.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum LawError {
    /// A parameter is infinite, not a number, or absurdly large.
    #[error(
        "{parameter} is {value:?}; give a finite number of magnitude at most {MAX_MAGNITUDE:e}"
    )]
    NotFinite {
        /// The parameter.
        parameter: &'static str,
        /// Its value.
        value: f64,
    },
    /// The lower end of a range is above the upper end.
    #[error("the range from {low:?} to {high:?} is empty; give the lower end first")]
    EmptyRange {
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// The mean of a Bernoulli law is not a probability.
    #[error("a Bernoulli law cannot have mean {mean:?}; give a mean in [0, 1]")]
    NotAProbability {
        /// The mean given.
        mean: f64,
    },
    /// A parameter is too small.
    #[error("{parameter} is {value:?}; give a number of at least {smallest:?}")]
    TooSmall {
        /// The parameter.
        parameter: &'static str,
        /// Its value.
        value: f64,
        /// The smallest allowed value.
        smallest: f64,
    },
    /// The window of a truncated Gaussian law is too far from its location.
    #[error(
        "the window from {low:?} to {high:?} is {distance:?} deviations from the location; move it \
         to within {}",
        truncated::FARTHEST
    )]
    WindowTooFar {
        /// The lower end of the window.
        low: f64,
        /// The upper end of the window.
        high: f64,
        /// The distance from the location to the nearest point of the window, in deviations.
        distance: f64,
    },
    /// The window of a truncated Gaussian law is too narrow.
    #[error(
        "the window from {low:?} to {high:?} is only {width:?} deviations wide, below {:e}; the \
         law is nearly uniform there, so use a uniform law",
        truncated::NARROWEST
    )]
    WindowTooNarrow {
        /// The lower end of the window.
        low: f64,
        /// The upper end of the window.
        high: f64,
        /// The width of the window in deviations.
        width: f64,
    },
    /// Your own law has no serialized form to read.
    #[error("your own law (mean {mean:?}) cannot be read back; build it with `Law::own`")]
    OwnLaw {
        /// Its mean.
        mean: f64,
    },
    /// Your own law decides itself how its mean changes.
    #[error(
        "your own law (mean {mean:?}) cannot follow a timetable; let its own mean depend on the \
         time, or use a noise of the library"
    )]
    OwnCourse {
        /// Its mean.
        mean: f64,
    },
    /// An empirical law has no values.
    #[error("an empirical law has no values; give at least one")]
    NoValues,
}

/// The reward law of one node; valid by construction.
///
/// ```
/// use graph_bandit::{Law, Seed, Time};
/// let law = Law::uniform(0.5, 1.5)?;
/// assert_eq!((law.mean(), law.range()), (1.0, (0.5, 1.5)));
/// let reward = law.draw(Seed(7), 3, Time::START);
/// assert_eq!(reward, law.draw(Seed(7), 3, Time(100.0)));
/// # Ok::<(), graph_bandit::LawError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parameters", into = "Parameters")]
pub struct Law(pub(super) Shape);

/// At most three words, so that a million laws stay small.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    Uniform { low: f64, high: f64 },
    Bernoulli { mean: f64 },
    Beta(Beta),
    Gaussian { mean: f64, deviation: f64 },
    TruncatedGaussian(Box<TruncatedGaussian>),
    Constant { value: f64 },
    Empirical { shift: f64, values: Arc<Values> },
    OverTime(Arc<OverTime>),
    Own(Own),
}

impl Law {
    /// Your own law.
    ///
    /// # Errors
    /// When its mean is not finite, or its variance or scale is negative or not finite.
    pub fn own(law: Arc<dyn OwnLaw>) -> Result<Self, LawError> {
        check_finite("the mean", law.mean(Time::START))?;
        for (parameter, value) in
            [("the variance", law.variance()), ("the sub-Gaussian scale", law.sub_gaussian_scale())]
        {
            check_finite(parameter, value)?;
            check_at_least(0.0, parameter, value)?;
        }
        Ok(Self(Shape::Own(Own(law))))
    }

    /// Uniform on `[low, high]`.
    ///
    /// # Errors
    /// When an end is not finite or `low > high`.
    pub fn uniform(low: f64, high: f64) -> Result<Self, LawError> {
        check_range(low, high)?;
        Ok(Self(Shape::Uniform { low, high }))
    }

    /// 1 with probability `mean`, else 0.
    ///
    /// # Errors
    /// When `mean` is not in `[0, 1]`.
    pub fn bernoulli(mean: f64) -> Result<Self, LawError> {
        if (0.0..=1.0).contains(&mean) {
            Ok(Self(Shape::Bernoulli { mean }))
        } else {
            Err(LawError::NotAProbability { mean })
        }
    }

    /// Beta(alpha, beta) on `[0, 1]`.
    ///
    /// # Errors
    /// When a parameter is not finite or not positive.
    pub fn beta(alpha: f64, beta: f64) -> Result<Self, LawError> {
        for (parameter, value) in [("alpha", alpha), ("beta", beta)] {
            check_finite(parameter, value)?;
            check_at_least(SMALLEST_BETA, parameter, value)?;
        }
        Ok(Self(Shape::Beta(Beta { alpha, beta })))
    }

    /// Gaussian; a deviation of zero is allowed.
    ///
    /// # Errors
    /// When a parameter is not finite or the deviation is negative.
    pub fn gaussian(mean: f64, deviation: f64) -> Result<Self, LawError> {
        check_finite("the mean", mean)?;
        check_finite("the deviation", deviation)?;
        check_at_least(0.0, "the deviation", deviation)?;
        Ok(Self(Shape::Gaussian { mean, deviation }))
    }

    /// Gaussian around `location`, conditioned on falling into `window`, given as (low, high).
    ///
    /// # Errors
    /// When a parameter is not finite, the deviation is not positive, or the window is empty, more
    /// than 37 deviations away or less than a millionth of a deviation wide.
    pub fn truncated_gaussian(
        location: f64,
        deviation: f64,
        window: (f64, f64),
    ) -> Result<Self, LawError> {
        check_finite("the location", location)?;
        check_finite("the deviation", deviation)?;
        check_at_least(f64::MIN_POSITIVE, "the deviation", deviation)?;
        let (low, high) = window;
        check_range(low, high)?;
        let (distance, width) = truncated::distance_and_width(location, deviation, window);
        if distance > truncated::FARTHEST {
            return Err(LawError::WindowTooFar { low, high, distance });
        }
        if width < truncated::NARROWEST {
            return Err(LawError::WindowTooNarrow { low, high, width });
        }
        let law = TruncatedGaussian::new(location, deviation, window);
        Ok(Self(Shape::TruncatedGaussian(Box::new(law))))
    }

    /// Always `value`.
    ///
    /// # Errors
    /// When `value` is not finite.
    pub fn constant(value: f64) -> Result<Self, LawError> {
        check_finite("the value", value)?;
        Ok(Self(Shape::Constant { value }))
    }

    /// Each of `values` with the same probability.
    ///
    /// # Errors
    /// When there are no values or one is not finite.
    pub fn empirical(values: impl Into<Box<[f64]>>) -> Result<Self, LawError> {
        Self::empirical_shifted(&Values::new(values.into())?, 0.0)
    }

    /// Each of `values` with the same probability, shifted so that their mean is `mean` up to
    /// rounding.
    pub(crate) fn empirical_around(values: &Arc<Values>, mean: f64) -> Result<Self, LawError> {
        check_finite("the mean", mean)?;
        Self::empirical_shifted(values, mean - values.mean)
    }

    pub(super) fn empirical_shifted(values: &Arc<Values>, shift: f64) -> Result<Self, LawError> {
        check_finite("the shift", shift)?;
        Ok(Self(Shape::Empirical { shift, values: Arc::clone(values) }))
    }

    /// The expected reward of a visit that begins at time `at`.
    #[inline]
    pub fn mean_at(&self, at: Time) -> f64 {
        match &self.0 {
            Shape::OverTime(law) => law.mean(at),
            Shape::Own(Own(law)) => law.mean(at),
            _ => self.mean(),
        }
    }

    /// Whether the law is the same at all times.
    pub fn course(&self) -> Course {
        match &self.0 {
            Shape::OverTime(_) => Course::Changing,
            Shape::Own(Own(law)) => law.course(),
            _ => Course::Constant,
        }
    }

    /// `mu`, the expected reward; if it changes over time, at the start.
    pub fn mean(&self) -> f64 {
        match &self.0 {
            Shape::Uniform { low, high } => 0.5 * (low + high),
            Shape::Bernoulli { mean } | Shape::Gaussian { mean, .. } => *mean,
            Shape::Beta(law) => law.mean(),
            Shape::TruncatedGaussian(law) => law.mean,
            Shape::Constant { value } => *value,
            Shape::Empirical { shift, values } => shift + values.mean,
            Shape::OverTime(law) => law.mean(Time::START),
            Shape::Own(Own(law)) => law.mean(Time::START),
        }
    }

    /// The variance of a reward; if it changes over time, at the start.
    pub fn variance(&self) -> f64 {
        match &self.0 {
            Shape::Uniform { low, high } => (high - low) * (high - low) / 12.0,
            Shape::Bernoulli { mean } => mean * (1.0 - mean),
            Shape::Beta(law) => law.variance(),
            Shape::Gaussian { deviation, .. } => deviation * deviation,
            Shape::TruncatedGaussian(law) => law.variance,
            Shape::Constant { .. } => 0.0,
            Shape::Empirical { values, .. } => values.variance,
            Shape::OverTime(law) => law.variance(),
            Shape::Own(Own(law)) => law.variance(),
        }
    }

    /// The lowest and the highest possible reward; infinite for a Gaussian law.
    pub fn range(&self) -> (f64, f64) {
        match &self.0 {
            Shape::Uniform { low, high } => (*low, *high),
            Shape::Bernoulli { mean: 0.0 } => (0.0, 0.0),
            Shape::Bernoulli { mean: 1.0 } => (1.0, 1.0),
            Shape::Bernoulli { .. } | Shape::Beta(_) => (0.0, 1.0),
            Shape::Gaussian { mean, deviation: 0.0 } => (*mean, *mean),
            Shape::Gaussian { .. } => (f64::NEG_INFINITY, f64::INFINITY),
            Shape::TruncatedGaussian(law) => (law.low, law.high),
            Shape::Constant { value } => (*value, *value),
            Shape::Empirical { shift, values } => (values.low + shift, values.high + shift),
            Shape::OverTime(law) => law.range(),
            Shape::Own(Own(law)) => law.range(),
        }
    }

    /// A number `s` with `log E exp(l (r - mu)) <= l^2 s^2 / 2` for every `l`: the factor of a
    /// confidence radius.
    ///
    /// For a bounded law it is half the range (Hoeffding's lemma), for a Gaussian law its
    /// deviation, and for a truncated Gaussian the smaller of the two: truncation keeps the density
    /// as strongly log-concave as before, which bounds the tails by the original deviation.
    pub fn sub_gaussian_scale(&self) -> f64 {
        match &self.0 {
            Shape::Uniform { low, high } => 0.5 * (high - low),
            Shape::Bernoulli { .. } | Shape::Beta(_) => 0.5,
            Shape::Gaussian { deviation, .. } => *deviation,
            Shape::TruncatedGaussian(law) => law.deviation.min(0.5 * (law.high - law.low)),
            Shape::Constant { .. } => 0.0,
            Shape::Empirical { values, .. } => 0.5 * (values.high - values.low),
            Shape::OverTime(law) => law.sub_gaussian_scale(),
            Shape::Own(Own(law)) => law.sub_gaussian_scale(),
        }
    }
}

pub(super) fn check_finite(parameter: &'static str, value: f64) -> Result<(), LawError> {
    // False for NaN, too.
    if value.abs() <= MAX_MAGNITUDE {
        Ok(())
    } else {
        Err(LawError::NotFinite { parameter, value })
    }
}

pub(super) fn check_at_least(
    smallest: f64,
    parameter: &'static str,
    value: f64,
) -> Result<(), LawError> {
    if value >= smallest { Ok(()) } else { Err(LawError::TooSmall { parameter, value, smallest }) }
}

pub(super) fn check_range(low: f64, high: f64) -> Result<(), LawError> {
    check_finite("the lower end", low)?;
    check_finite("the upper end", high)?;
    if low <= high { Ok(()) } else { Err(LawError::EmptyRange { low, high }) }
}
