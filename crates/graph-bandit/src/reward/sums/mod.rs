//! Totals of many visits at once, where a law's sums have a closed form.
//!
//! The sum of k Bernoulli rewards is binomial and the sum of k Gaussian ones Gaussian, so a leg of a
//! million visits need not be a million draws. But a node's totals after k visits must not depend on
//! how the visits were grouped into legs. So they are read off a tree that is there before anybody
//! walks: the first visits are single draws, those after them lie in blocks `[2^m, 2^(m+1))` whose
//! totals are independent, and a block's total is handed down to its halves by its law given the
//! whole:
//! - Bernoulli: `K` successes of `2 n` visits leave the first half a hypergeometric number.
//! - Gaussian: of the squares around the mean, with `2 n - 1` degrees of freedom, the difference of
//!   the halves' means takes one, and each half `n - 1`.
//!
//! Each dyadic interval draws from its own seed, named by its midpoint, so the totals after k visits
//! are a pure function of (the node's seed, k) that costs O(log k). They have exactly the law that
//! single draws would give them, jointly for all k, up to the rounding of floating point; the numbers
//! themselves are others, except for the first visits.
//!
//! The sums of other laws (uniform, beta, truncated Gaussian, empirical) have no closed form that
//! could be split like this; they are drawn one by one.

mod bernoulli;
mod binomial;
mod factorials;
mod gaussian;
mod hypergeometric;
mod ratio_of_uniforms;

pub(super) use bernoulli::successes;
pub(super) use gaussian::{FIRST as GAUSSIAN_FIRST, totals as gaussian_totals};

#[cfg(test)]
mod goodness_of_fit;
#[cfg(test)]
mod tests;

use crate::random::{Seed, Stream};

/// The labels under a node's seed.
mod label {
    /// Totals of blocks; below it one child per block, by where it begins.
    pub(super) const TOTAL: u64 = 1;
    /// Splits of intervals; below it one child per interval, by its midpoint.
    pub(super) const SPLIT: u64 = 2;
}

/// The randomness of all dyadic intervals of one node.
#[derive(Debug, Clone, Copy)]
struct Tree {
    totals: Seed,
    splits: Seed,
}

impl Tree {
    fn new(tape: Seed) -> Self {
        Self { totals: tape.child(label::TOTAL), splits: tape.child(label::SPLIT) }
    }

    /// What draws the total of the block that begins with visit `start`.
    fn total(&self, start: u64) -> Stream {
        self.totals.child(start).stream()
    }

    /// What splits the interval around `middle`.
    fn split(&self, middle: u64) -> Stream {
        self.splits.child(middle).stream()
    }
}

/// True with probability `part / whole`, to within 2^-64.
#[inline]
fn chance(part: u64, whole: u64, stream: &mut Stream) -> bool {
    let below_whole = (u128::from(stream.bits()) * u128::from(whole)) >> 64;
    below_whole < u128::from(part)
}
