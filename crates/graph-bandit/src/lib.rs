//! Bandits on graphs: an agent walks a known graph, every node pays from an unknown law, and the
//! total over one long trajectory counts.
//!
//! This crate holds the theory, planning and learning of *Multi-armed Bandit Learning on a Graph*
//! (Zhang, Johansson and Li). It embodies one decision: **an agent answers with a leg, not a step**.
//! The agents of this field commit (walk this path, then stay there k times), so a leg is what they
//! decide, what a run executes in bulk and what a robot receives. The alternative, one action per
//! step as in a Markov decision process, was rejected: it hides the commitment inside the agent and
//! costs a decision where none is made.
//!
//! More follow:
//! - **One executor** ([`Trajectory`]): whatever walks is a loop over it. It alone expands legs into visits,
//!   and its events are all that observers hear of.
//! - **Rewards are a tape** ([`Tape`]): the k-th visit to a node pays the same, whichever agent makes
//!   it, so agents are compared on the same luck. Where legs are long and laws allow it, a tape of sums
//!   ([`TapeKind::Sums`]) pays a whole leg at once.
//! - **What is known is apart from who walks** ([`Field`], [`Walker`]): a field keeps the closed edges and
//!   the [`Estimates`], running totals in visit order, the same bits however visits are grouped. Several
//!   walkers may share it.
//! - **Visits and time are different types** ([`Visits`], [`Time`]), and a formula names the one it means.
//! - **An algorithm is a composition** ([`agents::Episodic`]) of an [`index`], a [`planner`] and a
//!   [`schedule`], never a copy of another one.
//!
//! The crate knows no files, threads, clocks of the machine, entropy or sockets; `clippy.toml` holds it to that.
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
//! # Generators and distributions of others
//! The feature `rand_core` makes [`Stream`] a generator of [`rand_core`](https://docs.rs/rand_core) 0.10, so
//! that your agents, laws and graphs can draw from any distribution of `rand` and its relatives. The
//! other way round, a generator of yours gives seeds. It cannot stand in for a stream: a tape must pay
//! reward `k` without the rewards before it, and a session must store where its stream stands. The
//! feature changes no bits, and without it the crate does not depend on `rand_core`.
#![cfg_attr(feature = "rand_core", doc = "```")]
#![cfg_attr(feature = "rand_core", doc = include_str!("../examples/rand_distributions.rs"))]
#![cfg_attr(feature = "rand_core", doc = "```")]
//! # JSON Schema
//! With the feature `schemars`, [`AgentSpec`], [`GraphSpec`] and their relatives, the
//! [`registry`](spec::registry) and [`Preset`], [`Init`] and [`Phase`] implement `schemars::JsonSchema`: one form for each
//! entry, with the ranges, defaults and help of its parameters.

pub mod agent;
pub mod agents;
mod ahead;
pub mod ask_tell;
mod best;
pub mod clock;
pub mod closures;
mod confined;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod cover;
mod digits;
pub mod estimates;
mod exact;
pub mod field;
pub mod graph;
pub mod index;
pub mod leg;
mod logarithms;
pub mod memory;
mod normal;
pub mod plan;
pub mod planner;
mod raised;
pub mod random;
pub mod reward;
pub mod route;
pub mod run;
pub mod schedule;
mod sightings;
pub mod spec;
pub mod theory;
pub mod trajectory;
pub mod travel;
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
pub use raised::Raised;
pub use random::{Seed, Stream};
pub use reward::{Course, Law, LawError, OwnLaw};
pub use run::{Checkpoint, Return, Run, RunError, RunPlan, RunRecord, Status, run};
pub use spec::{AgentSpec, GraphSpec, MeansSpec, Origin, Preset, RewardSpec, SpecError};
pub use trajectory::{
    ChangeError, Decision, DecisionError, Event, LegError, Observer, Order, Paid, Payer, Setting,
    Told, Trajectory, Walker,
};
pub use travel::{Travel, TravelError};
pub use world::{OnTape, Tape, TapeKind, World, WorldError};

/// Its example is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
