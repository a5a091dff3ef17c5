//! The laws a reward can follow, their moments, and how they are drawn.

use super::beta::Beta;
use super::sums;
use super::truncated::{self, TruncatedGaussian};
use crate::estimates::Sample;
use crate::exact::exact;
use crate::normal;
use crate::random::{Seed, open_unit};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::iter;
use std::ops::Range;
use std::sync::Arc;
use thiserror::Error;

/// The largest magnitude of a parameter: far beyond use, and no square of a reward overflows.
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
        /// Which parameter.
        parameter: &'static str,
        /// What it was.
        value: f64,
    },
    /// The lower end of a range lies above the upper one.
    #[error("the range from {low:?} to {high:?} is empty; give the lower end first")]
    EmptyRange {
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// The mean of a Bernoulli law is no probability.
    #[error("a Bernoulli law cannot have mean {mean:?}; give a mean in [0, 1]")]
    NotAProbability {
        /// The mean asked for.
        mean: f64,
    },
    /// A parameter that must be positive is not.
    #[error("{parameter} is {value:?}; give a number of at least {smallest:?}")]
    TooSmall {
        /// Which parameter.
        parameter: &'static str,
        /// What it was.
        value: f64,
        /// The smallest there is.
        smallest: f64,
    },
    /// A Gaussian law is cut to where it hardly ever falls.
    #[error(
        "the window from {low:?} to {high:?} is {distance:?} deviations from the location; move it to \
         within {}",
        truncated::FARTHEST
    )]
    WindowTooFar {
        /// The lower end of the window.
        low: f64,
        /// The upper end of the window.
        high: f64,
        /// From the location to the nearest point of the window, in deviations.
        distance: f64,
    },
    /// A Gaussian law is cut to where its density hardly changes.
    #[error(
        "the window from {low:?} to {high:?} is only {width:?} deviations wide, below {:e}; the law is \
         nearly uniform there, so ask for a uniform law",
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
    /// A law of somebody's own has no text to be read from.
    #[error("a law of your own (mean {mean:?}) cannot be read back; build it with `Law::own`")]
    OwnLaw {
        /// Its mean.
        mean: f64,
    },
    /// An empirical law has nothing to draw from.
    #[error("an empirical law was given no values; give at least one")]
    NoValues,
}

/// The law of the rewards of one node; valid by construction.
///
/// ```
/// use graph_bandit::random::Seed;
/// use graph_bandit::reward::Law;
/// let law = Law::uniform(0.5, 1.5)?;
/// assert_eq!((law.mean(), law.range()), (1.0, (0.5, 1.5)));
/// assert_eq!(law.draw(Seed(7), 3), law.draw(Seed(7), 3));
/// # Ok::<(), graph_bandit::reward::LawError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parameters", into = "Parameters")]
pub struct Law(Shape);

/// Three words at most, so that a million laws stay small.
#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Uniform { low: f64, high: f64 },
    Bernoulli { mean: f64 },
    Beta(Beta),
    Gaussian { mean: f64, deviation: f64 },
    TruncatedGaussian(Box<TruncatedGaussian>),
    Constant { value: f64 },
    Empirical { shift: f64, values: Arc<Values> },
    Own(Own),
}

/// A law of your own, shared by its copies; two are equal when they are one.
#[derive(Debug, Clone)]
struct Own(Arc<dyn OwnLaw>);

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A law that this library does not have.
pub trait OwnLaw: fmt::Debug + Send + Sync {
    /// Reward number `k` on the tape of a node: a finite number, a pure function of both.
    fn draw(&self, tape: Seed, k: u64) -> f64;

    /// The expected reward.
    fn mean(&self) -> f64;

    /// The variance of a reward.
    fn variance(&self) -> f64;

    /// The lowest and the highest possible reward.
    fn range(&self) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }

    /// See [`Law::sub_gaussian_scale`].
    fn sub_gaussian_scale(&self) -> f64;
}

