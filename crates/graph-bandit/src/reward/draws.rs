//! How laws are drawn: reward by reward, or the totals of many visits at once.

use super::law::{Law, Shape};
use super::own::Own;
use super::sums::{self, GaussianTotals, SumTrail, Trail, Trails};
use crate::clock::Time;
use crate::estimates::Sample;
use crate::exact::exact;
use crate::graph::NodeId;
use crate::normal;
use crate::raised::Raised;
use crate::random::{Seed, open_unit};
use std::iter;
use std::ops::Range;

/// Up to this many Gaussian rewards are drawn one by one.
const FEW: u64 = 3;

/// What a tape of sums remembers of its last totals, and whether it draws squares.
#[derive(Debug, Clone)]
pub(crate) enum Memory {
    /// Sums and sums of squares.
    Squares(Trails<Trail>),
    /// Sums alone. The sum of squares of a Gaussian law is then NaN.
    Sums(Trails<SumTrail>),
}

impl Memory {
    /// Nothing yet.
    pub(crate) fn new(with_squares: bool) -> Self {
        if with_squares { Self::Squares(Trails::default()) } else { Self::Sums(Trails::default()) }
    }
}

impl Law {
    /// Reward number `k` on the tape of a node, counted from 0, for a visit that begins at time `at`.
    ///
    /// # Errors
    /// The errors of your own law; the laws of this library have none.
    #[expect(clippy::inline_always, reason = "a tenth of a one-step agent's time")]
    #[inline(always)]
    pub fn draw(&self, tape: Seed, k: u64, at: Time) -> Result<f64, Raised> {
        let mut reward = 0.0;
        self.for_each(tape, iter::once(k), at, |drawn| reward = drawn)?;
        Ok(reward)
    }

    /// Adds the rewards numbered `visits` one by one, in order, to both samples. The first visit
    /// begins at time `at`, and each later one when its predecessor ends.
    ///
    /// # Errors
    /// As for [`draw`](Self::draw); both samples are then unchanged.
    ///
    /// # Complexity
    /// O(number of visits): one or two nanoseconds each for a uniform law, ten for a Gaussian one.
    pub fn draw_many(
        &self,
        (tape, visits): (Seed, Range<u64>),
        at: Time,
        totals: &mut Sample,
        block: &mut Sample,
    ) -> Result<(), Raised> {
        if let Shape::OverTime(law) = &self.0 {
            return law.draw_many((tape, visits), at, totals, block);
        }
        // Copies, so that the sums live in registers, not behind two references.
        let (mut all, mut new) = (*totals, *block);
        let mut pay = |reward| {
            all.push(reward);
            new.push(reward);
        };
        match (self.even_steps(), &self.0) {
            (Some((low, step)), _) => {
                visits.for_each(|k| pay(low + step * exact(tape.bits(k) >> 11)));
            }
            (None, Shape::Gaussian { mean, deviation }) => {
                many_gaussian((*mean, *deviation), tape, visits, pay);
            }
            (None, _) => self.for_each(tape, visits, at, pay)?,
        }
        (*totals, *block) = (all, new);
        Ok(())
    }

    /// Whether the totals of many visits can be drawn at once: true for Bernoulli, Gaussian and
    /// constant laws.
    pub fn has_closed_sums(&self) -> bool {
        matches!(self.0, Shape::Bernoulli { .. } | Shape::Gaussian { .. } | Shape::Constant { .. })
    }

    /// The totals after `k` visits, if [they can be drawn at once](Self::has_closed_sums). `before`
    /// holds the totals after fewer visits, from this method on the same tape, or is empty.
    ///
    /// They have the law of the totals of single draws, but are different numbers. They do not
    /// depend on `before`: any sequence of calls up to `k` leaves the same bits, up to 2^53 visits.
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
    /// O(log k): a microsecond for a thousand visits, a few for a million.
    pub fn totals(&self, tape: Seed, before: &Sample, k: u64) -> Option<Sample> {
        self.totals_by(tape, before, k, || sums::gaussian_totals(tape, k))
    }

    /// As [`totals`](Self::totals), for `node`. If totals of the same node are asked for again and
    /// again, with more visits each time, this takes less time.
    #[inline]
    pub(crate) fn totals_on(
        &self,
        (node, tape): (NodeId, Seed),
        before: &Sample,
        k: u64,
        memory: &mut Memory,
    ) -> Option<Sample> {
        let trails = match memory {
            Memory::Squares(trails) => {
                return self.totals_by(tape, before, k, || trails.totals((node, tape), k));
            }
            Memory::Sums(trails) => trails,
        };
        let Shape::Gaussian { mean, deviation } = self.0 else {
            // Those of other laws follow from the sum.
            return self.totals(tape, before, k);
        };
        let sum = if k <= sums::GAUSSIAN_FIRST {
            let mut sum = before.sum;
            gaussian(mean, deviation, tape, before.count..k, |reward| sum += reward);
            sum
        } else {
            k as f64 * mean + deviation * trails.totals((node, tape), k)
        };
        Some(Sample { count: k, sum, sum_of_squares: f64::NAN })
    }

