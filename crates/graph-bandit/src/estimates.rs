//! Running totals per node: counts, sums and sums of squares of rewards.
//!
//! Totals are running sums in visit order. Floating-point addition is not associative, so sums
//! taken leg by leg would depend on how visits are grouped. Adding reward by reward does not, and
//! neither do totals that depend only on the count, as on a tape of sums. One leg of k visits, k
//! single tells, and a leg cut by a checkpoint all leave the same bits. This is why estimates
//! belong to the code that executes visits (a run, an ask/tell session), and agents only read them.

use crate::exact::exact;
use crate::graph::NodeId;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;
use thiserror::Error;

/// The most visits of a run or a session: counts up to this are exact in floating point.
pub const MAX_VISITS: u64 = 1 << 53;

/// The totals of some rewards of one node.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Sample {
    /// The number of rewards.
    pub count: u64,
    /// Their sum, added in visit order.
    pub sum: f64,
    /// The sum of their squares, added in visit order.
    pub sum_of_squares: f64,
}

impl Sample {
    /// Adds one reward.
    #[inline]
    pub fn push(&mut self, reward: f64) {
        self.count += 1;
        self.sum += reward;
        self.sum_of_squares += reward * reward;
    }

    /// The number of rewards, for formulas.
    #[inline]
    pub fn n(&self) -> f64 {
        exact(self.count)
    }

    /// Adds all rewards of another sample.
    pub(crate) fn add(&mut self, more: &Self) {
        self.count += more.count;
        self.sum += more.sum;
        self.sum_of_squares += more.sum_of_squares;
    }

    /// The rewards that were added since `before`.
    pub(crate) fn since(&self, before: &Self) -> Self {
        Self {
            count: self.count - before.count,
            sum: self.sum - before.sum,
            sum_of_squares: self.sum_of_squares - before.sum_of_squares,
        }
    }

    /// The average reward; NaN if there is none.
    #[inline]
    pub fn mean(&self) -> f64 {
        self.sum / self.n()
    }

    /// The sum of squared deviations from the average; zero if there is no reward.
    #[inline]
    pub fn scatter(&self) -> f64 {
        // Rounding can leave a tiny negative number if all rewards are equal, and overflowing sums
        // leave NaN.
        (self.sum_of_squares - self.sum * self.sum / self.n()).max(0.0)
    }

    /// A bound on the rounding error of [`scatter`](Self::scatter). Squares of rewards far from
    /// zero are large, and the difference of two large sums loses digits. Each addition is off by
    /// at most half a unit in the last place of the sum; the errors have either sign, so `n` of
    /// them add up to about `sqrt(n)`.
    #[inline]
    pub fn scatter_error(&self) -> f64 {
        let (n, mean) = (self.n(), self.mean());
        f64::EPSILON * mean * mean * n.sqrt() * (n - 1.0)
    }

    /// The unbiased sample variance; `None` below two rewards, and NaN if squares were not recorded.
    pub fn variance(&self) -> Option<f64> {
        let scatter = || if self.sum_of_squares.is_nan() { f64::NAN } else { self.scatter() };
        (self.count >= 2).then(|| scatter() / (self.n() - 1.0))
    }
}

/// The two numbers that confidence bounds need. They change only when the node is visited, but
/// bounds are computed far more often: a bound is then a product and a sum, without a division or a
/// root.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The average reward; infinite while there is none, which makes every bound infinite.
    pub mean: f64,
    /// `1 / sqrt(n)`; zero while there is no reward.
    pub spread: f64,
}

impl Estimate {
    pub(crate) const UNVISITED: Self = Self { mean: f64::INFINITY, spread: 0.0 };

    #[inline]
    fn of(sample: &Sample) -> Self {
        if sample.count == 0 {
            return Self::UNVISITED;
        }
        Self { mean: sample.mean(), spread: spread(sample.count) }
    }

    /// How many rewards it counts, some perhaps in part.
    #[inline]
    pub fn weight(&self) -> f64 {
        if self.spread > 0.0 { 1.0 / (self.spread * self.spread) } else { 0.0 }
    }

    /// The mean plus `reach` spreads.
    #[inline]
    pub fn bound(&self, reach: f64) -> f64 {
        self.mean + reach * self.spread
    }
}

