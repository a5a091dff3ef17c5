//! What a visit pays: the reward laws `P(s)` of Section II, drawn from a tape.
//!
//! Reward number `k` of a node is a pure function of (the node's seed, `k`): `r_k = law.draw(seed, k)`.
//! Whoever makes the k-th visit, in whatever order and on whatever thread, is paid the same.
//!
//! Where the sums of a law have a closed form, the totals after `k` visits are also had at once, as a
//! pure function of (the node's seed, `k`) with the same law: [`Law::totals`].

mod beta;
mod law;
mod sums;
mod truncated;

pub(crate) use beta::beta_variable;
pub(crate) use law::Values;
pub use law::{Law, LawError, MAX_MAGNITUDE, OwnLaw};

#[cfg(test)]
mod tests;
