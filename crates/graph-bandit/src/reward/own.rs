//! Laws that this library does not have.

use crate::clock::Time;
use crate::raised::Raised;
use crate::random::Seed;
use std::fmt;
use std::sync::Arc;

/// A law of your own, shared by its copies; two are equal when they are one.
#[derive(Debug, Clone)]
pub(super) struct Own(pub(super) Arc<dyn OwnLaw>);

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Whether a law is the same at all times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Course {
    /// It is.
    Constant,
    /// Its mean may depend on the time of the visit.
    Changing,
}

/// A law that this library does not have.
pub trait OwnLaw: fmt::Debug + Send + Sync {
    /// Reward number `k` on the tape of a node, for a visit that begins at time `at`: a finite
    /// number, a pure function of the three.
    ///
    /// # Errors
    /// Whatever goes wrong; the run ends, and its caller gets the error as it is.
    fn draw(&self, tape: Seed, k: u64, at: Time) -> Result<f64, Raised>;

    /// The expected reward of a visit that begins at time `at`.
    fn mean(&self, at: Time) -> f64;

    /// Whether [`mean`](Self::mean) depends on the time. Regret is added up visit by visit where it
    /// does.
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
