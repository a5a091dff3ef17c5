//! What keeps a store in good order beside the service: copies of it, whether it is whole, what is in
//! it, and the way into another store.
//!
//! All but [`import`] and [`compact`] only read, a store as it is at one moment, and can be used while a service writes to it.

mod backup;
mod compact;
mod error;
mod export;
mod import;
mod line;
mod stats;
mod verify;

pub use backup::{IfThere, backup};
pub use compact::{LetGo, compact};
pub use error::UpkeepError;
pub use export::{Exported, export};
pub use import::{Different, Export, IfNamed, Imported, import};
pub use stats::{LARGEST_LOGS, LogLength, StoreStats, stats};
pub use verify::{Damage, Depth, Verified, verify};

use std::future::Future;

/// Carries out what needs a runtime, on one of its own.
fn run<T>(work: impl Future<Output = Result<T, UpkeepError>>) -> Result<T, UpkeepError> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.map_err(UpkeepError::System)?.block_on(work)
}
