//! A mean that is constant between its changes.

use crate::clock::Time;

/// The means of one node, each from its moment on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Steps {
    /// Ascending moments and means; the first holds from the beginning.
    from: Vec<(f64, f64)>,
}

impl From<f64> for Steps {
    fn from(mean: f64) -> Self {
        Self { from: vec![(f64::NEG_INFINITY, mean)] }
    }
}

impl Steps {
    /// Adds a change, not before those already there. A change to the same mean is not one.
    pub(super) fn change(&mut self, at: f64, mean: f64) {
        match self.from.last_mut() {
            Some((from, last)) if *from == at => *last = mean,
            Some((_, last)) if *last == mean => {}
            _ => self.from.push((at, mean)),
        }
    }

    /// The number of the entry that holds at a moment.
    #[inline]
    fn entry(&self, at: Time) -> usize {
        // The first entry holds from the beginning, so there is always one.
        self.from.partition_point(|(from, _)| *from <= at.0).max(1) - 1
    }

    #[inline]
    pub(super) fn mean(&self, at: Time) -> f64 {
        self.from[self.entry(at)].1
    }

    pub(super) fn next_change(&self, at: Time) -> f64 {
        self.from.get(self.entry(at) + 1).map_or(f64::INFINITY, |(from, _)| *from)
    }

    pub(super) fn ends(&self) -> (f64, f64) {
        let ends = (f64::INFINITY, f64::NEG_INFINITY);
        self.from.iter().fold(ends, |(low, high), &(_, mean)| (low.min(mean), high.max(mean)))
    }

    pub(super) fn moments(&self) -> impl Iterator<Item = f64> + '_ {
        self.from.iter().skip(1).map(|(from, _)| *from)
    }
}
