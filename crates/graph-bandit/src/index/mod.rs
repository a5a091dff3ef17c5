//! Indices: how promising a node is, given what has been seen of it.

mod expected_improvement;
mod horizon;
mod imed;
mod kl_ucb;
mod leader;
mod mean_sample;
mod moss;
mod noise;
mod posterior_sample;
mod ucb;
mod ucrl2_bound;

pub use expected_improvement::ExpectedImprovement;
pub use horizon::Horizon;
pub use imed::Imed;
pub use kl_ucb::{KlUcb, KlUcbBernoulli, RewardFamily};
pub use leader::Leader;
pub use mean_sample::{BetaSample, MeanSample};
pub use moss::Moss;
pub use noise::{Noise, Variance};
pub use posterior_sample::PosteriorSample;
pub use ucb::Ucb;
pub use ucrl2_bound::{Ucrl2Bound, UnionFactor};

use crate::agent::Situation;
use crate::clock::Reading;
use crate::estimates::Estimates;
use crate::graph::NodeId;
use crate::random::Stream;

/// Scores nodes; the higher, the more promising.
pub trait Index {
    /// What `t` counts in its formula: [`Visits`](crate::Visits) or [`Time`](crate::Time).
    type Clock: Reading;

    /// Computes once per leg what all nodes share, such as the logarithm of `t`.
    fn prepare(&mut self, now: &Situation<'_>, t: Self::Clock);

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

    /// The score of a node to which the way costs `travel` for every visit that it is to pay off in.
    /// Takes as much from the stream as the score alone.
    #[inline]
    fn score_beyond(
        &self,
        travel: f64,
        estimates: &Estimates,
        node: NodeId,
        stream: &mut Stream,
    ) -> f64 {
        self.score(estimates, node, stream) - travel
    }

    /// `x`, when the score of every node is [`Estimate::bound`](crate::Estimate::bound)`(x)`: the same
    /// `x` for all of them, and none that ever falls in the course of a run. Then all scores can be had
    /// in one pass, and the highest without looking at each.
    #[inline]
    fn reach(&self) -> Option<f64> {
        None
    }
}
