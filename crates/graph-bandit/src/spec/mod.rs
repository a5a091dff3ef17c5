//! Specs: what exists, as data that can be written in a file, on a command line or in a request.
//!
//! Each spec is the one list of its kind; command line, files, service and Python all read it.

pub mod agent;
pub mod graph;
mod kind;
pub mod means;
pub mod reward;

pub use agent::{AgentSpec, AgentSpecError, Origin, Preset};
pub use graph::{GraphSpec, GraphSpecError};
pub use kind::KindInfo;
pub use means::MeansSpec;
pub use reward::{RewardSpec, RewardSpecError};
