//! Routes on roads that may be closed for good: the Canadian traveller problem.
//!
//! Each road is open with its own probability, independently of all others, and keeps its state. A
//! traveller sees the state of a road on reaching either of its ends. The objective is the mean
//! travel time from start to goal, given that open roads connect them. Times are whole travel
//! times: no visit is added.
//!
//! A [`Trip`] is the problem: a [`Network`], a start and a goal. A [`Policy`] returns the roads to
//! take next for a [`Belief`]: the current place and what was seen. There are four policies:
//! - [`Optimistic`] takes the cheapest path not known to be closed.
//! - [`Comparison`] turns back if the path ahead is longer than a fresh start; at most `2k + 1`
//!   times the optimum for `k` closed roads.
//! - [`Exact`] is optimal, by enumeration, for few uncertain roads.
//! - [`Uct`] looks ahead by rollouts.
//!
//! Ties go to the path of fewest roads, then to the lowest next node.
//!
//! ```
//! use graph_bandit_route::{Directions, Exact, Network, Road, Trip};
//! // A short road that may be closed, and a long one that never is.
//! let road = |target, time, open| Road { source: 0, target, time, open };
//! let roads = vec![road(1, 1.0, 1.0), Road { source: 1, target: 2, time: 1.0, open: 0.5 }, road(2, 5.0, 1.0)];
//! let trip = Trip::new(Network::new(3, roads, Directions::Both)?, 0, 2)?;
//! // By the short road: 2, or 1 + 1 + 5 where it is closed.
//! assert_eq!(Exact::new(&trip)?.mean(), 4.5);
//! # Ok::<(), graph_bandit_route::RouteError>(())
//! ```

mod belief;
mod comparison;
mod connected;
mod enumeration;
mod error;
mod exact;
mod keys;
mod known_ways;
mod moves;
mod network;
mod optimistic;
mod policy;
mod trip;
mod uct;
mod weather;

pub use belief::{Belief, Status};
pub use comparison::Comparison;
pub use enumeration::{mean_beforehand, mean_of};
pub use error::RouteError;
pub use exact::Exact;
pub use network::{Directions, Network, Road, RoadId};
pub use optimistic::Optimistic;
pub use policy::{Journey, Policy, travel};
pub use trip::Trip;
pub use uct::{Uct, UctOptions};
pub use weather::{Weather, time_beforehand};

/// The most uncertain roads for which means are computed exactly: beliefs and weathers are
/// enumerated.
pub const MOST_UNCERTAIN: usize = 18;