    /// The totals after `k` visits; `standard` draws those of N(0, 1) after the first few visits.
    fn totals_by(
        &self,
        tape: Seed,
        before: &Sample,
        k: u64,
        standard: impl FnOnce() -> GaussianTotals,
    ) -> Option<Sample> {
        let count = k as f64;
        match &self.0 {
            Shape::Bernoulli { mean } => {
                let paid = before.sum + sums::successes(tape, *mean, before.count..k) as f64;
                Some(Sample { count: k, sum: paid, sum_of_squares: paid })
            }
            Shape::Gaussian { mean, deviation } if k <= sums::GAUSSIAN_FIRST => {
                let mut totals = *before;
                gaussian(*mean, *deviation, tape, before.count..k, |reward| totals.push(reward));
                Some(totals)
            }
            Shape::Gaussian { mean, deviation } => {
                let standard = standard();
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
            | Shape::OverTime(_)
            | Shape::Own(_) => None,
        }
    }

    /// The lowest reward of a uniform law and the step between its 2^53 rewards, if a draw may skip
    /// a product and a comparison: scaling the width is exact, and the highest reward does not
    /// round past the upper end. Rounding is monotone, so no other reward does either.
    pub(super) fn even_steps(&self) -> Option<(f64, f64)> {
        const REWARDS: f64 = 9_007_199_254_740_992.0;
        let Shape::Uniform { low, high } = self.0 else { return None };
        let width = high - low;
        let step = width / REWARDS;
        let is_same = step * REWARDS == width && low + step * (REWARDS - 1.0) <= high;
        is_same.then_some((low, step))
    }

    /// Passes the rewards numbered `visits` to `pay`, in order; matches on the law only once.
    #[expect(clippy::inline_always, reason = "a tenth of a one-step agent's time")]
    #[inline(always)]
    fn for_each(
        &self,
        tape: Seed,
        visits: impl Iterator<Item = u64>,
        at: Time,
        mut pay: impl FnMut(f64),
    ) -> Result<(), Raised> {
        match &self.0 {
            Shape::Uniform { low, high } => {
                let width = high - low;
                // Rounding may pass the upper end by one unit in the last place. Nothing is NaN
                // here, so the minimum is one instruction.
                let lower = |a: f64, b: f64| if b < a { b } else { a };
                // A loop instead of a call of `for_each`, which the compiler may not inline.
                for k in visits {
                    pay(lower(low + width * tape.unit(k), *high));
                }
            }
            Shape::Bernoulli { mean } => {
                for k in visits {
                    pay(f64::from(u8::from(tape.unit(k) < *mean)));
                }
            }
            Shape::Beta(law) => visits.for_each(|k| pay(law.draw(tape, k))),
            Shape::Gaussian { mean, deviation } => gaussian(*mean, *deviation, tape, visits, pay),
            Shape::TruncatedGaussian(law) => visits.for_each(|k| pay(law.draw(tape, k))),
            Shape::Constant { value } => visits.for_each(|_| pay(*value)),
            Shape::Empirical { shift, values } => {
                let list = &*values.list;
                visits.for_each(|k| {
                    let wide = u128::from(tape.bits(k)) * list.len() as u128;
                    pay(list[(wide >> 64) as usize] + shift);
                });
            }
            Shape::OverTime(law) => {
                for (k, earlier) in visits.zip(0..) {
                    let now = at.after(earlier);
                    pay(draw_once(&law.at(now), tape, k, now)?);
                }
            }
            Shape::Own(Own(law)) => {
                let timed = visits.zip(0..);
                for (k, earlier) in timed {
                    pay(law.draw(tape, k, at.after(earlier))?);
                }
            }
        }
        Ok(())
    }
}

/// One reward of a law that is constant at this moment. Not inlined: it would contain itself.
#[inline(never)]
fn draw_once(law: &Law, tape: Seed, k: u64, at: Time) -> Result<f64, Raised> {
    law.draw(tape, k, at)
}

#[inline]
fn gaussian(
    mean: f64,
    deviation: f64,
    tape: Seed,
    visits: impl Iterator<Item = u64>,
    mut pay: impl FnMut(f64),
) {
    visits.for_each(|k| pay(mean + deviation * normal::quantile(open_unit(tape.bits(k)))));
}

/// As [`gaussian`], with the same bits, and in less time if there are several visits.
fn many_gaussian(
    (mean, deviation): (f64, f64),
    tape: Seed,
    visits: Range<u64>,
    mut pay: impl FnMut(f64),
) {
    if visits.end.saturating_sub(visits.start) <= FEW {
        return gaussian(mean, deviation, tape, visits, pay);
    }
    let mut drawn = [0.0; normal::MOST];
    let mut next = visits.start;
    while next < visits.end {
        let count = (visits.end - next).min(normal::MOST as u64);
        let drawn = &mut drawn[..count as usize];
        for (k, number) in (next..).zip(&mut *drawn) {
            *number = open_unit(tape.bits(k));
        }
        normal::quantiles(drawn);
        for number in &*drawn {
            pay(mean + deviation * number);
        }
        next += count;
    }
}
