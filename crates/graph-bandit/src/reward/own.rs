//! Your own reward laws.

use crate::clock::Time;
use crate::raised::Raised;
use crate::random::Seed;
use std::fmt;
use std::sync::Arc;

/// Your own law, shared by its copies; two are equal only if they are the same object.
#[derive(Debug, Clone)]
pub(super) struct Own(pub(super) Arc<dyn OwnLaw>);

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Whether a law changes over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Course {
    /// It never changes.
    Constant,
    /// Its mean may depend on the time of the visit.
    Changing,
}

/// A law that you implement.
pub trait OwnLaw: fmt::Debug + Send + Sync {
    /// Reward number `k` on the tape of a node, for a visit that begins at time `at`: a finite
    /// number and a pure function of the three arguments.
    ///
    /// # Errors
    /// Any error the law meets. The run ends, and its caller gets the error unchanged.
    fn draw(&self, tape: Seed, k: u64, at: Time) -> Result<f64, Raised>;

    /// The expected reward of a visit that begins at time `at`.
    fn mean(&self, at: Time) -> f64;

    /// Whether [`mean`](Self::mean) depends on the time. If it does, regret is added up visit by
    /// visit.
    fn course(&self) -> Course {
        Course::Constant
    }

    /// The variance of a reward.
    fn variance(&self) -> f64;

    /// The lowest and the highest possible reward.
    fn range(&self) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }

    /// See [`Law::sub_gaussian_scale`](super::Law::sub_gaussian_scale).
    fn sub_gaussian_scale(&self) -> f64;
}
