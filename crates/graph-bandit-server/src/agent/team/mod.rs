//! A team at work: one field, many robots, each asks and reports on its own.
//!
//! A team is one agent of the fleet: one definition, one log, one order of events. But every walker
//! has report numbers of its own, so robots neither wait for one another nor get in each other's
//! way. A report without a walker (a sensor, a dispatcher) has the numbers of the team.
//!
//! Every walker always has a leg. It is planned right after the report that ended the leg before, and
//! the record has it, with the walker it is for. If a report changes the order of another walker,
//! because an edge of its path is blocked, that uses up a number of the other walker, too: its
//! next report would answer an order that it no longer has.

mod changes;
mod deciding;
mod definition;
mod happening;
mod live;
mod looks;
mod numbers;
mod refused;
mod resume;
mod taken;
mod walker;
mod walkers_input;

pub use definition::{MOST_CONFINED, MOST_WALKERS, ShareInput, TeamDefinition, WalkerDefinition};
pub(crate) use definition::{TeamRequest, define};
pub use live::{KnownName, LiveTeam};
pub use looks::{TeamSummary, WalkerSummary};
pub use numbers::{Channel, Numbered, Numbers};
pub use refused::TeamRefused;
pub use resume::TeamSnapshot;
pub use walker::WalkerName;
pub use walkers_input::{WalkerInput, WalkersInput};
