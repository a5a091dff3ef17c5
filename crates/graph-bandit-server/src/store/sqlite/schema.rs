//! The tables, and how a file is opened.

use super::super::Tables;
use super::super::schema::Schema;
use super::lock::one_name;
use super::{StoreError, failed};
use rusqlite::{Connection, OpenFlags, Transaction};
use std::path::Path;
use std::time::Duration;

/// The tables below; their version is kept in the file.
pub(super) const SCHEMA: Schema = Schema { version: 1, upgrades: &[] };
/// `gban`: tells our files from those of other programs.
const APPLICATION: i64 = 0x6762_616e;

/// How long another process may hold the file before a write fails.
const PATIENCE: Duration = Duration::from_secs(1);

/// The numbers of agents are never given twice, so that leftovers of a deleted agent can never become
/// part of another of its name. The listed columns stand before the definition, which may span many
/// pages. `doomed` has deleted agents with leftovers. A base replaces the beginning of a log; the
/// records before `released` may be removed, those before `swept` are gone.
const TABLES: &str = "
CREATE TABLE agents (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    definition TEXT NOT NULL
) STRICT;
CREATE TABLE records (
    agent INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    body TEXT NOT NULL,
    received INTEGER NOT NULL,
    PRIMARY KEY (agent, sequence)
) STRICT, WITHOUT ROWID;
CREATE TABLE snapshots (
    agent INTEGER PRIMARY KEY,
    sequence INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE TABLE doomed (agent INTEGER PRIMARY KEY) STRICT;
CREATE TABLE bases (
    agent INTEGER PRIMARY KEY,
    sequence INTEGER NOT NULL,
    released INTEGER NOT NULL,
    swept INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE INDEX bases_to_sweep ON bases (agent) WHERE swept < released AND swept < sequence - 1;
CREATE TABLE probe (body BLOB NOT NULL) STRICT;
INSERT INTO probe VALUES (x'');
";

/// The end of an agent's log. It is not a column: a report would then have to write the agent's row, too,
/// which is as large as its graph.
pub(super) const END: &str = "coalesce(
    (SELECT max(sequence) + 1 FROM records WHERE records.agent = agents.number),
    (SELECT sequence - 1 FROM bases WHERE bases.agent = agents.number), 0)";

/// The head of the text with the seal of a log: its last record, or the definition if there is none.
pub(super) const SEAL: &str = "coalesce(
    (SELECT substr(body, 1, 64) FROM records
        WHERE records.agent = agents.number ORDER BY sequence DESC LIMIT 1),
    substr(definition, 1, 64))";

/// How many pages the write-ahead log has before it is moved into the file. That delays reports, and takes
/// about the same time for many pages as for few, because agents write the same pages again and again;
/// so it is done seldom.
const CHECKPOINT_EVERY: i64 = 10_000;
/// The write-ahead log grows while somebody reads an old state. Then it shrinks to this many bytes, which are
/// more than it usually has.
const LARGEST_LOG: i64 = 64 << 20;

pub(super) fn open_for_writing(file: &Path, schema: &Schema) -> Result<Connection, StoreError> {
    let mut connection = Connection::open(file).map_err(|error| failed(&error))?;
    prepare(&mut connection, schema).map_err(|error| failed(&error))?;
    schema.check(version(&connection)?)?;
    Ok(connection)
}

/// A connection that sees the file as of now, whatever others write to it.
pub(super) fn open_at_a_moment(file: &Path) -> Result<Connection, StoreError> {
    let connection = open_any_at_a_moment(file)?;
    SCHEMA.check(version(&connection)?)?;
    Ok(connection)
}

/// A connection of which each read sees the file as of its own moment.
pub(super) fn open_at_any_moment(file: &Path) -> Result<Connection, StoreError> {
    let connection = open_at_a_moment(file)?;
    connection.execute_batch("COMMIT").map_err(|error| failed(&error))?;
    Ok(connection)
}

/// Like [`open_at_a_moment`], also for tables of an earlier version.
pub(super) fn open_any_at_a_moment(file: &Path) -> Result<Connection, StoreError> {
    let system = |error: std::io::Error| StoreError::Failed { reason: error.to_string() };
    // Under another name, SQLite does not find the write-ahead log.
    one_name(file)?;
    // With its full path, SQLite cannot take it for a URI.
    let connection = open_for_reading(&file.canonicalize().map_err(system)?)?;
    // The first read of the transaction fixes the moment.
    let begun = connection.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema");
    begun.map_err(|error| failed(&error))?;
    tables(&connection)?;
    Ok(connection)
}

/// Which tables a file has; does not upgrade them.
pub(super) fn tables(connection: &Connection) -> Result<Tables, StoreError> {
    SCHEMA.tables(version(connection)?)
}

/// The version of a file's tables. Files of other programs are refused.
fn version(connection: &Connection) -> Result<i64, StoreError> {
    let number = |name| pragma(connection, name).map_err(|error| failed(&error));
    if number("application_id")? != APPLICATION {
        let reason = "the file is a database of another program".to_owned();
        return Err(StoreError::Failed { reason });
    }
    number("user_version")
}

pub(super) fn open_for_reading(file: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags).map_err(|error| failed(&error))?;
    connection.busy_timeout(PATIENCE).map_err(|error| failed(&error))?;
    Ok(connection)
}

pub(super) fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

fn prepare(connection: &mut Connection, schema: &Schema) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    // Only takes effect in an empty file, so it comes first.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // In write-ahead mode FULL syncs the log at every commit; NORMAL would lose the last ones.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_EVERY)?;
    connection.pragma_update(None, "journal_size_limit", LARGEST_LOG)?;
    let creation = connection.transaction()?;
    let tables: i64 =
        creation.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables == 0 {
        creation.execute_batch(TABLES)?;
        creation.pragma_update(None, "user_version", schema.version)?;
        creation.pragma_update(None, "application_id", APPLICATION)?;
    }
    upgrade(&creation, schema)?;
    creation.commit()
}

/// Brings the tables of an earlier version up to date, all or nothing.
fn upgrade(on: &Transaction<'_>, schema: &Schema) -> rusqlite::Result<()> {
    if pragma(on, "application_id")? != APPLICATION {
        return Ok(());
    }
    for (version, sql) in schema.upgrades {
        if pragma(on, "user_version")? == *version {
            on.execute_batch(sql)?;
            on.pragma_update(None, "user_version", version + 1)?;
        }
    }
    Ok(())
}
