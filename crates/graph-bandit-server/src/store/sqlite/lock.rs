//! Ensures one process at a time, by system locks on a file beside the database and on the database itself.
//!
//! The locks end with the process, however it ends. The file beside it stays, and means nothing by itself.
//! Only a lock on the database itself holds under all its names, such as those of a bind mount. It is
//! taken on Linux, where it does not conflict with SQLite's locks: those are of another kind. Elsewhere it
//! would.

use super::StoreError;
use super::files::{Identity, beside, identity};
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Held as long as the store is open.
#[derive(Debug)]
pub(super) struct Lock {
    /// Closing the database would end the locks that SQLite has on it, so this is dropped after all connections.
    _held: [Option<File>; 2],
    /// The canonical path of the database. It is absolute, so that SQLite cannot take it for a URI
    /// (`file:..`).
    pub(super) database: PathBuf,
    /// What it led to before it was opened.
    pub(super) identity: Identity,
}

impl Lock {
    pub(super) fn take(database: &Path) -> Result<Self, StoreError> {
        let real = real(database).map_err(|error| failed(not_created(database, &error)))?;
        one_name(&real)?;
        Self::of(real, for_us_alone().create(true))
    }

    /// For inspecting an existing database: no lock file is created. A service has created one.
    pub(super) fn take_if_there(database: &Path) -> Result<Self, StoreError> {
        let real = database.canonicalize().map_err(|error| failed(error.to_string()))?;
        Self::of(real, &mut for_us_alone())
    }

    fn of(database: PathBuf, options: &mut OpenOptions) -> Result<Self, StoreError> {
        let path = beside(&database, "-lock");
        let beside = match options.truncate(false).write(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            opened => Some(locked(opened, &path)?),
        };
        // If this process has the store open already, it fails above: opening and closing the database would
        // end its locks.
        let itself = if cfg!(target_os = "linux") {
            // Opened for writing, so that an overlay file system shows the file that will be written.
            let opened = File::options().read(true).write(true).open(&database);
            Some(locked(opened.or_else(|_| File::open(&database)), &database)?)
        } else {
            None
        };
        let identity = identity(&database).map_err(|error| failed(error.to_string()))?;
        if itself.as_ref().is_some_and(|file| !identity.is_of(file)) {
            return Err(failed("another file got its name meanwhile; start again".to_owned()));
        }
        Ok(Self { _held: [beside, itself], database, identity })
    }
}

fn locked(opened: io::Result<File>, path: &Path) -> Result<File, StoreError> {
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
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(failed(format!(
            "another process has it open (and holds {}); stop that process, or use its address",
            path.display()
        ))),
        Err(TryLockError::Error(error)) => {
            Err(failed(format!("cannot lock {}: {error}", path.display())))
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

/// SQLite keeps the latest reports in a file beside the name that it was given, where another name misses them.
#[cfg(unix)]
pub(super) fn one_name(database: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::MetadataExt;
    let names = database.metadata().map_err(|error| failed(error.to_string()))?.nlink();
    if names <= 1 {
        return Ok(());
    }
    let file = database.display();
    Err(failed(format!(
        "it has {names} names (hard links), perhaps because a backup program makes links instead of copies, and \
         the latest reports would be missing under the others; remove those (`find / -samefile {file}` \
         lists them), or give the store a file of its own: `cp -p {file} {file}-new && mv {file}-new {file}`"
    )))
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "it can fail elsewhere")]
pub(super) fn one_name(_: &Path) -> Result<(), StoreError> {
    Ok(())
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
