//! Specs: what exists, as data that can be written in a file, on a command line or in a request.
//!
//! Each spec is the one list of its kind; command line, files, service and Python all read it.

pub mod agent;
pub mod graph;
pub mod reward;

pub use agent::{AgentSpec, AgentSpecError, Preset};
pub use graph::{FamilyInfo, GraphSpec, GraphSpecError};
pub use reward::{KindInfo, MeansSpec, RewardSpec, RewardSpecError};
