//! Copies a file that is being written to, and checks the structure of a file.

use super::files::{beside, identity};
use super::lock::Lock;
use super::schema::open_any_at_a_moment;
use super::{StoreError, about, failed};
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};

/// The ends of names beside a store; SQLite makes all but the last.
const BESIDE: [&str; 4] = ["-wal", "-shm", "-journal", "-lock"];

/// A place for a copy that no store uses. If there is a file, nobody opens a store there while this is held.
pub(crate) struct Place {
    _lock: Option<Lock>,
}

impl Place {
    /// Refuses the source itself, a store that is open, a file beside which SQLite has left others (they would
    /// be taken for part of the copy), such a file itself, and a device.
    pub(crate) fn take(from: &Path, into: &Path) -> Result<Self, StoreError> {
        Self::free(from, into).map_err(|error| {
            let StoreError::Failed { reason } = about(into, &error) else { return error };
            StoreError::Failed { reason: format!("{reason}; choose another file") }
        })
    }

    fn free(from: &Path, into: &Path) -> Result<Self, StoreError> {
        let refused = |reason: String| Err(StoreError::Failed { reason });
        if identity(from).is_ok_and(|from| identity(into).is_ok_and(|into| into == from)) {
            return refused("this is the store that is copied".to_owned());
        }
        // Links are followed, although the copy replaces the link: a store may be known by it.
        let real = into.canonicalize().unwrap_or_else(|_| into.to_owned());
        if real.metadata().is_ok_and(|it| !it.is_file()) {
            return refused("this is not a file".to_owned());
        }
        for end in BESIDE {
            let store = real.to_string_lossy().strip_suffix(end).map(PathBuf::from);
            if let Some(store) = store.filter(|store| store.exists()) {
                return refused(format!("it belongs to {}", store.display()));
            }
        }
        let lock = into.exists().then(|| Lock::take_if_there(into)).transpose()?;
        for end in &BESIDE[..3] {
            let left = beside(&real, end);
            if left.symlink_metadata().is_ok() {
                let left = left.display();
                return refused(format!(
                    "{left} lies beside it, so a program uses it, or was killed"
                ));
            }
        }
        Ok(Self { _lock: lock })
    }
}

/// Copies the file as of this moment into an empty one, page by page, including damaged pages. The copy is
/// one file, without a write-ahead log.
pub(crate) fn backup(from: &Path, into: &Path) -> Result<(), StoreError> {
    let source = open_any_at_a_moment(from).map_err(|error| about(from, &error))?;
    copy(&source, into).map_err(|error| about(into, &failed(&error)))
}

fn copy(source: &Connection, into: &Path) -> rusqlite::Result<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut copy = Connection::open_with_flags(into, flags)?;
    // All in one step: the source does not change within one read transaction.
    let all = Backup::new(source, &mut copy)?.step(-1)?;
    if all != StepResult::Done {
        let reason = Some(format!("the copy was interrupted ({all:?}); try again"));
        let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
        return Err(rusqlite::Error::SqliteFailure(busy, reason));
    }
    copy.pragma_update(None, "journal_mode", "DELETE")
}

/// The problems that SQLite finds in the structure of a file, if any.
pub(crate) fn integrity(file: &Path) -> Result<Vec<String>, StoreError> {
    let connection = open_any_at_a_moment(file).map_err(|error| about(file, &error))?;
    let findings = || -> rusqlite::Result<Vec<String>> {
        let mut check = connection.prepare("PRAGMA integrity_check")?;
        let findings = check.query_map([], |row| row.get(0))?;
        findings.collect()
    };
    let findings = findings().map_err(|error| about(file, &failed(&error)))?;
    Ok(if findings == ["ok"] { Vec::new() } else { findings })
}
