//! The tables, and how a file is opened.

use super::super::Tables;
use super::{StoreError, failed};
use rusqlite::{Connection, OpenFlags, Transaction};
use std::path::Path;
use std::time::Duration;

/// The version of the tables below, kept in the file.
const VERSION: i64 = 4;
/// The upgrade of the tables of each earlier version to the next.
const UPGRADES: [(i64, &str); 1] = [(
    3,
    "ALTER TABLE records ADD COLUMN received INTEGER;
    CREATE TABLE doomed (agent INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE bases (
        agent INTEGER PRIMARY KEY,
        sequence INTEGER NOT NULL,
        released INTEGER NOT NULL,
        swept INTEGER NOT NULL,
        body TEXT NOT NULL
    ) STRICT;
    CREATE INDEX bases_to_sweep ON bases (agent) WHERE swept < released AND swept < sequence - 1;",
)];
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
    received INTEGER,
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

pub(super) fn open_for_writing(file: &Path) -> Result<Connection, StoreError> {
    let mut connection = Connection::open(file).map_err(|error| failed(&error))?;
    prepare(&mut connection).map_err(|error| failed(&error))?;
    check(&connection)?;
    Ok(connection)
}

/// A connection that sees the file as of now, whatever others write to it. Tables that an earlier version
/// lacks are empty and temporary.
pub(super) fn open_at_a_moment(file: &Path) -> Result<Connection, StoreError> {
    let system = |error: std::io::Error| StoreError::Failed { reason: error.to_string() };
    // With its full path, SQLite cannot take it for a URI.
    let connection = open_for_reading(&file.canonicalize().map_err(system)?)?;
    tables(&connection)?;
    let begun = lend_tables(&connection)
        // The first read of the transaction fixes the moment.
        .and_then(|()| connection.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema"));
    begun.map_err(|error| failed(&error))?;
    Ok(connection)
}

/// The version of a file's tables; does not upgrade them.
pub(super) fn tables(connection: &Connection) -> Result<Tables, StoreError> {
    let number = |name| pragma(connection, name).map_err(|error| failed(&error));
    let (version, application) = (number("user_version")?, number("application_id")?);
    if application == APPLICATION && UPGRADES.iter().any(|(from, _)| *from == version) {
        return Ok(Tables::Earlier { version });
    }
    check(connection)?;
    Ok(Tables::Current { version })
}

fn lend_tables(connection: &Connection) -> rusqlite::Result<()> {
    let sql = "SELECT count(*) FROM sqlite_schema WHERE name = 'doomed'";
    if connection.query_row(sql, [], |row| row.get::<_, i64>(0))? > 0 {
        return Ok(());
    }
    connection.execute_batch(
        "CREATE TEMP TABLE doomed (agent INTEGER PRIMARY KEY);
        CREATE TEMP TABLE bases (agent INTEGER PRIMARY KEY, sequence INTEGER, body TEXT);",
    )
}

/// Refuses files that this program does not know.
fn check(connection: &Connection) -> Result<(), StoreError> {
    let number = |name| pragma(connection, name).map_err(|error| failed(&error));
    let (version, application) = (number("user_version")?, number("application_id")?);
    if (application, version) == (APPLICATION, VERSION) {
        return Ok(());
    }
    let reason = if application == APPLICATION {
        format!("the file has tables of version {version}, but this program reads {VERSION}")
    } else {
        "the file is a database of another program".to_owned()
    };
    Err(StoreError::Failed { reason })
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

fn prepare(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    // Only takes effect in an empty file, so it comes first.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // In write-ahead mode FULL syncs the log at every commit; NORMAL would lose the last ones.
    connection.pragma_update(None, "synchronous", "FULL")?;
    // Files of 0.1 delete records together with their agent. This version removes them piece by piece.
    connection.pragma_update(None, "foreign_keys", false)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_EVERY)?;
    let creation = connection.transaction()?;
    let tables: i64 =
        creation.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables == 0 {
        creation.execute_batch(TABLES)?;
        creation.pragma_update(None, "user_version", VERSION)?;
        creation.pragma_update(None, "application_id", APPLICATION)?;
    }
    upgrade(&creation)?;
    creation.commit()
}

/// Brings the tables of an earlier version up to date, all or nothing.
fn upgrade(on: &Transaction<'_>) -> rusqlite::Result<()> {
    let number = |name| on.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    if number("application_id")? != APPLICATION {
        return Ok(());
    }
    for (version, sql) in UPGRADES {
        if number("user_version")? == version {
            on.execute_batch(sql)?;
            on.pragma_update(None, "user_version", version + 1)?;
        }
    }
    Ok(())
}
