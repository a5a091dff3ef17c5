//! Inspects a file that may be a store.

use super::super::{Inspection, Tables};
use super::lock::{Lock, not_created, one_name};
use super::{StoreError, about, failed, schema};
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use std::fs::File;
use std::path::Path;

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
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_with_flags(&lock.database, flags);
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
