//! The generalized likelihood ratio (Besson, Kaufmann, Maillard and Seznec, 2022): does any split
//! of the rewards into earlier and later ones explain them much better than one mean?
//!
//! After `n` rewards, the split after the first `s` scores
//! `s kl(mean of s, mean) + (n - s) kl(mean of the others, mean)`, and a score of at least
//! `ln(3 n^1.5 / delta)` is a change. As in the published experiments, only every tenth `n` and `s`
//! is tested. On long stays memory stays bounded: beyond 512 splits, every other one is dropped.

use super::{Detector, Record, Verdict};
use crate::clock::Visits;
use crate::divergence::Divergence;
use crate::exact::exact;
use crate::memory::{Memory, MemoryError, Reader};
use crate::tuning::Tuned;

/// Rewards between two tests, and between two splits at first.
const SPACING: u64 = 10;

/// The most splits that are stored.
const MOST_SPLITS: usize = 512;

/// The test by generalized likelihood ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glr {
    divergence: Divergence,
    delta: Tuned,
}

impl Glr {
    /// A test of rewards of this family that raises a false alarm with probability at most `delta`.
    pub fn new(divergence: Divergence, delta: impl Into<Tuned>) -> Self {
        Self { divergence, delta: delta.into() }
    }
}

/// The sum of a node's first rewards, at evenly spaced counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Sums {
    count: u64,
    sum: f64,
    spacing: u64,
    /// The sums of the first `spacing`, `2 spacing`, .. rewards.
    at: Vec<f64>,
}

impl Default for Sums {
    fn default() -> Self {
        Self { count: 0, sum: 0.0, spacing: SPACING, at: Vec::new() }
    }
}

impl Sums {
    fn push(&mut self, reward: f64) {
        self.count += 1;
        self.sum += reward;
        if self.count.is_multiple_of(self.spacing) {
            self.at.push(self.sum);
        }
        if self.at.len() > MOST_SPLITS {
            let mut place = 0;
            self.at.retain(|_| {
                place += 1;
                place % 2 == 0
            });
            self.spacing *= 2;
        }
    }
}

impl Detector for Glr {
    type Record = Sums;

    fn observe(&self, record: &mut Sums, reward: f64, t: Visits) -> Verdict {
        record.push(reward);
        if !record.count.is_multiple_of(SPACING) {
            return Verdict::Same;
        }
        let n = exact(record.count);
        let mean = record.sum / n;
        let threshold = libm::log(3.0 * n * n.sqrt() / self.delta.at(t));
        let mut s = 0.0;
        Verdict::of(record.at.iter().any(|&sum| {
            s += exact(record.spacing);
            let after = n - s;
            // The last sum may be that of all rewards, which leaves nothing after the split.
            after > 0.0
                && s * self.divergence.between(sum / s, mean)
                    + after * self.divergence.between((record.sum - sum) / after, mean)
                    >= threshold
        }))
    }
}

impl Record for Sums {
    fn store(&self, memory: &mut Memory) {
        memory.counts.extend([self.count, self.spacing]);
        memory.values.push(self.sum);
        memory.values.extend(&self.at);
    }

    fn recall(stored: &mut Reader<'_>) -> Result<Self, MemoryError> {
        let (count, spacing) = (stored.count(), stored.count());
        let is_spacing = spacing.is_multiple_of(SPACING) && (spacing / SPACING).is_power_of_two();
        if !is_spacing || count / spacing > MOST_SPLITS as u64 {
            return Err(stored.impossible());
        }
        let sum = stored.value();
        Ok(Self { count, sum, spacing, at: stored.values(count / spacing) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    fn verdicts(glr: &Glr, rewards: impl IntoIterator<Item = f64>) -> Vec<u64> {
        let mut sums = Sums::default();
        let heard = rewards.into_iter().zip(1..);
        let found = heard
            .filter(|&(reward, n)| glr.observe(&mut sums, reward, Visits(n)) == Verdict::Changed);
        found.map(|(_, n)| n).collect()
    }

    #[test]
    fn the_threshold_by_hand() {
        // Ten zeros, then ten ones: the split in the middle scores 20 ln 2 = 13.86, and
        // ln(3 * 20^1.5 / delta) equals that at delta = 3 * 20^1.5 / 2^20.
        let limit = 3.0 * 20.0 * libm::sqrt(20.0) / f64::from(1 << 20);
        let step = || (0..20).map(|k| f64::from(u8::from(k >= 10)));
        assert_eq!(verdicts(&Glr::new(Divergence::Bernoulli, 1.000_1 * limit), step()), [20]);
        assert_eq!(verdicts(&Glr::new(Divergence::Bernoulli, 0.999_9 * limit), step()), [0; 0]);
        // Gaussian: s (n - s) / n (difference of means)^2 / (2 variance) = 5 / (2 variance).
        let gaussian = |variance| Glr::new(Divergence::Gaussian { variance }, limit);
        let level = 20.0 * libm::log(2.0);
        assert_eq!(verdicts(&gaussian(2.499 / level), step()), [20]);
        assert_eq!(verdicts(&gaussian(2.501 / level), step()), [0; 0]);
    }

    #[test]
    fn all_splits_are_tested_against_an_independent_scan() {
        let mut stream = Seed(3).stream();
        let glr = Glr::new(Divergence::Bernoulli, 0.05);
        let mut found = 0;
        for round in 0..60 {
            let change = 40 + 10 * round;
            let rewards: Vec<f64> = (0..2 * change)
                .map(|k| f64::from(u8::from(stream.unit() < if k < change { 0.4 } else { 0.6 })))
                .collect();
            let scan = |n: usize| {
                let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
                let kl = |x: f64, y: f64| Divergence::Bernoulli.between(x, y);
                let all = mean(&rewards[..n]);
                (1..n / 10).any(|tenth| {
                    let (before, after) = rewards[..n].split_at(10 * tenth);
                    let score = before.len() as f64 * kl(mean(before), all)
                        + after.len() as f64 * kl(mean(after), all);
                    score >= libm::log(3.0 * libm::pow(n as f64, 1.5) / 0.05)
                })
            };
            let expected: Vec<u64> = (1..=rewards.len() / 10)
                .map(|n| 10 * n)
                .filter(|&n| scan(n))
                .map(|n| n as u64)
                .collect();
            found += usize::from(!expected.is_empty());
            assert_eq!(verdicts(&glr, rewards.iter().copied()), expected);
        }
        assert!((10..60).contains(&found), "{found}");
    }

    #[test]
    fn long_stays_keep_few_splits_and_the_same_sums() {
        let (mut sums, mut sum) = (Sums::default(), 0.0);
        let mut at_count = vec![0.0];
        for k in 0..50_000_u32 {
            sums.push(f64::from(k % 7));
            sum += f64::from(k % 7);
            at_count.push(sum);
            assert!(sums.at.len() <= MOST_SPLITS);
            if k == 5_119 {
                assert_eq!((sums.at.len(), sums.spacing), (512, 10));
            }
        }
        assert_eq!(sums.spacing, 160);
        assert_eq!(sums.at.len(), 50_000 / 160);
        for (place, &sum) in sums.at.iter().enumerate() {
            assert_eq!(sum, at_count[160 * (place + 1)]);
        }
    }

    #[test]
    fn no_likelihood_of_a_change_in_equal_rewards() {
        for reward in [0.0, 1.0, 0.25] {
            let same = std::iter::repeat_n(reward, 3_000);
            assert_eq!(verdicts(&Glr::new(Divergence::Bernoulli, 0.5), same), [0; 0]);
        }
    }
}
