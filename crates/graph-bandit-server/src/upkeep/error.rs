//! Why the upkeep of a store failed.

use crate::store::StoreError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why the upkeep of a store failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum UpkeepError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file to write already exists.
    #[error("{} already exists", file.display())]
    FileExists {
        /// The file.
        file: PathBuf,
    },
    /// A file cannot be read or written.
    #[error("{}: {error}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The export cannot be read or written.
    #[error("the export: {0}")]
    Stream(io::Error),
    /// The store has its own program for backups.
    #[error(
        "a PostgreSQL database is backed up by its own program, while services use it: `pg_dump --format=custom \
         --schema=gbandit --file=FILE URL`; `pg_restore --dbname=URL FILE` restores it into an empty database, and \
         `gbandit store verify URL` checks it"
    )]
    OwnBackup,
    /// A store in memory cannot be copied.
    #[error("a store in memory (`memory:`) ends with its process; there is nothing to copy")]
    Nothing,
    /// A line of an export is wrong.
    #[error("line {line} of the export: {reason}")]
    Line {
        /// Its number, from 1.
        line: u64,
        /// The problem.
        reason: String,
    },
    /// Another agent in the store has the name.
    #[error(
        "another agent in the store is named {id:?}: {how}; delete it first, import into another store, or \
         skip existing agents"
    )]
    AgentExists {
        /// The agent.
        id: String,
        /// How they differ.
        how: String,
    },
    /// The file is not an export.
    #[error("this is not an export; `gbandit store export` writes one")]
    NotAnExport,
    /// No such agent.
    #[error("there is no agent {id:?} in the store")]
    NoSuchAgent {
        /// The name.
        id: String,
    },
    /// Released records were not removed.
    #[error(
        "the records of agent {id:?} from {first} up to, but not including, {wanted} are no longer needed, but \
         could not be removed yet; the program's log says why. Nothing is lost: the service removes them later"
    )]
    Stuck {
        /// The agent.
        id: String,
        /// The first record of the log.
        first: u64,
        /// The first record that should be left.
        wanted: u64,
    },
    /// The system failed.
    #[error(transparent)]
    System(io::Error),
}

#[cfg(feature = "sqlite")]
impl UpkeepError {
    pub(super) fn file(file: &std::path::Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::File { file: file.to_owned(), error }
    }
}
