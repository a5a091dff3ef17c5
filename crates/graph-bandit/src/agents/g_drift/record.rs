//! What is remembered of one node: its rewards since its last restart, and when it was seen last.
//!
//! Rewards are kept in blocks that double in size with age, so that `n` visits need about
//! `2 log2 n` blocks. Every boundary between two blocks may be where the mean changed.

use crate::estimates::Sample;
use crate::memory::{Memory, MemoryError, Reader};

/// How many of the newest blocks are tested at every visit.
const NEWEST: usize = 4;
/// All blocks are tested after this many visits.
const ALL_EVERY: u64 = 8;

/// The rounding error of a mean of `n` rewards is below this many times `n` units in the last
/// place: one for each sum, and a few for their differences.
const ROUNDING: f64 = 8.0;

/// The record of one node.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Record {
    /// Rewards since the last restart, the oldest first.
    blocks: Vec<Sample>,
    /// The totals of the blocks.
    kept: Sample,
    /// The totals of all rewards before the last restart.
    forgotten: Sample,
    /// The mean before the last restart, if there was one.
    pub(super) before: Option<f64>,
    /// When the last visit ended.
    pub(super) seen: f64,
    /// The hazard of earlier changes elsewhere that were found since it was seen.
    pub(super) earlier: f64,
}

/// A boundary between two blocks at which the mean may have changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Split {
    /// The log-likelihood ratio for a change there, times the variance of one reward.
    pub(super) evidence: f64,
    /// The first block after it.
    first: usize,
    /// How many boundaries were compared.
    pub(super) compared: usize,
}

impl Record {
    /// The number of visits since the last restart.
    pub(super) fn n(&self) -> f64 {
        self.kept.n()
    }

    /// The mean since the last restart; NaN before the first visit.
    pub(super) fn mean(&self) -> f64 {
        self.kept.mean()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kept.count == 0
    }

    /// Adds the rewards of a visit that ended at `now`.
    pub(super) fn push(&mut self, visit: Sample, now: f64) {
        self.kept.add(&visit);
        self.blocks.push(visit);
        self.seen = now;
        self.earlier = 0.0;
        // Of three blocks of one size, the two oldest become one.
        let mut end = self.blocks.len();
        while end >= 3 && self.blocks[end - 3].count <= self.blocks[end - 1].count {
            let newer = self.blocks.remove(end - 2);
            self.blocks[end - 3].add(&newer);
            end -= 2;
        }
    }

    /// The boundary with the most evidence for a change, among the newest ones at most visits and
    /// among all now and then.
    pub(super) fn strongest(&self) -> Option<Split> {
        // Several rewards may come at once, and step over a multiple.
        let newest = self.blocks.last().map_or(0, |block| block.count);
        let is_full = self.kept.count % ALL_EVERY < newest;
        let all = self.blocks.len().saturating_sub(1);
        let compared = if is_full { all } else { all.min(NEWEST) };
        let n = self.kept.n();
        let mut after = Sample::default();
        let mut strongest: Option<Split> = None;
        for first in (self.blocks.len() - compared..self.blocks.len()).rev() {
            after.add(&self.blocks[first]);
            let before = n - after.n();
            let step = self.real_step(after.mean() - (self.kept.sum - after.sum) / before);
            let evidence = 0.5 * step * step * before * after.n() / n;
            if strongest.is_none_or(|split| evidence > split.evidence) {
                strongest = Some(Split { evidence, first, compared });
            }
        }
        strongest
    }

    /// A step of the mean, or 0 if rounding alone may explain it: without noise, that would be a
    /// change.
    pub(super) fn real_step(&self, step: f64) -> f64 {
        let size = (self.kept.sum_of_squares / self.n()).sqrt();
        let rounding = ROUNDING * f64::EPSILON * self.n() * size;
        if step.abs() <= rounding { 0.0 } else { step }
    }

    /// Forgets everything before a boundary; `total` are all rewards of the node. Returns the mean
    /// before and the number of visits kept.
    pub(super) fn restart_at(&mut self, split: Split, total: &Sample) -> (f64, f64) {
        self.restart(split.first, total)
    }

    /// Forgets everything before the last visit; see [`restart_at`](Self::restart_at).
    pub(super) fn restart_at_last(&mut self, total: &Sample) -> (f64, f64) {
        self.restart(self.blocks.len().saturating_sub(1), total)
    }

    fn restart(&mut self, first: usize, total: &Sample) -> (f64, f64) {
        let mut before = Sample::default();
        for block in self.blocks.drain(..first) {
            before.add(&block);
        }
        self.kept = Sample::default();
        for block in &self.blocks {
            self.kept.add(block);
        }
        // Rewards that others collected count as old.
        if total.count >= self.kept.count {
            self.forgotten = total.since(&self.kept);
        }
        self.before = (before.count > 0).then(|| before.mean());
        (before.mean(), self.kept.n())
    }

    /// Whether some rewards no longer count.
    pub(super) fn has_forgotten(&self) -> bool {
        self.forgotten.count > 0
    }

    /// What still counts of all rewards of the node.
    pub(super) fn counted(&self, total: &Sample) -> Sample {
        if self.forgotten.count == 0 || total.count <= self.forgotten.count {
            return *total;
        }
        total.since(&self.forgotten)
    }

