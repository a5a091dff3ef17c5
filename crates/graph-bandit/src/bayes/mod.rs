//! The Bayes-optimal agent on tiny graphs, exactly: how far from the possible an agent is.
//!
//! Every node pays 1 with a probability of its own and 0 otherwise. These means are independent, and
//! uniform between 0 and 1 beforehand. The walker stands on its start and has visited nothing. Each
//! step it stays or takes a road; then the node where it is pays. After `a` ones and `b` zeros, a
//! node pays with probability `(a + 1) / (a + b + 2)`, so all that matters is the counts `c` of all
//! nodes, the place and the time left:
//!
//! ```text
//! V(c, place, left) = max over roads to v that take no longer than left - 1 of
//!                     p(v) (1 + V(c + one at v, v, left')) + (1 - p(v)) V(c + zero at v, v, left')
//! left' = left - 1 - time of the road
//! ```
//!
//! Its regret is `T E(best mean) - V(0, start, T)`, where the expected best of `n` uniform means is
//! `n / (n + 1)`. A run that counts regret from the start ([`RegretFrom::Start`]) obeys the same
//! rules, so no agent has less regret on average over such worlds.
//!
//! Every step is one visit. So values are computed visit by visit, backwards, and two layers are
//! kept. We rejected recursion with a table of states seen: layers are plain arrays (`counts.rs`),
//! computed in runs of consecutive numbers, and need no hashing.
//!
//! [`RegretFrom::Start`]: crate::RegretFrom::Start

mod agent;
mod best_mean;
mod counts;
mod error;
mod layers;
mod optimum;
mod problem;
mod recursion;

pub use agent::BayesOptimal;
pub use error::BayesError;
pub use optimum::{BayesOptimum, Choice};
pub use problem::{BayesProblem, BayesSize, MOST_NODES, MOST_SEEN, MOST_STATES, Seen};
pub use recursion::{Keep, Progress};
