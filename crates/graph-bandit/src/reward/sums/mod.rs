//! Totals of many visits at once, for laws whose sums have a closed form.
//!
//! The sum of k Bernoulli rewards is binomial and the sum of k Gaussian rewards is Gaussian, so a
//! leg of a million visits need not take a million draws. But a node's totals after k visits must
//! not depend on how visits are grouped into legs. So they come from a fixed tree. The first visits
//! are single draws. Later visits lie in blocks `[2^m, 2^(m+1))` with independent totals, and a
//! block's total is split between its halves by the conditional law:
//! - Bernoulli: of `K` successes in `2 n` visits, the first half gets a hypergeometric number.
//! - Gaussian: the squares around the mean have `2 n - 1` degrees of freedom; the difference of the
//!   halves' means takes one, and each half `n - 1`.
//!
//! Each dyadic interval draws from its own seed, named by its midpoint, so the totals after k
//! visits are a pure function of (the node's seed, k) that costs O(log k). They have exactly the
//! law of single draws, jointly for all k, up to floating-point rounding; the numbers themselves
//! differ, except for the first visits.
//!
//! The sums of other laws (uniform, beta, truncated Gaussian, empirical) have no closed form that
//! splits like this; they are drawn one by one.

mod bernoulli;
mod binomial;
mod factorials;
mod gaussian;
mod hypergeometric;
mod ratio_of_uniforms;
mod sum_trail;
mod trail;

pub(super) use bernoulli::successes;
pub(super) use gaussian::{
    FIRST as GAUSSIAN_FIRST, Totals as GaussianTotals, totals as gaussian_totals,
};
pub(crate) use sum_trail::SumTrail;
pub(crate) use trail::{Trail, Trails};

#[cfg(test)]
mod goodness_of_fit;
#[cfg(test)]
mod tests;

use crate::random::{Family, Seed, Stream};

/// The labels under a node's seed.
mod label {
    /// Totals of blocks, with one child per block, by its first visit.
    pub(super) const TOTAL: u64 = 1;
    /// Splits of intervals, with one child per interval, by its midpoint.
    pub(super) const SPLIT: u64 = 2;
}

/// The randomness of all dyadic intervals of one node.
#[derive(Debug, Clone, Copy)]
struct Tree {
    totals: Family,
    splits: Family,
}

impl Tree {
    fn new(tape: Seed) -> Self {
        let family = |label| tape.child(label).family();
        Self { totals: family(label::TOTAL), splits: family(label::SPLIT) }
    }

    /// The stream of the total of the block that begins with visit `start`.
    fn total(&self, start: u64) -> Stream {
        self.totals.child(start).stream()
    }

    /// The stream that splits the interval around `middle`.
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
