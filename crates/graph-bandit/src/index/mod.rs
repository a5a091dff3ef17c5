//! Indices: how promising a node is, given its rewards so far.

mod belief_sample;
mod expected_improvement;
mod gaussian_bounds;
mod horizon;
mod imed;
mod kl_bound;
mod kl_ucb;
mod leader;
mod mean_sample;
mod moss;
mod noise;
mod ordered_sum;
mod posterior_sample;
mod tally;
mod ucb;
mod ucrl2_bound;

pub use belief_sample::BeliefSample;
pub use expected_improvement::ExpectedImprovement;
pub use horizon::Horizon;
pub use imed::Imed;
pub use kl_bound::{Age, KlBound};
pub use kl_ucb::{KlUcb, KlUcbBernoulli, RewardFamily};
pub use leader::Leader;
pub use mean_sample::{BetaSample, MeanSample};
pub use moss::Moss;
pub use noise::{Noise, Variance};
pub use posterior_sample::PosteriorSample;
pub use ucb::Ucb;
pub use ucrl2_bound::{Ucrl2Bound, UnionFactor};

use crate::agent::{Situation, Visit};
use crate::clock::Reading;
use crate::estimates::Estimates;
use crate::graph::NodeId;
use crate::node_scores::NodeScores;
use crate::random::Stream;

/// Scores nodes; a higher score is more promising.
pub trait Index {
    /// What `t` counts in the formula: [`Visits`](crate::Visits) or [`Time`](crate::Time).
    type Clock: Reading;

    /// Learns how many visits to all nodes were made since each node was last restarted. Called
    /// before [`prepare`](Self::prepare) by agents that restart nodes.
    fn count_from(&mut self, ages: &[u64]) {
        let _ = ages;
    }

    /// Computes the shared terms once per leg, such as the logarithm of `t`.
    fn prepare(&mut self, now: &Situation<'_>, t: Self::Clock);

    /// Reports visits to indices that keep shared terms between legs. They notice unreported
    /// visits by their number.
    #[inline]
    fn visited(&mut self, visit: &Visit) {
        let _ = visit;
    }

    /// Some visits no longer count, or nodes have other numbers: forgets everything derived from
    /// earlier visits.
    fn forget_visits(&mut self) {}

    /// The score of a node; never NaN. Infinite if an unvisited node must come before any other.
    fn score(&self, estimates: &Estimates, node: NodeId, stream: &mut Stream) -> f64;

    /// The score if it may exceed `floor`; `None` only if it certainly does not. Both cases draw
    /// equally much from the stream, so a search for the highest score may use either method.
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

    /// The score of a node if the trip there costs `travel` per visit in which it must pay off;
    /// without the trip, it is `score`. Never rises with `travel`.
    #[inline]
    fn beyond(&self, travel: f64, score: f64, estimates: &Estimates, node: NodeId) -> f64 {
        let _ = (estimates, node);
        score - travel
    }

    /// `x`, if the score of every node is [`Estimate::bound`](crate::Estimate::bound)`(x)` with the
    /// same `x`, and `x` never falls during a run. Then one pass computes all scores, and the
    /// highest can be found without looking at each.
    #[inline]
    fn reach(&self) -> Option<f64> {
        None
    }

    /// Itself, if the scores are expected improvements. Then bounds on all scores outlive a leg,
    /// and a planner need not compute each.
    #[inline]
    fn improvements(&self) -> Option<&ExpectedImprovement> {
        None
    }

    /// The scores of all nodes at this moment, if each can be computed without the others. Draws as
    /// much from the stream as if all were computed in order, whichever are looked at.
    fn node_scores(&self, estimates: &Estimates, stream: &mut Stream) -> Option<NodeScores> {
        let _ = (estimates, stream);
        None
    }
}

/// `ln+(x)`: the logarithm if positive, else zero.
#[inline]
fn log_above_one(x: f64) -> f64 {
    if x > 1.0 { libm::log(x) } else { 0.0 }
}
