//! What a store holds, in numbers.

use super::UpkeepError;
use crate::store::{Place, place};
use serde::Serialize;

/// How many of the longest logs are named.
pub const LARGEST_LOGS: usize = 10;

/// What a store holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StoreStats {
    /// `SQLite` or `PostgreSQL`.
    pub kind: &'static str,
    /// The version of its tables.
    pub tables: i64,
    /// Agents.
    pub agents: u64,
    /// Records that their logs hold.
    pub records: u64,
    /// Snapshots.
    pub snapshots: u64,
    /// Agents that were deleted and of which records are still there.
    pub deleted_and_not_removed: u64,
    /// How large it is.
    pub bytes: u64,
    /// How much of that is free, where it is known.
    pub free_bytes: Option<u64>,
    /// How large the write-ahead file beside it is, where there is such.
    pub write_ahead_bytes: Option<u64>,
    /// The longest logs, the longest first.
    pub largest_logs: Vec<LogLength>,
}

/// How long a log is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LogLength {
    /// Whose it is.
    pub agent: String,
    /// How many records it holds.
    pub records: u64,
}

/// Counts what the store of a URL holds at this moment.
///
/// # Errors
/// When there is no such store, or it cannot be read.
pub fn stats(url: &str) -> Result<StoreStats, UpkeepError> {
    match place(url)? {
        Place::Memory => Err(UpkeepError::Nothing),
        #[cfg(feature = "sqlite")]
        Place::File(file) => Ok(crate::store::sqlite::stats(file.as_ref())?),
        #[cfg(feature = "postgres")]
        Place::Database(url) => Ok(crate::store::postgres::stats(url)?),
        #[cfg(not(all(feature = "sqlite", feature = "postgres")))]
        other => Err(crate::store::left_out(&other).into()),
    }
}