/// `1 / sqrt(n)`, from a table while `n` is small. Nodes on the way are visited one by one, and a
/// root and a division would cost more than the rest of such a visit.
#[inline]
fn spread(count: u64) -> f64 {
    static SMALL: LazyLock<[f64; 512]> =
        LazyLock::new(|| std::array::from_fn(|n| 1.0 / exact(n as u64).sqrt()));
    let known = SMALL.get(count as usize).copied();
    known.unwrap_or_else(|| 1.0 / exact(count).sqrt())
}

/// The totals and estimates of every node, and `t`, the number of all rewards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Sample>", into = "Vec<Sample>")]
pub struct Estimates {
    samples: Vec<Sample>,
    all: Vec<Estimate>,
    visits: u64,
}

/// Why totals are invalid.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum EstimatesError {
    /// No finite rewards have these totals.
    #[error(
        "node {node} has totals {sample:?}; sums must be finite, and 0 if the node has no rewards"
    )]
    NoSuchTotals {
        /// The node.
        node: usize,
        /// Its totals.
        sample: Sample,
    },
    /// There are more visits than can be counted exactly.
    #[error("the nodes have more than {MAX_VISITS} visits in total, which is the limit")]
    TooManyVisits,
}

impl TryFrom<Vec<Sample>> for Estimates {
    type Error = EstimatesError;

    fn try_from(samples: Vec<Sample>) -> Result<Self, EstimatesError> {
        let mut visits = 0_u64;
        for (node, sample) in samples.iter().enumerate() {
            let is_empty = sample.sum == 0.0 && sample.sum_of_squares == 0.0;
            let is_finite = sample.sum.is_finite() && sample.sum_of_squares.is_finite();
            if !is_finite || (sample.count == 0 && !is_empty) {
                return Err(EstimatesError::NoSuchTotals { node, sample: *sample });
            }
            visits = visits.saturating_add(sample.count);
        }
        if visits > MAX_VISITS {
            return Err(EstimatesError::TooManyVisits);
        }
        let all = samples.iter().map(Estimate::of).collect();
        Ok(Self { samples, all, visits })
    }
}

impl From<Estimates> for Vec<Sample> {
    fn from(estimates: Estimates) -> Self {
        estimates.samples
    }
}

impl Estimates {
    /// No rewards yet on any of `nodes` nodes.
    pub fn new(nodes: usize) -> Self {
        Self {
            samples: vec![Sample::default(); nodes],
            all: vec![Estimate::UNVISITED; nodes],
            visits: 0,
        }
    }

    /// Adds one reward of `node`.
    #[inline]
    pub fn push(&mut self, node: NodeId, reward: f64) {
        self.extend(node, |sample| sample.push(reward));
    }

    /// Lets `draw` add rewards to the running totals of `node`, one by one.
    #[inline]
    pub(crate) fn extend<R>(&mut self, node: NodeId, draw: impl FnOnce(&mut Sample) -> R) -> R {
        let sample = &mut self.samples[node as usize];
        let before = sample.count;
        let drawn = draw(sample);
        self.visits += sample.count - before;
        self.all[node as usize] = Estimate::of(sample);
        drawn
    }

    /// The totals of these nodes, renumbered; `t` still counts the rewards of all nodes.
    pub(crate) fn of_part(&self, nodes: &[NodeId]) -> Self {
        Self {
            samples: nodes.iter().map(|&node| self.samples[node as usize]).collect(),
            all: nodes.iter().map(|&node| self.all[node as usize]).collect(),
            visits: self.visits,
        }
    }

    /// Forgets all rewards of `node`: it counts as unvisited.
    pub fn forget(&mut self, node: NodeId) {
        self.replace(node, Sample::default());
    }

    /// Forgets all rewards.
    pub fn forget_all(&mut self) {
        self.samples.fill(Sample::default());
        self.all.fill(Estimate::UNVISITED);
        self.visits = 0;
    }

    /// Makes `sample` the totals of `node`, whatever they were.
    pub fn replace(&mut self, node: NodeId, sample: Sample) {
        self.weigh(node, sample, Estimate::of(&sample));
    }

    /// Makes `sample` the totals of `node`, and `estimate` its mean and spread, which may count
    /// rewards in part.
    pub(crate) fn weigh(&mut self, node: NodeId, sample: Sample, estimate: Estimate) {
        let totals = &mut self.samples[node as usize];
        self.visits = self.visits - totals.count + sample.count;
        *totals = sample;
        self.all[node as usize] = estimate;
    }