    /// Appends the record to a memory.
    pub(super) fn store(&self, memory: &mut Memory) {
        memory.counts.extend([self.blocks.len() as u64, u64::from(self.before.is_some())]);
        for sample in self.blocks.iter().chain([&self.kept, &self.forgotten]) {
            memory.push_sample(sample);
        }
        memory.values.extend([self.before.unwrap_or_default(), self.seen, self.earlier]);
    }

    /// Reads a record that [`store`](Self::store) wrote.
    pub(super) fn recall(stored: &mut Reader<'_>) -> Result<Self, MemoryError> {
        let mut blocks = Vec::new();
        let (size, is_restarted) = (stored.count(), stored.count());
        for _ in 0..size {
            let block = stored.sample()?;
            if block.count == 0 {
                return Err(stored.impossible());
            }
            blocks.push(block);
        }
        let (kept, forgotten) = (stored.sample()?, stored.sample()?);
        let (before, seen, earlier) = (stored.value(), stored.value(), stored.value());
        let counted = blocks.iter().try_fold(0_u64, |sum, block| sum.checked_add(block.count));
        if counted != Some(kept.count) || is_restarted > 1 {
            return Err(stored.impossible());
        }
        let before = (is_restarted == 1).then_some(before);
        Ok(Self { blocks, kept, forgotten, before, seen, earlier })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    fn one(reward: f64) -> Sample {
        let mut sample = Sample::default();
        sample.push(reward);
        sample
    }

    fn of(rewards: impl IntoIterator<Item = f64>) -> Record {
        let mut record = Record::default();
        for (t, reward) in rewards.into_iter().enumerate() {
            record.push(one(reward), t as f64 + 1.0);
        }
        record
    }

    #[test]
    fn blocks_double_with_age() {
        let sizes = |n| {
            let record = of((0..n).map(f64::from));
            record.blocks.iter().map(|block| block.count).collect::<Vec<_>>()
        };
        assert_eq!(sizes(2), [1, 1]);
        assert_eq!(sizes(3), [2, 1]);
        assert_eq!(sizes(7), [4, 2, 1]);
        assert_eq!(sizes(8), [4, 2, 1, 1]);
        let many = of((0..100_000).map(f64::from));
        assert!(many.blocks.len() < 36, "{}", many.blocks.len());
        assert_eq!(many.kept.count, 100_000);
    }

    /// Two walkers that draw on one node at the same time, after one that drew there alone.
    #[test]
    fn all_blocks_are_tested_now_and_then_however_many_rewards_come_at_once() {
        let mut record = of([1.0]);
        let mut full = 0;
        for visit in 0..400 {
            let mut two = one(1.0);
            two.push(1.0);
            record.push(two, f64::from(visit) + 2.0);
            let all = record.blocks.len() - 1;
            let compared = record.strongest().unwrap().compared;
            full += usize::from(compared == all && all > NEWEST);
        }
        assert!(full > 90, "{full}");
    }

    #[test]
    fn evidence_by_hand() {
        // 1 1 | 3: step 2, 2 * 1 / 3 / 2 * 4 = 4 / 3.
        let split = of([1.0, 1.0, 3.0]).strongest().unwrap();
        assert_eq!((split.first, split.compared), (1, 1));
        assert!((split.evidence - 4.0 / 3.0).abs() < 1e-15);
        assert_eq!(of([1.0]).strongest(), None);
        assert_eq!(of([2.0; 9]).strongest().unwrap().evidence, 0.0);
    }

    #[test]
    fn a_restart_keeps_what_came_after() {
        let mut record = of([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 5.0, 7.0]);
        let mut total = Sample::default();
        for reward in [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 5.0, 7.0] {
            total.push(reward);
        }
        let split = record.strongest().unwrap();
        assert_eq!(record.restart_at(split, &total), (1.0, 2.0));
        assert_eq!(record.before, Some(1.0));
        assert_eq!((record.n(), record.mean()), (2.0, 6.0));
        let counted = record.counted(&total);
        assert_eq!((counted.count, counted.sum, counted.sum_of_squares), (2, 12.0, 74.0));
        assert_eq!(record.restart_at_last(&total), (5.0, 1.0));
        assert_eq!(record.counted(&total), one(7.0));
        // Totals that do not belong to this record are used as they are.
        assert_eq!(record.counted(&one(2.0)), one(2.0));
    }

    #[test]
    fn a_large_step_shows_at_once_and_a_small_one_soon() {
        let mut stream = Seed(3).stream();
        let mut noise = || stream.unit() - 0.5;
        for (step, delay) in [(4.0, 1), (0.5, 80)] {
            let mut record = of((0..1_000).map(|_| noise()));
            let strongest = (1..=delay).any(|visit| {
                record.push(one(step + noise()), 1_000.0 + f64::from(visit));
                record.strongest().unwrap().evidence > 0.25 * 25.0
            });
            assert!(strongest, "{step}");
        }
    }

    #[test]
    fn recalls_what_it_stored_and_refuses_the_rest() {
        let mut record = of((0..50).map(f64::from));
        record.restart_at_last(&record.kept.clone());
        record.push(one(3.0), 77.0);
        record.earlier = 0.25;
        let mut memory = Memory::default();
        record.store(&mut memory);
        let recall = |memory: &Memory| {
            let mut stored = Reader::new(memory)?;
            let record = Record::recall(&mut stored)?;
            stored.finish().map(|()| record)
        };
        assert_eq!(recall(&memory), Ok(record));
        for position in 0..memory.counts.len() - 1 {
            let mut other = memory.clone();
            other.counts[position] += 1;
            assert!(recall(&other).is_err(), "{position}");
        }
    }
}
