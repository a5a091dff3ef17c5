//! Indices: how promising a node is, given what has been seen of it.

mod posterior_sample;
mod ucb;
mod ucrl2_bound;

pub use posterior_sample::PosteriorSample;
pub use ucb::Ucb;
pub use ucrl2_bound::{Ucrl2Bound, UnionFactor};

use crate::agent::Situation;
use crate::estimates::Estimates;
use crate::graph::NodeId;
use crate::random::Stream;

/// Scores nodes; the higher, the more promising.
pub trait Index {
    /// Computes once per leg what all nodes share, such as the logarithm of `t`.
    fn prepare(&mut self, now: &Situation<'_>);

    /// The score of a node. Infinite when an unvisited node is to be preferred to any other; never
    /// NaN.
    fn score(&self, estimates: &Estimates, node: NodeId, stream: &mut Stream) -> f64;

    /// The score if it may exceed `floor`; `None` only when it surely does not. Takes as much from
    /// the stream either way, so that whoever looks for the highest score may use either.
    #[inline]
    fn score_above(
        &self,
        floor: f64,
        estimates: &Estimates,
        node: NodeId,
        stream: &mut Stream,
    ) -> Option<f64> {
        let _ = floor;
        Some(self.score(estimates, node, stream))
    }

    /// `x`, when the score of every node is [`Estimate::bound`](crate::Estimate::bound)`(x)`: the same
    /// `x` for all of them, and none that ever falls in the course of a run. Then all scores can be had
    /// in one pass, and the highest without looking at each.
    #[inline]
    fn reach(&self) -> Option<f64> {
        None
    }
}
