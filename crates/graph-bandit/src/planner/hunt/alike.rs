//! Scores of nodes that are alike.
//!
//! Two nodes with equal totals have equal scores, to the bit, because their means and variances follow
//! from the totals. Where rewards take few values, as
//! Bernoulli rewards do, most nodes of a large graph are alike, and few scores must be computed.

use crate::estimates::{Estimates, Sample};
use crate::graph::NodeId;
use crate::index::ExpectedImprovement;

/// The number of samples whose scores are remembered, a power of two.
const PLACES: usize = 256;

/// The scores of one leg, the last ones remembered.
#[derive(Debug)]
pub(super) struct Alike<'a> {
    scores: &'a ExpectedImprovement,
    remembered: Vec<(Sample, f64)>,
}

impl<'a> Alike<'a> {
    pub(super) fn new(scores: &'a ExpectedImprovement) -> Self {
        // A sample without rewards belongs to no node here: every node was visited.
        Self { scores, remembered: vec![(Sample::default(), f64::INFINITY); PLACES] }
    }

    /// The score of a node.
    #[inline]
    pub(super) fn of(&mut self, estimates: &Estimates, node: NodeId) -> f64 {
        let sample = estimates.sample(node);
        // The leader scores zero, unlike a node with the same totals.
        if node == self.scores.leader().node {
            return self.scores.of(estimates, node);
        }
        let place = &mut self.remembered[place_of(sample)];
        if place.0 != *sample {
            *place = (*sample, self.scores.of(estimates, node));
        }
        place.1
    }
}

/// Fibonacci hashing: the highest bits of a product depend on all bits of the factors.
#[inline]
fn place_of(sample: &Sample) -> usize {
    let bits = sample.sum.to_bits().rotate_left(20) ^ sample.count;
    (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - PLACES.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Situation;
    use crate::clock::{Clock, Reading, Visits};
    use crate::graph::Graph;
    use crate::index::{Index, Noise, Variance};
    use crate::random::Seed;

    /// Rewards of `levels` values at random numbers of visits.
    fn compare(levels: u64, seed: Seed) -> usize {
        let nodes = 3_000;
        let (graph, mut estimates) = (Graph::line(nodes).unwrap(), Estimates::new(nodes));
        let mut stream = seed.stream();
        for node in graph.nodes() {
            for _ in 0..=stream.below(4) {
                estimates.push(node, stream.below(levels) as f64 / levels as f64);
            }
        }
        let mut scores = ExpectedImprovement::new(Noise::new(0.5, Variance::Estimated), 1.5);
        let clock = Clock::after(estimates.visits());
        let now = Situation { graph: &graph, at: 0, estimates: &estimates, clock: &clock };
        scores.prepare(&now, Visits::of(&now));
        let mut alike = Alike::new(&scores);
        let mut remembered = 0;
        for node in graph.nodes() {
            let sample = estimates.sample(node);
            remembered += usize::from(alike.remembered[place_of(sample)].0 == *sample);
            let found = alike.of(&estimates, node);
            assert_eq!(found.to_bits(), scores.of(&estimates, node).to_bits(), "{node} {sample:?}");
        }
        remembered
    }

    #[test]
    fn scores_are_those_of_every_node() {
        // With two values, nearly all nodes are like an earlier one; with a million, hardly any.
        assert!(compare(2, Seed(1)) > 2_900);
        assert!(compare(1_000_000, Seed(2)) < 100);
        compare(30, Seed(3));
    }
}
