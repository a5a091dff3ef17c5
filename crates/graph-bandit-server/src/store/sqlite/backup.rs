//! Copies a file that is being written to, and checks the structure of a file.

use super::schema::open_any_at_a_moment;
use super::{StoreError, about, failed};
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};
use std::path::Path;

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
