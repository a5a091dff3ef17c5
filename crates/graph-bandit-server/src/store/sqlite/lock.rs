//! One process at a time: a lock of the system on a file beside the database.
//!
//! The lock goes when the process goes, however it ended; the file stays, and means nothing by itself.
//! The database itself is not locked so, because on some systems that would shut out SQLite's own locks.

use super::StoreError;
use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Held as long as the store is open.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
    /// The database, by the one path that it has whatever links lead to it. It is absolute, so SQLite
    /// cannot take it for one of its own addresses (`file:..`).
    pub(super) database: PathBuf,
}

impl Lock {
    pub(super) fn take(database: &Path) -> Result<Self, StoreError> {
        let database = real(database).map_err(|error| failed(error.to_string()))?;
        let mut path = OsString::from(&database);
        path.push("-lock");
        let path = PathBuf::from(path);
        let opened = File::options().create(true).truncate(false).write(true).open(&path);
        let file = opened.map_err(|error| failed(format!("{}: {error}", path.display())))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file, database }),
            Err(TryLockError::WouldBlock) => Err(failed(format!(
                "another process has it open (and holds {}); stop that one, or use its address",
                path.display()
            ))),
            Err(TryLockError::Error(error)) => {
                Err(failed(format!("cannot lock {}: {error}", path.display())))
            }
        }
    }
}

fn failed(reason: String) -> StoreError {
    StoreError::Failed { reason }
}

/// Where links lead is known only of files that are there; an empty one is an empty database.
fn real(database: &Path) -> io::Result<PathBuf> {
    if !database.exists() {
        File::options().create(true).append(true).open(database)?;
    }
    database.canonicalize()
}
