//! An agent at work: its state is a pure function of its definition and the events of its log.
//!
//! The next leg is planned right after every visit, not when a client asks. Planning may draw random
//! numbers, and an ask leaves no record. So the state does not depend on who asked when.
//!
//! Decisions are facts: the record of a report has the plans that were made for it, and replay
//! installs them. A better planner never changes the past of a stored agent.

mod best;
mod closing;
mod curve;
mod deciding;
mod definition;
mod error;
mod event;
mod format;
mod found;
mod graph_source;
mod happening;
mod listed_graph;
mod live;
mod memory;
mod name;
mod order;
mod place;
mod planning;
mod reach;
mod replay;
mod resume;
mod seen;
mod served;
mod snapshot;
mod stamps;
mod team;
mod took;
pub(crate) mod whole_number;
mod why;

pub use best::{Best, BestQuery, BracketedNode};
pub use curve::{Curve, CurveError, MOST_POINTS};
pub use deciding::Planned;
pub use definition::{AgentInput, AgentRequest, Definition, DefinitionError};
pub use error::{EventError, ReplayError, ResumeError};
pub use event::{Directions, Event, LAST_SEQUENCE, Receipt, Record, Visits, in_runs};
pub use format::Format;
pub use found::{FoundChange, FoundChanges, MOST_CHANGES};
pub use graph_source::{GraphInput, GraphLimits, GraphSource, GraphSourceError};
pub use happening::Happened;
pub use listed_graph::{ListedGraph, ListedRoad};
pub use live::{Live, Positions, Reopening};
pub use name::{LONGEST_NAME, is_name};
pub(crate) use name::{Name, name_once_imported, while_imported};
pub use order::Order;
pub use place::{Directory, Ends, NoSuchNode, NodeName, Place, Spoken};
pub(crate) use planning::size_of;
pub use planning::{GoesOn, PLANNING_PER_REPORT, Planning};
pub use reach::SetAside;
pub use seen::LastVisits;
pub use served::Served;
pub use snapshot::Snapshot;
pub use stamps::{ClockKind, Last, Step};
pub use team::{
    Channel, KnownName, LiveTeam, MOST_CONFINED, MOST_WALKERS, Numbered, Numbers, ShareInput,
    TeamDefinition, TeamRefused, TeamSnapshot, TeamSummary, WalkerDefinition, WalkerInput,
    WalkerName, WalkerSummary, WalkersInput,
};
pub use why::{Knowledge, NodeEstimate, RunnerUp, Taken, Why};
