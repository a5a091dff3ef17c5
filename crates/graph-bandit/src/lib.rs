//! Bandits on graphs.
pub mod agent;
pub mod estimates;
pub mod graph;
pub mod normal;
pub mod random;
pub mod spec;
pub use graph::*;
pub use spec::{FamilyInfo, GraphSpec, GraphSpecError};
