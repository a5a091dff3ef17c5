//! Inspects the store of a URL without creating, changing or serving anything.

use super::StoreError;
use super::url::{StoreKind, kind_of};

/// The result of an inspection.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Inspection {
    /// The store lives in memory, and ends with the process.
    Memory,
    /// There is no store, and one can be created.
    Absent {
        /// Where it would be.
        place: String,
    },
    /// There is a store, and it can be written.
    There {
        /// Where it is.
        place: String,
        /// Its tables.
        tables: Tables,
        /// The encryption of the connection, if any.
        encrypted: Option<String>,
    },
}

/// Which tables a store has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tables {
    /// The tables of this version of the program.
    Current {
        /// The version of the tables.
        version: i64,
    },
    /// The tables of an earlier version; opening the store upgrades them.
    Earlier {
        /// The version of the tables.
        version: i64,
    },
}

/// Inspects the store of a URL.
///
/// # Errors
/// When there is no such kind of store, it cannot be reached or written, or it belongs to another program.
pub fn inspect(url: &str) -> Result<Inspection, StoreError> {
    match kind_of(url)? {
        StoreKind::Memory => Ok(Inspection::Memory),
        #[cfg(feature = "sqlite")]
        StoreKind::File(file) => super::sqlite::inspect(file.as_ref()),
        #[cfg(feature = "postgres")]
        StoreKind::Database(url) => super::postgres::inspect(url),
        // A kind of store that was not compiled in has its own error.
        #[cfg(not(all(feature = "sqlite", feature = "postgres")))]
        _ => super::open(url).map(|_| Inspection::Memory),
    }
}
