//! A law whose mean changes over time; the rest of its shape stays.

use super::beta::Beta;
use super::law::{Law, LawError, Shape};
use crate::clock::Time;
use crate::estimates::Sample;
use crate::raised::Raised;
use crate::random::Seed;
use crate::timetable::Track;
use std::ops::Range;
use std::sync::Arc;

/// A law and the mean that it has at every moment.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OverTime {
    /// The law at the start.
    law: Law,
    track: Arc<Track>,
}

impl OverTime {
    /// The law at a moment.
    #[inline]
    pub(super) fn at(&self, at: Time) -> Law {
        // Both ends of the means were accepted, so every mean between them is.
        self.law.with_mean(self.track.mean(at)).unwrap_or_else(|_| self.law.clone())
    }

    #[inline]
    pub(super) fn mean(&self, at: Time) -> f64 {
        self.track.mean(at)
    }

    /// The laws with the lowest and with the highest mean.
    fn ends(&self) -> [Law; 2] {
        let (low, high) = self.track.ends();
        [low, high].map(|mean| self.law.with_mean(mean).unwrap_or_else(|_| self.law.clone()))
    }

    pub(super) fn variance(&self) -> f64 {
        self.at(Time::START).variance()
    }

    pub(super) fn range(&self) -> (f64, f64) {
        let [(low, a), (b, high)] = self.ends().map(|law| law.range());
        (low.min(b), high.max(a))
    }

    pub(super) fn sub_gaussian_scale(&self) -> f64 {
        let [low, high] = self.ends().map(|law| law.sub_gaussian_scale());
        low.max(high).max(self.law.sub_gaussian_scale())
    }

    /// See [`Law::draw_many`]: stretch by stretch, so that a constant one is as fast as a constant
    /// law.
    pub(super) fn draw_many(
        &self,
        (tape, visits): (Seed, Range<u64>),
        at: Time,
        totals: &mut Sample,
        block: &mut Sample,
    ) -> Result<(), Raised> {
        let mut from = visits.start;
        while from < visits.end {
            let now = at.after(from - visits.start);
            let until = self.track.next_change(now);
            // The visits that begin before the change; at least this one.
            let ahead = ((until - now.0).ceil() as u64).max(1);
            let to = from.saturating_add(ahead).min(visits.end);
            self.at(now).draw_many((tape, from..to), now, totals, block)?;
            from = to;
        }
        Ok(())
    }
}

impl Law {
    /// The same law with another mean: moved, or with the same concentration.
    ///
    /// # Errors
    /// When the law cannot have this mean, or is your own, which has its own course.
    pub fn with_mean(&self, mean: f64) -> Result<Self, LawError> {
        if mean == self.mean() && !matches!(self.0, Shape::OverTime(_) | Shape::Own(_)) {
            return Ok(self.clone());
        }
        match &self.0 {
            Shape::Uniform { low, high } => {
                let half = 0.5 * (high - low);
                Self::uniform(mean - half, mean + half)
            }
            Shape::Bernoulli { .. } => Self::bernoulli(mean),
            Shape::Beta(Beta { alpha, beta }) => {
                let concentration = alpha + beta;
                Self::beta(concentration * mean, concentration * (1.0 - mean))
            }
            Shape::Gaussian { deviation, .. } => Self::gaussian(mean, *deviation),
            Shape::TruncatedGaussian(law) => {
                let by = mean - law.mean;
                let window = (law.low + by, law.high + by);
                Self::truncated_gaussian(law.location + by, law.deviation, window)
            }
            Shape::Constant { .. } => Self::constant(mean),
            Shape::Empirical { values, .. } => Self::empirical_around(values, mean),
            Shape::OverTime(law) => law.law.with_mean(mean),
            Shape::Own(_) => Err(LawError::OwnCourse { mean: self.mean() }),
        }
    }

    /// The same law with the mean of this track at every moment.
    pub(crate) fn over_time(&self, track: &Arc<Track>) -> Result<Self, LawError> {
        let (low, high) = track.ends();
        self.with_mean(low)?;
        self.with_mean(high)?;
        let law = self.with_mean(track.mean(Time::START))?;
        Ok(Self(Shape::OverTime(Arc::new(OverTime { law, track: Arc::clone(track) }))))
    }
}
