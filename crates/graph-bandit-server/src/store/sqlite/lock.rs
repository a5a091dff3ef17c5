//! Ensures one process at a time, by a system lock on a file beside the database.
//!
//! The lock ends with the process, however it ends. The file stays, and means nothing by itself. The
//! database itself is not locked this way, because on some systems that would conflict with SQLite's locks.

use super::StoreError;
use super::files::beside;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Held as long as the store is open.
#[derive(Debug)]
pub(super) struct Lock {
    _file: Option<File>,
    /// The canonical path of the database. It is absolute, so that SQLite cannot take it for a URI
    /// (`file:..`).
    pub(super) database: PathBuf,
}

impl Lock {
    pub(super) fn take(database: &Path) -> Result<Self, StoreError> {
        let real = real(database).map_err(|error| failed(not_created(database, &error)))?;
        Self::of(real)
    }

    /// For inspecting an existing database: no lock file is created. A service has created one.
    pub(super) fn take_if_there(database: &Path) -> Result<Self, StoreError> {
        let database = database.canonicalize().map_err(|error| failed(error.to_string()))?;
        if beside(&database, "-lock").exists() {
            Self::of(database)
        } else {
            Ok(Self { _file: None, database })
        }
    }

    fn of(database: PathBuf) -> Result<Self, StoreError> {
        let path = beside(&database, "-lock");
        let opened = for_us_alone().create(true).truncate(false).write(true).open(&path);
        let file = opened.map_err(|error| failed(format!("{}: {error}", path.display())))?;
        let mut locked = file.try_lock();
        for _ in 0..TRIES {
            if !matches!(locked, Err(TryLockError::WouldBlock)) {
                break;
            }
            std::thread::sleep(BETWEEN_TRIES);
            locked = file.try_lock();
        }
        match locked {
            Ok(()) => Ok(Self { _file: Some(file), database }),
            Err(TryLockError::WouldBlock) => Err(failed(format!(
                "another process has it open (and holds {}); stop that process, or use its address",
                path.display()
            ))),
            Err(TryLockError::Error(error)) => {
                Err(failed(format!("cannot lock {}: {error}", path.display())))
            }
        }
    }
}

/// Whoever had the file open may be just ending, so a lock is tried again for half a second.
const TRIES: u32 = 10;
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

fn failed(reason: String) -> StoreError {
    StoreError::Failed { reason }
}

/// Why a file cannot be created. The most frequent reason is named with its remedy.
pub(super) fn not_created(file: &Path, error: &io::Error) -> String {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    match folder {
        Some(folder) if error.kind() == io::ErrorKind::NotFound => {
            format!("the folder {} does not exist; create it first", folder.display())
        }
        _ => error.to_string(),
    }
}

/// Resolves links, which needs an existing file; so it creates one. An empty file is an empty database.
fn real(database: &Path) -> io::Result<PathBuf> {
    if !database.exists() {
        for_us_alone().create(true).append(true).open(database)?;
    }
    let database = database.canonicalize()?;
    warn_of_readers(&database)?;
    Ok(database)
}

/// A new file is readable by its owner only. SQLite gives the files beside the database the same rights.
fn for_us_alone() -> OpenOptions {
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// An existing file may be readable by others on purpose, so this only warns.
#[cfg(unix)]
fn warn_of_readers(database: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = database.metadata()?.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        let (file, mode) = (database.display(), format!("{mode:o}"));
        tracing::warn!(%file, mode, "other users may read or write the store; `chmod 600` forbids it");
    }
    Ok(())
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "it can fail elsewhere")]
fn warn_of_readers(_: &Path) -> io::Result<()> {
    Ok(())
}
