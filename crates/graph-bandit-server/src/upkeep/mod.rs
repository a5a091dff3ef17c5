//! Upkeep of a store beside the service: backup, verification, statistics, compaction, export and import.
//!
//! All but [`import`] and [`compact`] only read, and can be used while a service writes to the store: [`export`] sees
//! each agent of a file as of its own moment, the others see the store as of one moment.

mod backup;
mod compact;
mod error;
mod export;
mod import;
mod line;
mod stats;
mod verify;

pub use backup::{IfExists, backup};
pub use compact::{CompactionReport, compact};
pub use error::UpkeepError;
pub use export::{Exported, export};
pub use import::{Different, Export, IfNameTaken, Imported, import};
pub use stats::{LARGEST_LOGS, LogLength, StoreStats, stats};
pub use verify::{Damage, Depth, Verified, verify};

use std::future::Future;

/// Runs a future on a runtime of its own.
fn run<T>(work: impl Future<Output = Result<T, UpkeepError>>) -> Result<T, UpkeepError> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.map_err(UpkeepError::System)?.block_on(work)
}
