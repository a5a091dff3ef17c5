//! The number of successes of a Bernoulli law among consecutive visits.

use super::{Tree, binomial, chance, hypergeometric};
use crate::random::Seed;
use std::ops::Range;

/// The number of visits in the smallest interval, whose successes are placed one by one; also the
/// first visits of a node, which are single draws.
const LEAF: u64 = 64;

/// How many of the visits numbered `visits` pay. All counts are integers, so parts add up exactly.
///
/// # Complexity
/// O(log of the highest number).
pub(in crate::reward) fn successes(tape: Seed, mean: f64, visits: Range<u64>) -> u64 {
    let Range { start: from, end: to } = visits;
    let mut paid = (from..to.min(LEAF)).filter(|&k| tape.unit(k) < mean).count() as u64;
    let tree = Tree::new(tape);
    // The block of the first visit.
    let mut start = if from < LEAF { LEAF } else { 1 << from.ilog2() };
    while start < to {
        let block = Interval {
            start,
            visits: start,
            successes: binomial::draw(start, mean, &mut tree.total(start)),
        };
        paid += block.successes_within(&tree, from.max(start)..to);
        // The block that begins with visit 2^63 is the last one.
        start = match start.checked_mul(2) {
            Some(next) => next,
            None => break,
        };
    }
    paid
}

/// Consecutive visits, some of which pay.
#[derive(Debug, Clone, Copy)]
struct Interval {
    start: u64,
    visits: u64,
    successes: u64,
}

impl Interval {
    /// How many of the visits numbered `visits` in this interval pay.
    fn successes_within(self, tree: &Tree, visits: Range<u64>) -> u64 {
        // Counted from the start, so that the end of the last block does not overflow.
        let from = visits.start.saturating_sub(self.start);
        let to = visits.end.saturating_sub(self.start).min(self.visits);
        if from >= to || self.successes == 0 {
            0
        } else if to - from == self.visits {
            self.successes
        } else if self.successes == self.visits {
            to - from
        } else if self.visits == LEAF {
            self.successes_in_leaf(tree, from..to)
        } else {
            let half = self.visits / 2;
            let middle = self.start + half;
            let first = hypergeometric::draw(half, self.successes, &mut tree.split(middle));
            let halves = [(self.start, first), (middle, self.successes - first)];
            let within = halves.map(|(start, successes)| {
                let half = Self { start, visits: half, successes };
                half.successes_within(tree, visits.clone())
            });
            within[0] + within[1]
        }
    }

    /// The successes are a random subset of the visits, chosen visit by visit.
    fn successes_in_leaf(self, tree: &Tree, visits: Range<u64>) -> u64 {
        let mut stream = tree.split(self.start + LEAF / 2);
        let mut left = self.successes;
        let mut paid = 0;
        for k in 0..visits.end {
            if chance(left, LEAF - k, &mut stream) {
                left -= 1;
                paid += u64::from(k >= visits.start);
            }
        }
        paid
    }
}
