//! The means that a node may have after a change: those that nodes have or had.
//!
//! Every estimate is drawn towards the average as far as its error makes estimates spread more than
//! means do. One more node, above all others, stands for means never seen: it exceeds the highest
//! by an exponential amount, on average by as much as the highest exceeds the second.

use super::record::Record;
use crate::estimates::Sample;
use crate::memory::{Memory, MemoryError, Reader};

/// Means of nodes before their restarts: as many of the latest as there are nodes.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Past {
    means: Vec<f64>,
    /// The oldest.
    next: usize,
}

impl Past {
    /// Adds the mean of a node before its restart, on a graph of this many nodes.
    pub(super) fn push(&mut self, mean: f64, nodes: usize) {
        if self.means.len() < nodes {
            self.means.push(mean);
        } else {
            self.means[self.next] = mean;
            self.next = (self.next + 1) % nodes;
        }
    }

    /// The average and the variance of the means of all nodes, now and before, without the part
    /// that estimates owe to noise of variance `noise`.
    pub(super) fn spread(&self, records: &[Record], noise: f64) -> (f64, f64) {
        let seen = || records.iter().filter(|record| !record.is_empty());
        let count = (seen().count() + self.means.len()).max(1) as f64;
        let means = || seen().map(Record::mean).chain(self.means.iter().copied());
        let average = means().sum::<f64>() / count;
        let scatter: f64 = means().map(|mean| (mean - average) * (mean - average)).sum();
        let error = seen().map(|record| noise / record.n()).sum::<f64>() / count;
        (average, (scatter / (count - 1.0).max(1.0) - error).max(0.0))
    }

    /// Appends the means to a memory.
    pub(super) fn store(&self, memory: &mut Memory) {
        memory.counts.extend([self.means.len() as u64, self.next as u64]);
        memory.values.extend(&self.means);
    }

    /// Reads what [`store`](Self::store) wrote, on a graph of this many nodes.
    pub(super) fn recall(nodes: usize, stored: &mut Reader<'_>) -> Result<Self, MemoryError> {
        let (len, next) = (stored.count(), stored.count());
        let means = stored.values(len);
        if len > nodes as u64 || means.len() as u64 != len || next >= len.max(1) {
            return Err(stored.impossible());
        }
        Ok(Self { means, next: next as usize })
    }
}

/// The law of a mean after a change.
#[derive(Debug, Clone, Default)]
pub(super) struct Pool {
    /// Ascending.
    means: Vec<f64>,
    /// The sum of the means from each on.
    sums: Vec<f64>,
    /// Its average.
    pub(super) average: f64,
    /// How far a mean never seen exceeds the highest, on average.
    beyond: f64,
}

impl Pool {
    /// Fills the pool from what was seen, with noise of variance `noise`.
    pub(super) fn fill(&mut self, counted: &[Sample], past: &Past, noise: f64) {
        let seen = || counted.iter().filter(|sample| sample.count > 0);
        self.means.clear();
        self.means.extend(seen().map(Sample::mean).chain(past.means.iter().copied()));
        let count = self.means.len().max(1) as f64;
        let average = self.means.iter().sum::<f64>() / count;
        let scatter: f64 = self.means.iter().map(|mean| (mean - average) * (mean - average)).sum();
        let error = seen().map(|sample| noise / sample.n()).sum::<f64>() / count;
        let variance = (scatter / (count - 1.0).max(1.0) - error).max(0.0);
        for (mean, sample) in self.means.iter_mut().zip(seen()) {
            let all = variance + noise / sample.n();
            let shrink = if all > 0.0 { (variance / all).sqrt() } else { 1.0 };
            *mean = average + shrink * (*mean - average);
        }
        self.average = average;
        self.means.sort_unstable_by(f64::total_cmp);
        self.sums.clear();
        self.sums.resize(self.means.len() + 1, 0.0);
        for i in (0..self.means.len()).rev() {
            self.sums[i] = self.sums[i + 1] + self.means[i];
        }
        self.beyond = match self.means.as_slice() {
            [.., second, highest] => highest - second,
            _ => 0.0,
        };
    }

    /// The most that a changed node can be expected to exceed `level`.
    pub(super) fn most_above(&self, level: f64) -> f64 {
        self.means.last().map_or(0.0, |highest| (highest + self.beyond - level).max(0.0))
    }

    /// By how much a changed node is expected to exceed `level`, zero if it does not.
    pub(super) fn expected_above(&self, level: f64) -> f64 {
        let Some(&highest) = self.means.last() else { return 0.0 };
        let first = self.means.partition_point(|&mean| mean <= level);
        let above = (self.means.len() - first) as f64;
        let unseen = if level < highest {
            highest + self.beyond - level
        } else if self.beyond > 0.0 {
            self.beyond * libm::exp((highest - level) / self.beyond)
        } else {
            0.0
        };
        let sum = self.sums[first] - above * level + unseen;
        sum.max(0.0) / (self.means.len() as f64 + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(means: &[f64]) -> Vec<Sample> {
        let of =
            |&mean: &f64| Sample { count: 2, sum: 2.0 * mean, sum_of_squares: 2.0 * mean * mean };
        means.iter().map(of).collect()
    }

    #[test]
    fn expectations_by_hand() {
        let mut pool = Pool::default();
        pool.fill(&samples(&[1.0, 4.0, 2.0]), &Past::default(), 0.0);
        // The unseen node: 4 plus an exponential of mean 2.
        assert!((pool.average - 7.0 / 3.0).abs() < 1e-15);
        assert_eq!(pool.expected_above(3.0), (1.0 + 3.0) / 4.0);
        assert_eq!(pool.expected_above(0.0), (7.0 + 6.0) / 4.0);
        assert_eq!(pool.expected_above(4.0), 2.0 / 4.0);
        let far = pool.expected_above(6.0) - 2.0 * libm::exp(-1.0) / 4.0;
        assert!(far.abs() < 1e-15);
        assert_eq!((pool.most_above(3.0), pool.most_above(7.0)), (3.0, 0.0));
        let empty = Pool::default();
        assert_eq!((empty.expected_above(1.0), empty.most_above(1.0)), (0.0, 0.0));
    }

    #[test]
    fn estimates_are_drawn_in_as_far_as_noise_spreads_them() {
        let mut pool = Pool::default();
        // Variance 1 of the estimates, 1 / 4 of it noise: three quarters remain.
        pool.fill(&samples(&[1.0, 2.0, 3.0]), &Past::default(), 0.5);
        let spread = 0.75_f64.sqrt();
        assert!((pool.means[0] - (2.0 - spread)).abs() < 1e-15);
        assert_eq!(pool.means[1], 2.0);
        pool.fill(&samples(&[1.0, 2.0, 3.0]), &Past::default(), 100.0);
        assert_eq!(pool.means, [2.0; 3]);
    }

    #[test]
    fn the_past_keeps_the_latest_means() {
        let mut past = Past::default();
        for mean in [1.0, 2.0, 3.0, 4.0, 5.0] {
            past.push(mean, 3);
        }
        assert_eq!(past.means, [4.0, 5.0, 3.0]);
        assert_eq!(past.spread(&[], 1.0), (4.0, 1.0));
        let mut memory = Memory::default();
        past.store(&mut memory);
        let recalled = Past::recall(3, &mut Reader::new(&memory).unwrap());
        assert_eq!(recalled, Ok(past));
        assert!(Past::recall(2, &mut Reader::new(&memory).unwrap()).is_err());
    }
}
