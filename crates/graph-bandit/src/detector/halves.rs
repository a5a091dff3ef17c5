//! The test of M-UCB (Cao, Wen, Kveton and Xie, 2019): the last `w` rewards of a node, in two
//! halves. If their sums differ by more than a threshold, the mean has changed.

use super::{Detector, Record, Verdict};
use crate::clock::Visits;
use crate::exact::exact;
use crate::memory::{Memory, MemoryError, Reader};
use crate::tuning::Tuned;
use std::collections::VecDeque;

/// Compares the two halves of the last rewards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Halves {
    /// The number of rewards compared, an even number.
    pub window: usize,
    /// The unit of rewards: twice the noise scale, 1 for rewards within `[0, 1]`.
    pub unit: f64,
    /// The probability of a false alarm at one test.
    pub likelihood: Tuned,
}

impl Halves {
    /// By how much the sums of two halves may differ: Hoeffding's bound.
    fn threshold(&self, t: Visits) -> f64 {
        let logarithm = libm::log(2.0 / self.likelihood.at(t));
        self.unit * (0.5 * exact(self.window as u64) * logarithm).sqrt()
    }
}

/// The last rewards of a node, oldest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Last(VecDeque<f64>);

impl Detector for Halves {
    type Record = Last;

    fn observe(&self, record: &mut Last, reward: f64, t: Visits) -> Verdict {
        let last = &mut record.0;
        while last.len() >= self.window {
            last.pop_front();
        }
        last.push_back(reward);
        if last.len() < self.window {
            return Verdict::Same;
        }
        let half = self.window / 2;
        let before: f64 = last.iter().take(half).sum();
        let after: f64 = last.iter().skip(half).sum();
        Verdict::of((before - after).abs() > self.threshold(t))
    }
}

impl Record for Last {
    fn store(&self, memory: &mut Memory) {
        memory.counts.push(self.0.len() as u64);
        memory.values.extend(&self.0);
    }

    fn recall(stored: &mut Reader<'_>) -> Result<Self, MemoryError> {
        let count = stored.count();
        Ok(Self(stored.values(count).into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_by_hand() {
        // The threshold is sqrt(4 / 2 ln(2 / delta)) = 1.5 at delta = 2 exp(-1.125).
        let likelihood = |factor: f64| Tuned::from(factor * 2.0 * libm::exp(-1.125));
        let found = |halves: Halves| {
            let mut last = Last::default();
            let rewards = [9.0, 1.0, 0.0, 1.0, 1.0, 1.5, 1.5, 0.5];
            let verdicts = rewards.map(|reward| halves.observe(&mut last, reward, Visits(1)));
            verdicts.map(|verdict| verdict == Verdict::Changed)
        };
        let halves = Halves { window: 4, unit: 1.0, likelihood: likelihood(1.001) };
        // Sums of halves: 10 and 1; 1 and 2; 1 and 2.5; 2 and 3; 2.5 and 2.
        let expected = [false, false, false, true, false, true, false, false];
        assert_eq!(found(halves), expected);
        let stricter = Halves { likelihood: likelihood(0.999), ..halves };
        assert_eq!(found(stricter).iter().filter(|&&changed| changed).count(), 1);
        let coarser = Halves { unit: 7.0, ..halves };
        assert_eq!(found(coarser), [false; 8]);
    }
}
