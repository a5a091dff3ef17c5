//! One process at a time: a lock of the system on a file beside the database.
//!
//! The lock goes when the process goes, however it ended; the file stays, and means nothing by itself.
//! The database itself is not locked so, because on some systems that would shut out SQLite's own locks.

use super::StoreError;
use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// Held as long as the store is open.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    pub(super) fn take(database: &Path) -> Result<Self, StoreError> {
        let path = beside(database);
        let failed = |reason: String| StoreError::Failed { reason };
        let opened = File::options().create(true).truncate(false).write(true).open(&path);
        let file = opened.map_err(|error| failed(format!("{}: {error}", path.display())))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
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

/// The same file for every path that leads to the database.
fn beside(database: &Path) -> PathBuf {
    let real = database.canonicalize().unwrap_or_else(|_| database.to_owned());
    let mut name = OsString::from(real);
    name.push("-lock");
    name.into()
}
