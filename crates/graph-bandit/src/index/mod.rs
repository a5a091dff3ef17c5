//! Indices: how promising a node is, given what has been seen of it.

mod posterior_sample;
mod ucb;
mod ucrl2_bound;

pub use posterior_sample::PosteriorSample;
pub use ucb::Ucb;
pub use ucrl2_bound::{Ucrl2Bound, UnionFactor};

use crate::agent::Situation;
use crate::estimates::Sample;
use crate::random::Stream;

/// Scores nodes; the higher, the more promising.
pub trait Index {
    /// Computes once per leg what all nodes share, such as the logarithm of `t`.
    fn prepare(&mut self, now: &Situation<'_>);

    /// The score of a node of which `sample` has been seen. Infinite when an unvisited node is to
    /// be preferred to any other; never NaN.
    fn score(&self, sample: &Sample, stream: &mut Stream) -> f64;
}
