//! What a URL leads to, found out without making, changing or serving anything.

use super::StoreError;
use super::url::{Place, place};

/// What a store is found to be.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Inspection {
    /// It lives in memory, and dies with the process.
    Memory,
    /// There is none, and one can be made.
    Absent {
        /// Where it would be.
        place: String,
    },
    /// There is one, and it can be written.
    There {
        /// Where it is.
        place: String,
        /// What its tables are.
        tables: Tables,
        /// How the connection to it is encrypted, if it is.
        encrypted: Option<String>,
    },
}

/// Which tables a store has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tables {
    /// Those of this version of the program.
    Current {
        /// Their own version.
        version: i64,
    },
    /// Those of an earlier one; they are upgraded when the store is opened.
    Earlier {
        /// Their own version.
        version: i64,
    },
}

/// Looks at the store of a URL.
///
/// # Errors
/// When there is no such kind of store, it cannot be reached or written, or is not one of this program.
pub fn inspect(url: &str) -> Result<Inspection, StoreError> {
    match place(url)? {
        Place::Memory => Ok(Inspection::Memory),
        #[cfg(feature = "sqlite")]
        Place::File(file) => super::sqlite::inspect(file.as_ref()),
        #[cfg(feature = "postgres")]
        Place::Database(url) => super::postgres::inspect(url),
        // What was left out of the program says so.
        #[cfg(not(all(feature = "sqlite", feature = "postgres")))]
        _ => super::open(url).map(|_| Inspection::Memory),
    }
}
