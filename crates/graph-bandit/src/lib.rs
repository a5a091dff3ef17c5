//! Bandits on graphs.
pub mod agent;
pub mod estimates;
pub mod graph;
pub mod normal;
pub mod random;
pub mod reward;
pub mod spec;
pub mod world;
pub use graph::*;