impl Law {
    /// A law of your own.
    ///
    /// # Errors
    /// When its mean is not finite, or its variance or scale is negative or not finite.
    pub fn own(law: Arc<dyn OwnLaw>) -> Result<Self, LawError> {
        check_finite("the mean", law.mean())?;
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

    /// Gaussian around `location`, given that it falls into `window`, its lower end first.
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
    /// When there is none or one is not finite.
    pub fn empirical(values: impl Into<Box<[f64]>>) -> Result<Self, LawError> {
        Self::empirical_shifted(&Values::new(values.into())?, 0.0)
    }

    /// Each of `values` with the same probability, moved so that their mean is `mean` up to rounding.
    pub(crate) fn empirical_around(values: &Arc<Values>, mean: f64) -> Result<Self, LawError> {
        check_finite("the mean", mean)?;
        Self::empirical_shifted(values, mean - values.mean)
    }

    fn empirical_shifted(values: &Arc<Values>, shift: f64) -> Result<Self, LawError> {
        check_finite("the shift", shift)?;
        Ok(Self(Shape::Empirical { shift, values: Arc::clone(values) }))
    }

    /// `mu`, the expected reward.
    pub fn mean(&self) -> f64 {
        match &self.0 {
            Shape::Uniform { low, high } => 0.5 * (low + high),
            Shape::Bernoulli { mean } | Shape::Gaussian { mean, .. } => *mean,
            Shape::Beta(law) => law.mean(),
            Shape::TruncatedGaussian(law) => law.mean,
            Shape::Constant { value } => *value,
            Shape::Empirical { shift, values } => shift + values.mean,
            Shape::Own(Own(law)) => law.mean(),
        }
    }

    /// The variance of a reward.
    pub fn variance(&self) -> f64 {
        match &self.0 {
            Shape::Uniform { low, high } => (high - low) * (high - low) / 12.0,
            Shape::Bernoulli { mean } => mean * (1.0 - mean),
            Shape::Beta(law) => law.variance(),
            Shape::Gaussian { deviation, .. } => deviation * deviation,
            Shape::TruncatedGaussian(law) => law.variance,
            Shape::Constant { .. } => 0.0,
            Shape::Empirical { values, .. } => values.variance,
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
            Shape::Own(Own(law)) => law.range(),
        }
    }

    /// A number `s` with `log E exp(l (r - mu)) <= l^2 s^2 / 2` for every `l`: what a confidence
    /// radius is to be multiplied by.
    ///
    /// For a bounded law it is half the range (Hoeffding's lemma), for a Gaussian one its deviation,
    /// and for a truncated Gaussian the lesser of the two: cutting keeps the density as strongly
    /// log-concave as it was, and that bounds the tails by the uncut deviation.
    pub fn sub_gaussian_scale(&self) -> f64 {
        match &self.0 {
            Shape::Uniform { low, high } => 0.5 * (high - low),
            Shape::Bernoulli { .. } | Shape::Beta(_) => 0.5,
            Shape::Gaussian { deviation, .. } => *deviation,
            Shape::TruncatedGaussian(law) => law.deviation.min(0.5 * (law.high - law.low)),
            Shape::Constant { .. } => 0.0,
            Shape::Empirical { values, .. } => 0.5 * (values.high - values.low),
            Shape::Own(Own(law)) => law.sub_gaussian_scale(),
        }
    }

    /// Reward number `k` on the tape of a node, counted from 0.
    #[inline]
    pub fn draw(&self, tape: Seed, k: u64) -> f64 {
        let mut reward = 0.0;
        self.for_each(tape, iter::once(k), |drawn| reward = drawn);
        reward
    }

    /// Adds the rewards numbered `visits` one by one, in order, to both samples.
    ///
    /// # Complexity
    /// O(number of visits): one or two nanoseconds each for a uniform law, ten for a Gaussian one.
    pub fn draw_many(
        &self,
        tape: Seed,
        visits: Range<u64>,
        totals: &mut Sample,
        block: &mut Sample,
    ) {
        // Copies, so that the sums live in registers and not behind two references.
        let (mut all, mut new) = (*totals, *block);
        let mut pay = |reward| {
            all.push(reward);
            new.push(reward);
        };
        match self.even_steps() {
            Some((low, step)) => visits.for_each(|k| pay(low + step * exact(tape.bits(k) >> 11))),
            None => self.for_each(tape, visits, pay),
        }
        (*totals, *block) = (all, new);
    }

    /// The rewards numbered `visits`, summed up.
    pub fn sample(&self, tape: Seed, visits: Range<u64>) -> Sample {
        let mut sample = Sample::default();
        self.for_each(tape, visits, |reward| sample.push(reward));
        sample
    }

    /// Whether the totals of many visits can be drawn at once: for Bernoulli, Gaussian and constant
    /// laws.
    pub fn has_closed_sums(&self) -> bool {
        matches!(self.0, Shape::Bernoulli { .. } | Shape::Gaussian { .. } | Shape::Constant { .. })
    }

    /// The totals after `k` visits, where [they can be drawn at once](Self::has_closed_sums); `before`
    /// are those after fewer visits, by this method on the same tape or empty.
    ///
    /// They have the law of the totals of single draws, but are not the same numbers. They do not
    /// depend on which totals came before: any way to `k` leaves the same bits, up to 2^53 visits.
    ///
    /// ```
    /// use graph_bandit::{Law, Sample, Seed};
    /// let law = Law::gaussian(0.5, 1.0)?;
    /// let at_once = law.totals(Seed(7), &Sample::default(), 1_000_000).unwrap();
    /// let part = law.totals(Seed(7), &Sample::default(), 300_000).unwrap();
    /// assert_eq!(law.totals(Seed(7), &part, 1_000_000), Some(at_once));
    /// assert!((at_once.mean() - 0.5).abs() < 0.005);
    /// # Ok::<(), graph_bandit::LawError>(())
    /// ```
    ///
    /// # Complexity
    /// O(log k): a microsecond where `k` is a thousand, a few where it is a million.
    pub fn totals(&self, tape: Seed, before: &Sample, k: u64) -> Option<Sample> {
        let count = k as f64;
        match &self.0 {
            Shape::Bernoulli { mean } => {
                let paid = before.sum + sums::successes(tape, *mean, before.count..k) as f64;
                Some(Sample { count: k, sum: paid, sum_of_squares: paid })
            }
            Shape::Gaussian { .. } if k <= sums::GAUSSIAN_FIRST => {
                let mut totals = *before;
                self.for_each(tape, before.count..k, |reward| totals.push(reward));
                Some(totals)
            }
            Shape::Gaussian { mean, deviation } => {
                let standard = sums::gaussian_totals(tape, k);
                let average = mean + deviation * standard.mean;
                let squares = deviation * deviation * standard.squares;
                Some(Sample {
                    count: k,
                    sum: count * average,
                    sum_of_squares: squares + count * (average * average),
                })
            }
            Shape::Constant { value } => Some(Sample {
                count: k,
                sum: count * value,
                sum_of_squares: count * (value * value),
            }),
            Shape::Uniform { .. }
            | Shape::Beta(_)
            | Shape::TruncatedGaussian(_)
            | Shape::Empirical { .. }
            | Shape::Own(_) => None,
        }
    }

    /// The lowest reward of a uniform law and the step from each of its 2^53 rewards to the next,
    /// where a draw may leave out a product and a comparison: where scaling the width is exact, and
    /// the highest reward is not rounded past the upper end. Rounding keeps order, so none is then.
    pub(super) fn even_steps(&self) -> Option<(f64, f64)> {
        const REWARDS: f64 = 9_007_199_254_740_992.0;
        let Shape::Uniform { low, high } = self.0 else { return None };
        let width = high - low;
        let step = width / REWARDS;
        let is_same = step * REWARDS == width && low + step * (REWARDS - 1.0) <= high;
        is_same.then_some((low, step))
    }

    /// Hands the rewards numbered `visits` to `pay`, in order; looks at the law only once.
    #[inline]
    fn for_each(&self, tape: Seed, visits: impl Iterator<Item = u64>, mut pay: impl FnMut(f64)) {
        match &self.0 {
            Shape::Uniform { low, high } => {
                let width = high - low;
                // Rounding may lead past the upper end by one unit in the last place. Nothing is NaN
                // here, so the lower of the two is one instruction.
                let lower = |a: f64, b: f64| if b < a { b } else { a };
                visits.for_each(|k| pay(lower(low + width * tape.unit(k), *high)));
            }
            Shape::Bernoulli { mean } => {
                visits.for_each(|k| pay(f64::from(u8::from(tape.unit(k) < *mean))));
            }
            Shape::Beta(law) => visits.for_each(|k| pay(law.draw(tape, k))),
            Shape::Gaussian { mean, deviation } => visits.for_each(|k| {
                pay(mean + deviation * normal::quantile(open_unit(tape.bits(k))));
            }),
            Shape::TruncatedGaussian(law) => visits.for_each(|k| pay(law.draw(tape, k))),
            Shape::Constant { value } => visits.for_each(|_| pay(*value)),
            Shape::Empirical { shift, values } => {
                let list = &*values.list;
                visits.for_each(|k| {
                    let wide = u128::from(tape.bits(k)) * list.len() as u128;
                    pay(list[(wide >> 64) as usize] + shift);
                });
            }
            Shape::Own(Own(law)) => visits.for_each(|k| pay(law.draw(tape, k))),
        }
    }
}

/// The values of an empirical law and what follows from them, shared by its shifted copies.
#[derive(Debug, PartialEq)]
pub(crate) struct Values {
    list: Box<[f64]>,
    mean: f64,
    variance: f64,
    low: f64,
    high: f64,
}

impl Values {
    pub(crate) fn new(list: Box<[f64]>) -> Result<Arc<Self>, LawError> {
        if list.is_empty() {
            return Err(LawError::NoValues);
        }
        for &value in &list {
            check_finite("a value", value)?;
        }
        let average = |f: &dyn Fn(f64) -> f64| {
            list.iter().map(|&value| f(value)).sum::<f64>() / list.len() as f64
        };
        let low = list.iter().copied().fold(f64::INFINITY, f64::min);
        let high = list.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Measured from the lowest value, so that equal values have exactly their mean.
        let mean = (low + average(&|value| value - low)).min(high);
        let variance = average(&|value| (value - mean) * (value - mean));
        Ok(Arc::new(Self { list, mean, variance, low, high }))
    }
}

fn check_finite(parameter: &'static str, value: f64) -> Result<(), LawError> {
    // False for what is not a number, too.
    if value.abs() <= MAX_MAGNITUDE {
        Ok(())
    } else {
        Err(LawError::NotFinite { parameter, value })
    }
}

fn check_at_least(smallest: f64, parameter: &'static str, value: f64) -> Result<(), LawError> {
    if value >= smallest { Ok(()) } else { Err(LawError::TooSmall { parameter, value, smallest }) }
}

fn check_range(low: f64, high: f64) -> Result<(), LawError> {
    check_finite("the lower end", low)?;
    check_finite("the upper end", high)?;
    if low <= high { Ok(()) } else { Err(LawError::EmptyRange { low, high }) }
}

/// A law as it is written down: its name and parameters, not yet checked.
#[derive(Serialize, Deserialize)]
#[serde(tag = "law", rename_all = "kebab-case", deny_unknown_fields)]
enum Parameters {
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
    /// Written for people to see; it cannot be read back.
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
            Shape::Own(Own(law)) => Self::Own { mean: law.mean(), variance: law.variance() },
        }
    }
}
