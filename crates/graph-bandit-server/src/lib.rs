//! The decision service: robots ask where to go and report their rewards, and no report is lost.
//!
//! It embodies one decision: **an agent is its definition and its log**. Events are appended to the log
//! and synced before they are acknowledged. Everything else (estimates, the next leg, the state of the
//! random stream) is a pure function of definition and log: it can be dropped at any moment, and replay
//! restores it. The alternative, a table of states that requests update in place, was rejected: it would
//! have to be right in every interleaving of crash and update, while a log only has to be complete.
//!
//! Modules, each knowing only the ones before it: [`store`] (durable logs), [`agent`] (what a log means),
//! [`fleet`] (many agents, one request at a time each), [`simulation`] (agents with made-up rewards), [`http`]
//! (routes and authentication).

pub mod agent;
mod connections;
mod fingerprint;
pub mod fleet;
pub mod http;
mod member;
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
