//! Two-sided CUSUM (Liu, Lee and Shroff, 2018): the first `M` rewards of a node are averaged; from
//! then on, one sum grows with every reward above it and another with every reward below, each less
//! a tolerance, and a sum that reaches the threshold is a change.

use super::{Detector, Record, Verdict};
use crate::clock::Visits;
use crate::estimates::Sample;
use crate::memory::{Memory, MemoryError, Reader};
use crate::tuning::Tuned;

/// The cumulative-sum test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cusum {
    /// The number of rewards that tell the mean before a change.
    pub first: u64,
    /// The tolerated difference from that mean, in units of rewards.
    pub tolerance: f64,
    /// The unit of rewards: twice the noise scale, 1 for rewards within `[0, 1]`.
    pub unit: f64,
    /// The probability of a false alarm; its logarithm is the threshold.
    pub likelihood: Tuned,
}

/// The sums of a node.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Drifts {
    /// The rewards that tell the mean.
    first: Sample,
    above: f64,
    below: f64,
}

impl Detector for Cusum {
    type Record = Drifts;

    fn observe(&self, record: &mut Drifts, reward: f64, t: Visits) -> Verdict {
        if record.first.count < self.first {
            record.first.push(reward);
            return Verdict::Same;
        }
        let difference = (reward - record.first.mean()) / self.unit;
        record.above = (record.above + difference - self.tolerance).max(0.0);
        record.below = (record.below - difference - self.tolerance).max(0.0);
        let threshold = -libm::log(self.likelihood.at(t));
        Verdict::of(record.above.max(record.below) >= threshold)
    }
}

impl Record for Drifts {
    fn store(&self, memory: &mut Memory) {
        memory.push_sample(&self.first);
        memory.values.extend([self.above, self.below]);
    }

    fn recall(stored: &mut Reader<'_>) -> Result<Self, MemoryError> {
        let first = stored.sample()?;
        Ok(Self { first, above: stored.value(), below: stored.value() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_by_hand() {
        let cusum =
            Cusum { first: 4, tolerance: 0.1, unit: 1.0, likelihood: libm::exp(-1.0).into() };
        let mut record = Drifts::default();
        let mut hear = |reward| cusum.observe(&mut record, reward, Visits(1));
        // The mean of the first four is 1/2; then 0.4, 0.8, and 1.2 is above 1.
        for reward in [0.0, 1.0, 1.0, 0.0, 1.0, 1.0] {
            assert_eq!(hear(reward), Verdict::Same);
        }
        assert_eq!(hear(1.0), Verdict::Changed);
    }

    #[test]
    fn both_directions_and_any_unit() {
        for (unit, shift) in [(1.0, -1.0), (1.0, 1.0), (40.0, 40.0), (40.0, -40.0)] {
            let cusum = Cusum { first: 10, tolerance: 0.25, unit, likelihood: 0.01.into() };
            let mut record = Drifts::default();
            let verdicts: Vec<Verdict> = (0..30)
                .map(|k| {
                    cusum.observe(&mut record, if k < 20 { 7.0 } else { 7.0 + shift }, Visits(1))
                })
                .collect();
            // ln(100) = 4.6 at 0.75 a reward: the seventh reward after the change.
            let found = verdicts.iter().position(|verdict| *verdict == Verdict::Changed);
            assert_eq!(found, Some(26));
        }
    }
}
