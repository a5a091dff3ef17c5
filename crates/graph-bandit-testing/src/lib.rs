//! A private PostgreSQL server for several test suites.
//!
//! This is test code: every error is a panic that says what to do.

mod postgres;

pub use postgres::{PASSWORD, Postgres};
