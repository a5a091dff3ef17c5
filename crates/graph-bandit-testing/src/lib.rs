//! What several test suites start: a PostgreSQL of their own.
//!
//! Test code: what goes wrong here is a panic that says what to do.

mod postgres;

pub use postgres::{PASSWORD, Postgres};
