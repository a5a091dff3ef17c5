//! The means that a node may have after a change: those that nodes have now, or had before.
//!
//! Errors make estimates spread more than means do, so every estimate is moved towards the average to
//! undo that. One more node stands for means never seen: it exceeds the highest by an exponential
//! amount, on average by as much as the highest exceeds the second.

use super::record::Record;

/// The means that nodes have, and those that they had before their last restart.
fn means(records: &[Record]) -> impl Iterator<Item = f64> {
    let seen = records.iter().filter(|record| !record.is_empty()).map(Record::mean);
    seen.chain(records.iter().filter_map(|record| record.before))
}

/// The average and the variance of these means, without the part that estimates owe to noise of
/// variance `noise`.
pub(super) fn spread(records: &[Record], noise: f64) -> (f64, f64) {
    let (count, sum) = means(records).fold((0.0, 0.0), |(n, sum), mean| (n + 1.0, sum + mean));
    let average = sum / f64::max(count, 1.0);
    let scatter: f64 = means(records).map(|mean| (mean - average) * (mean - average)).sum();
    let seen = records.iter().filter(|record| !record.is_empty());
    let error = seen.map(|record| noise / record.n()).sum::<f64>() / f64::max(count, 1.0);
    (average, (scatter / f64::max(count - 1.0, 1.0) - error).max(0.0))
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
    pub(super) fn fill(&mut self, records: &[Record], noise: f64) {
        let (average, variance) = spread(records, noise);
        self.means.clear();
        self.means.extend(means(records));
        let seen = records.iter().filter(|record| !record.is_empty());
        for (mean, record) in self.means.iter_mut().zip(seen) {
            let all = variance + noise / record.n();
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
    use crate::estimates::Sample;

    /// Two visits to each node, without noise.
    fn records(means: &[f64]) -> Vec<Record> {
        let of = |&mean: &f64| {
            let mut record = Record::default();
            let visits = Sample { count: 2, sum: 2.0 * mean, sum_of_squares: 2.0 * mean * mean };
            record.push(visits, 1.0);
            record
        };
        means.iter().map(of).collect()
    }

    #[test]
    fn expectations_by_hand() {
        let mut pool = Pool::default();
        let mut records = records(&[1.0, 4.0]);
        records[0].before = Some(2.0);
        pool.fill(&records, 0.0);
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
        let records = records(&[1.0, 2.0, 3.0]);
        // Variance 1 of the estimates, 1 / 4 of it noise: three quarters remain.
        assert_eq!(spread(&records, 0.5), (2.0, 0.75));
        pool.fill(&records, 0.5);
        let spread = 0.75_f64.sqrt();
        let shrink = (0.75_f64 / (0.75 + 0.25)).sqrt();
        assert!((shrink - spread).abs() < 1e-15 && (pool.means[0] - (2.0 - spread)).abs() < 1e-15);
        assert_eq!(pool.means[1], 2.0);
        pool.fill(&records, 100.0);
        assert_eq!(pool.means, [2.0; 3]);
    }
}
