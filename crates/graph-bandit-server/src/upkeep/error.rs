//! Why a store could not be looked after.

use crate::store::StoreError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a store could not be looked after.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum UpkeepError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file to write is there already.
    #[error("{} is there already", file.display())]
    FileExists {
        /// The file.
        file: PathBuf,
    },
    /// A file cannot be read or written.
    #[error("{}: {error}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The export cannot be read or written.
    #[error("the export: {0}")]
    Stream(io::Error),
    /// A store that has its own way to be copied.
    #[error(
        "a PostgreSQL database is copied by its own program, while services use it: `pg_dump --format=custom \
         --schema=gbandit --file=FILE URL`; `pg_restore --dbname=URL FILE` restores it into an empty database, and \
         `gbandit store verify URL` checks it"
    )]
    OwnBackup,
    /// What is in memory only cannot be copied.
    #[error("memory: is gone when its process ends; there is nothing to copy")]
    Nothing,
    /// A line of an export is not what it should be.
    #[error("line {line} of the export: {reason}")]
    Line {
        /// Its number, from 1 on.
        line: u64,
        /// What is wrong.
        reason: String,
    },
    /// An agent of the name is there, and is another one.
    #[error(
        "there is another agent {id:?} in the store already: {how}; delete it first, import into another store, or \
         skip those that are there"
    )]
    AgentExists {
        /// The agent.
        id: String,
        /// How they differ.
        how: String,
    },
    /// What is to be imported is something else.
    #[error("this is not an export; `gbandit store export` writes one")]
    NotAnExport,
    /// What is exported is not for them to read.
    #[error("processes of version 0.1 use the database; stop them before you import anything")]
    EarlierVersion,
    /// No such agent.
    #[error("there is no agent {id:?} in the store")]
    NoSuchAgent {
        /// The name.
        id: String,
    },
    /// Records that were let go are still there.
    #[error(
        "the records of agent {id:?} before {wanted} were let go, but record {first} and those after it are not \
         removed: the log of the program says why; nothing is lost, and the service goes on removing them"
    )]
    Stuck {
        /// The agent.
        id: String,
        /// The first record that is there.
        first: u64,
        /// The first record that is to be there.
        wanted: u64,
    },
    /// Something of the system failed.
    #[error(transparent)]
    System(io::Error),
}

impl UpkeepError {
    pub(super) fn file(file: &std::path::Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::File { file: file.to_owned(), error }
    }
}
