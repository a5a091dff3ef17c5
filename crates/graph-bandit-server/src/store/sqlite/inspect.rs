//! Inspects a file that may be a store.

use super::super::{Inspection, Tables};
use super::files::beside;
use super::lock::{Lock, not_created, one_name};
use super::{StoreError, about, failed, schema};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};
use std::fs::File;
use std::path::Path;
use std::time::Duration;

/// Inspects the file. It is opened as the service opens it, and left unchanged.
pub(crate) fn inspect(file: &Path) -> Result<Inspection, StoreError> {
    let place = file.display().to_string();
    // An empty file becomes a store, like a missing one.
    if file.metadata().map_or(0, |file| file.len()) == 0 {
        room_for(file).map_err(|error| {
            let reason = format!("cannot be created: {}", not_created(file, &error));
            about(file, &StoreError::Failed { reason })
        })?;
        return Ok(Inspection::Absent { place });
    }
    let tables = look(file).map_err(|error| about(file, &error))?;
    Ok(Inspection::There { place, tables, encrypted: None })
}

/// Checks that a file can be created there, by creating and removing another one.
fn room_for(file: &Path) -> std::io::Result<()> {
    let mut name = file.as_os_str().to_owned();
    name.push(format!("-check-{}", std::process::id()));
    File::create_new(&name)?;
    std::fs::remove_file(&name)
}

fn look(file: &Path) -> Result<Tables, StoreError> {
    one_name(file)?;
    let lock = Lock::take_if_there(file)?;
    let opened = match open_unchanged(&lock.database, "EXCLUSIVE") {
        // Somebody reads the file, and shares the index of its write-ahead log.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {
            open_unchanged(&lock.database, "NORMAL")
        }
        opened => opened,
    };
    let mut connection = opened.map_err(|error| failed(&error))?;
    let tables = schema::tables(&connection)?;
    let written =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).and_then(|writing| {
            writing.execute("UPDATE probe SET body = randomblob(16384)", [])?;
            writing.rollback()
        });
    written.map_err(|error| failed(&error))?;
    Ok(tables)
}

/// A connection that may write, and changes no file by being opened and closed, even if the last service was
/// killed.
fn open_unchanged(database: &Path, locking: &str) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(database, flags)?;
    connection.busy_timeout(Duration::ZERO)?;
    // The index of the write-ahead log is then built in memory, not in the file `-shm`.
    connection.pragma_update(None, "locking_mode", locking)?;
    // Otherwise the last connection moves the write-ahead log into the file.
    let is_left = beside(database, "-wal").exists();
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, is_left)?;
    let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    if mode != "wal" {
        // A backup is in another mode, in which the journal of an exclusive connection would stay.
        connection.pragma_update(None, "locking_mode", "NORMAL")?;
    }
    Ok(connection)
}
