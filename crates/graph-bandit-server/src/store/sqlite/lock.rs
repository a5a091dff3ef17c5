//! One process at a time: a lock of the system on a file beside the database.
//!
//! The lock goes when the process goes, however it ended; the file stays, and means nothing by itself.
//! The database itself is not locked so, because on some systems that would shut out SQLite's own locks.

use super::StoreError;
use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Held as long as the store is open.
#[derive(Debug)]
pub(super) struct Lock {
    _file: Option<File>,
    /// The database, by the one path that it has whatever links lead to it. It is absolute, so SQLite
    /// cannot take it for one of its own addresses (`file:..`).
    pub(super) database: PathBuf,
}

impl Lock {
    pub(super) fn take(database: &Path) -> Result<Self, StoreError> {
        let database = real(database).map_err(|error| failed(error.to_string()))?;
        Self::of(database)
    }

    /// For a look at a database that is there: no file is made for it. Whoever serves one has made it.
    pub(super) fn take_if_there(database: &Path) -> Result<Self, StoreError> {
        let database = database.canonicalize().map_err(|error| failed(error.to_string()))?;
        if path(&database).exists() {
            Self::of(database)
        } else {
            Ok(Self { _file: None, database })
        }
    }

    fn of(database: PathBuf) -> Result<Self, StoreError> {
        let path = path(&database);
        let opened = for_us_alone().create(true).truncate(false).write(true).open(&path);
        let file = opened.map_err(|error| failed(format!("{}: {error}", path.display())))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: Some(file), database }),
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

/// The file that is locked.
fn path(database: &Path) -> PathBuf {
    let mut path = OsString::from(database);
    path.push("-lock");
    PathBuf::from(path)
}

fn failed(reason: String) -> StoreError {
    StoreError::Failed { reason }
}

/// Where links lead is known only of files that are there; an empty one is an empty database.
fn real(database: &Path) -> io::Result<PathBuf> {
    if !database.exists() {
        for_us_alone().create(true).append(true).open(database)?;
    }
    let database = database.canonicalize()?;
    warn_of_readers(&database)?;
    Ok(database)
}

/// A file that is made is nobody else's to read. SQLite gives those beside the database the same rights.
fn for_us_alone() -> OpenOptions {
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// One that is there may be meant to be read by others.
#[cfg(unix)]
fn warn_of_readers(database: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = database.metadata()?.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        let (file, mode) = (database.display(), format!("{mode:o}"));
        tracing::warn!(%file, mode, "other users may read or write the store; chmod 600 takes that away");
    }
    Ok(())
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "it can fail elsewhere")]
fn warn_of_readers(_: &Path) -> io::Result<()> {
    Ok(())
}
