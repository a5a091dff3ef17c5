//! The reward laws `P(s)` of Section II, drawn from a tape.
//!
//! Reward number `k` of a node is a pure function of (the node's seed, `k`, the time of the visit).
//! The k-th visit pays the same for every walker, in any order and on any thread.
//!
//! If the sums of a law have a closed form, [`Law::totals`] computes the totals after `k` visits at
//! once, as a pure function of (the node's seed, `k`) with the same law.

mod beta;
mod draws;
mod law;
pub(crate) mod noises;
mod over_time;
mod own;
mod sums;
mod truncated;
mod values;
mod written;

pub(crate) use beta::beta_variable;
pub(crate) use draws::Memory;
pub use law::{Law, LawError, MAX_MAGNITUDE};
pub use own::{Course, OwnLaw};
pub(crate) use values::Values;

#[cfg(test)]
mod tests;

#[cfg(test)]
mod of_library {
    //! Shorthands for laws of this library, which cannot fail and do not change.

    use super::Law;
    use crate::clock::Time;
    use crate::estimates::Sample;
    use crate::random::Seed;
    use std::ops::Range;

    impl Law {
        /// Reward number `k`.
        pub(crate) fn reward(&self, tape: Seed, k: u64) -> f64 {
            self.draw(tape, k, Time::START).unwrap()
        }

        /// The totals of the rewards numbered `visits`.
        pub(crate) fn sample(&self, tape: Seed, visits: Range<u64>) -> Sample {
            let mut sample = Sample::default();
            visits.for_each(|k| sample.push(self.reward(tape, k)));
            sample
        }
    }
}
