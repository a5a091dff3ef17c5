//! Statistics of a store.

use super::UpkeepError;
use crate::store::{StoreKind, kind_of};
use serde::Serialize;

/// How many of the longest logs are named.
pub const LARGEST_LOGS: usize = 10;

/// The statistics of a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StoreStats {
    /// `SQLite` or `PostgreSQL`.
    pub kind: &'static str,
    /// The version of its tables.
    pub tables: i64,
    /// Agents.
    pub agents: u64,
    /// Records in their logs.
    pub records: u64,
    /// Snapshots.
    pub snapshots: u64,
    /// Deleted agents with records that are not removed yet.
    pub deleted_and_not_removed: u64,
    /// Its size.
    pub bytes: u64,
    /// How much of that is free, if known.
    pub free_bytes: Option<u64>,
    /// The size of the write-ahead file beside it, if it has one.
    pub write_ahead_bytes: Option<u64>,
    /// The longest logs, the longest first.
    pub largest_logs: Vec<LogLength>,
}

/// The length of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LogLength {
    /// The name of its agent.
    pub agent: String,
    /// How many records it has.
    pub records: u64,
}

/// Counts the content of the store of a URL at this moment.
///
/// # Errors
/// When there is no such store, or it cannot be read.
pub fn stats(url: &str) -> Result<StoreStats, UpkeepError> {
    match kind_of(url)? {
        StoreKind::Memory => Err(UpkeepError::Nothing),
        #[cfg(feature = "sqlite")]
        StoreKind::File(file) => Ok(crate::store::sqlite::stats(file.as_ref())?),
        #[cfg(feature = "postgres")]
        StoreKind::Database(url) => Ok(crate::store::postgres::stats(url)?),
        #[cfg(not(all(feature = "sqlite", feature = "postgres")))]
        other => Err(crate::store::left_out(&other).into()),
    }
}
