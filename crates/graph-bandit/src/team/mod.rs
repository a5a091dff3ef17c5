//! Teams: several walkers on one graph, one field of shared estimates.
//!
//! The model is that of *Cooperative Multi-Agent Graph Bandits* (Paschalidis, Zhang and Li, 2024):
//! what a node pays depends on how many walkers are on it ([`Sharing`]), and the team's regret is
//! measured against the best static allocation of walkers to nodes.

mod account;
mod agent;
pub mod agents;
mod best_static;
mod executor;
mod observer;
mod over_time;
pub mod planning;
mod post;
mod run;
mod session;
mod setup;
mod share;

pub use agent::{Cut, Manner, TeamAgent, TeamSituation};
pub use best_static::{BestStatic, BestStaticError};
pub use executor::{Team, TeamError};
pub use observer::TeamObserver;
pub use over_time::{EarnedOverTime, Totals};
pub use post::Post;
pub use run::{TeamRun, TeamRunError, TeamRunPlan};
pub use session::{SessionError, TeamSession, TeamState, TeamStateError, WalkerId};
pub use setup::{Draws, Member, SetupError, TeamSetup};
pub use share::{ShareError, Sharing};