    /// Sets the totals of `node` to `sample` after `visits` more visits.
    pub(crate) fn follow(&mut self, node: NodeId, sample: Sample, visits: u64) {
        self.samples[node as usize] = sample;
        self.all[node as usize] = Estimate::of(&sample);
        self.visits += visits;
    }

    /// `t`: rewards collected so far, initialization included.
    #[inline]
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// The running totals of `node`.
    #[inline]
    pub fn sample(&self, node: NodeId) -> &Sample {
        &self.samples[node as usize]
    }

    /// `n(s)`: the number of visits to `node`.
    #[inline]
    pub fn count(&self, node: NodeId) -> u64 {
        self.samples[node as usize].count
    }

    /// The running totals of all nodes, by number.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The mean of `node` and its spread.
    #[inline]
    pub fn estimate(&self, node: NodeId) -> Estimate {
        self.all[node as usize]
    }

    /// How many rewards the mean of `node` counts, some perhaps in part.
    pub fn weight(&self, node: NodeId) -> f64 {
        let (sample, estimate) = (self.sample(node), self.estimate(node));
        // The count itself is exact; computed from the spread, it would be rounded.
        let is_whole = estimate.spread == Estimate::of(sample).spread;
        if is_whole { sample.n() } else { estimate.weight() }
    }

    /// The means and spreads of all nodes, by number.
    pub fn all(&self) -> &[Estimate] {
        &self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    #[test]
    fn sums_by_hand() {
        let mut estimates = Estimates::new(2);
        for reward in [1.0, 2.0, 6.0] {
            estimates.push(1, reward);
        }
        let sample = estimates.sample(1);
        assert_eq!((sample.count, sample.sum, sample.sum_of_squares), (3, 9.0, 41.0));
        assert_eq!(sample.mean(), 3.0);
        assert_eq!(sample.variance(), Some(7.0));
        assert_eq!(estimates.sample(0).variance(), None);
        assert_eq!(estimates.visits(), 3);
    }

    #[test]
    fn scatter_error_bounds_the_error_of_scatter() {
        let mut stream = Seed(6).stream();
        for offset in [0.0, 1.0, 1e3, 1e6, 1e9, -1e7] {
            for rewards in [1, 2, 3, 10, 100, 10_000_u64] {
                let drawn: Vec<f64> = (0..rewards).map(|_| stream.unit()).collect();
                let mut sample = Sample::default();
                let mut mean = 0.0;
                for reward in drawn.iter().map(|reward| reward + offset) {
                    sample.push(reward);
                    mean += (reward - offset) / rewards as f64;
                }
                // Deviations from the offset do not cancel.
                let centred = drawn.iter().map(|reward| (reward + offset) - offset - mean);
                let scatter: f64 = centred.map(|distance| distance * distance).sum();
                let error = (sample.scatter() - scatter).abs();
                assert!(error <= sample.scatter_error() + 1e-12 * scatter, "{offset} {rewards}");
                assert!(rewards > 1 || sample.scatter_error() == 0.0);
            }
        }
    }

    #[test]
    fn impossible_totals_are_refused() {
        let sample = |count, sum, sum_of_squares| Sample { count, sum, sum_of_squares };
        let good = vec![sample(0, 0.0, 0.0), sample(2, 3.0, 5.0)];
        let estimates = Estimates::try_from(good.clone()).unwrap();
        assert_eq!((estimates.visits(), estimates.estimate(1).mean), (2, 1.5));
        assert_eq!(Vec::from(estimates), good);
        for bad in [sample(0, 1.0, 0.0), sample(1, f64::NAN, 0.0), sample(3, 1.0, f64::INFINITY)] {
            let error = Estimates::try_from(vec![good[1], bad]).unwrap_err();
            assert!(error.to_string().starts_with("node 1 has totals Sample"), "{error}");
        }
        let many = vec![sample(MAX_VISITS, 0.0, 0.0), sample(1, 0.0, 0.0)];
        assert_eq!(Estimates::try_from(many), Err(EstimatesError::TooManyVisits));
        let endless = vec![sample(u64::MAX, 0.0, 0.0), sample(u64::MAX, 0.0, 0.0)];
        assert_eq!(Estimates::try_from(endless), Err(EstimatesError::TooManyVisits));
    }
}
