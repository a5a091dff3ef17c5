//! The decision service: robots ask where to go and tell what they got, and nothing is ever lost.
//!
//! It embodies one decision: **an agent is its definition and its log**. What happened is appended
//! to the log and synced before it is acknowledged; everything else (estimates, the coming leg, what
//! the next random number is) is a pure function of definition and log, can be thrown away at any
//! moment and is had again by replaying. The alternative, a table of states that requests update in
//! place, was rejected: it would have to be right in every interleaving of crash and update, while a
//! log only has to be whole.
//!
//! Rooms, each knowing only those before it: [`store`] (logs, durable), [`agent`] (what a log means),
//! [`fleet`] (many agents, one request at a time each), [`simulation`] (agents that a made-up world pays), [`http`] (who may ask what, and how).

pub mod agent;
mod connections;
mod fingerprint;
pub mod fleet;
pub mod http;
pub mod metrics;
mod seats;
mod serve;
pub mod simulation;
pub mod store;
mod supervisor;
mod unread;
pub mod upkeep;

pub use connections::ConnectionLimits;
pub use serve::{ServeError, ServeOptions, serve, serve_until};
pub use supervisor::Supervisor;
