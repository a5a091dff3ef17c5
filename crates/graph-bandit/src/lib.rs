//! Bandits on graphs: an agent walks a known graph, every node pays random rewards from an
//! unknown law, and the total reward of one long trajectory counts.
//!
//! This crate implements the theory, planning and learning of *Multi-armed Bandit Learning on a
//! Graph* (Zhang, Johansson and Li). It rests on one decision: **an agent answers with a leg, not a
//! step**. Agents in this field commit: walk this path, then stay there k times. So a leg is what
//! an agent decides, what a run executes in bulk and what a robot receives. One action per step, as
//! in a Markov decision process, would hide the commitment inside the agent and ask for decisions
//! that are already made.
//!
//! More decisions follow:
//! - **One executor** ([`Trajectory`]): everything that walks is a loop over it. Only the executor
//!   expands legs into visits, and observers see nothing but its events.
//! - **Rewards are a tape** ([`Tape`]): the k-th visit to a node pays the same for every agent, so
//!   agents are compared on the same luck. If legs are long and the laws allow it, a tape of sums
//!   ([`TapeKind::Sums`]) pays a whole leg at once.
//! - **Knowledge is separate from walking** ([`Field`], [`Walker`]): a field keeps the closed edges
//!   and the [`Estimates`], running totals in visit order that have the same bits however visits
//!   are grouped. Several walkers may share a field.
//! - **Visits and time are different types** ([`Visits`], [`Time`]); a formula names the one it
//!   means.
//! - **An algorithm is a composition** ([`agents::Episodic`]) of an [`index`], a [`planner`] and a
//!   [`schedule`], never a copy of another algorithm.
//!
//! The crate uses no files, threads, system clocks, entropy or sockets; `clippy.toml` enforces
//! this.
//!
//! # From a graph to a regret curve
//! ```
#![doc = include_str!("../examples/regret_curve.rs")]
//! ```
//! # Ask and tell
//! ```
#![doc = include_str!("../examples/ask_tell.rs")]
//! ```
//! # An agent of your own
//! ```
#![doc = include_str!("../examples/custom_agent.rs")]
//! ```
//! # The `rand` ecosystem
//! With the feature `rand_core`, [`Stream`] is a [`rand_core`](https://docs.rs/rand_core) 0.10
//! generator: your agents, laws and graphs can draw from any distribution of `rand`. In the other
//! direction, your generator can supply seeds. It cannot replace a stream: a tape must pay reward
//! `k` without drawing the rewards before it, and a session must store its stream's position. The
//! feature changes no bits; without it the crate does not depend on `rand_core`.
#![cfg_attr(feature = "rand_core", doc = "```")]
#![cfg_attr(feature = "rand_core", doc = include_str!("../examples/rand_distributions.rs"))]
#![cfg_attr(feature = "rand_core", doc = "```")]
//! # JSON Schema
//! With the feature `schemars`, the specs ([`AgentSpec`], [`GraphSpec`] and others), the
//! [`registry`](spec::registry), [`Preset`], [`Init`] and [`Phase`] implement
//! `schemars::JsonSchema`: one form per entry, with the ranges, defaults and help of its
//! parameters.

pub mod agent;
pub mod agents;
mod ahead;
pub mod ask_tell;
pub mod bayes;
mod best;
pub mod clock;
pub mod closures;
mod confined;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod cover;
pub mod detector;
mod digits;
pub mod divergence;
pub mod estimates;
mod exact;
pub mod field;
pub mod forgetting;
pub mod graph;
pub mod index;
pub mod leg;
mod logarithms;
pub mod memory;
mod nearest_name;
mod node_scores;
mod normal;
pub mod plan;
pub mod planner;
mod raised;
pub mod random;
pub mod reward;
pub mod run;
pub mod schedule;
mod sightings;
pub mod spec;
pub mod team;
pub mod theory;
pub mod timetable;
pub mod trajectory;
pub mod travel;
pub mod tuning;
pub mod world;

#[cfg(test)]
#[path = "../tests/core/support/same_draws.rs"]
mod same_draws;

pub use agent::{Agent, Footing, Hearing, Phase, RemembersEdges, Situation, Visit};
pub use ask_tell::{AskTell, SessionPlan, SessionState, StateError, TellError};
pub use best::{Best, Bracketed, Certainty, CertaintyError};
pub use clock::{Clock, Reading, Time, Visits};
pub use closures::{ClosureError, ClosureRates, Closures};
pub use confined::Confined;
pub use cover::Init;
pub use estimates::{Estimate, Estimates, EstimatesError, MAX_VISITS, Sample};
pub use field::{Edge, EdgeError, Field, FieldError, RoadTimes};
pub use graph::{
    DiameterBounds, FamilyError, Graph, GraphError, MAX_TRAVEL, NodeId, Road, Roads, SelfPlace,
};
pub use leg::Leg;
pub use memory::{Memory, MemoryError};
pub use nearest_name::nearest_name;
pub use node_scores::NodeScores;
pub use raised::Raised;
pub use random::{Seed, Stream};
pub use reward::{Course, Law, LawError, OwnLaw};
pub use run::{Checkpoint, RegretFrom, Return, Run, RunError, RunPlan, RunRecord, Status, run};
pub use spec::{AgentSpec, GraphSpec, MeansSpec, Origin, Preset, RewardSpec, SpecError};
pub use timetable::{Change, Season, Timetable, TimetableError};
pub use trajectory::{
    ChangeError, Decision, DecisionError, Event, LegError, Observer, Order, Paid, Payer, Setting,
    Told, Trajectory, Walker,
};
pub use travel::{Travel, TravelError};
pub use world::{OnTape, Tape, TapeKind, World, WorldError};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
