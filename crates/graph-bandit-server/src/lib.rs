//! The decision service.
pub mod agent;
pub mod store;
