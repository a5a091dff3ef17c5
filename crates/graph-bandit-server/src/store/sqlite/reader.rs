//! The thread that reads.

use super::schema::{END, SEAL};
use super::{
    AgentKey, End, Portion, Reply, StoreError, Stored, StoredSnapshot, StoredSummary, Tip, failed,
    failed_at, in_a_row,
};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::sync::mpsc::Receiver;

/// A read and its waiting caller.
#[derive(Debug)]
pub(super) enum Read {
    Find { id: String, reply: Reply<Option<Stored>> },
    Tip { id: String, reply: Reply<Option<Tip>> },
    Key { id: String, reply: Reply<Option<AgentKey>> },
    List { after: String, limit: usize, reply: Reply<Vec<StoredSummary>> },
    Records { agent: AgentKey, from: u64, portion: Portion, reply: Reply<Vec<String>> },
    Snapshot { agent: AgentKey, reply: Reply<Option<StoredSnapshot>> },
    Base { agent: AgentKey, reply: Reply<Option<StoredSnapshot>> },
    Received { agent: AgentKey, sequence: u64, reply: Reply<Option<u64>> },
}

/// Works until the queue is closed.
pub(super) fn work(connection: &Connection, reads: &Receiver<Read>) {
    while let Ok(read) = reads.recv() {
        answer(connection, read);
    }
}

fn answer(from: &Connection, read: Read) {
    // The caller may be gone; then the answer is dropped.
    match read {
        Read::Find { id, reply } => drop(reply.send(find(from, &id))),
        Read::Tip { id, reply } => drop(reply.send(tip(from, &id))),
        Read::Key { id, reply } => drop(reply.send(key(from, id))),
        Read::List { after, limit, reply } => drop(reply.send(list(from, &after, limit))),
        Read::Records { agent, from: first, portion, reply } => {
            drop(reply.send(records(from, &agent, (first, portion))));
        }
        Read::Snapshot { agent, reply } => {
            drop(reply.send(kept_in("snapshots", from, &agent)));
        }
        Read::Base { agent, reply } => drop(reply.send(kept_in("bases", from, &agent))),
        Read::Received { agent, sequence, reply } => {
            drop(reply.send(received(from, &agent, sequence)));
        }
    }
}

fn stored(row: &Row<'_>) -> rusqlite::Result<Stored> {
    Ok(Stored { id: row.get(0)?, number: row.get(1)?, definition: row.get(2)?, end: row.get(3)? })
}

fn listed(row: &Row<'_>) -> rusqlite::Result<StoredSummary> {
    // The writer of the label checks it; a damaged label must not hide the others.
    let label = String::from_utf8_lossy(row.get_ref(1)?.as_bytes()?).into_owned();
    Ok(StoredSummary { id: row.get(0)?, label, end: row.get(2)? })
}

fn find(from: &Connection, id: &str) -> Result<Option<Stored>, StoreError> {
    let sql = format!("SELECT id, number, definition, {END} FROM agents WHERE id = ?1");
    let found = from
        .prepare_cached(&sql)
        .and_then(|mut statement| statement.query_row([id], stored).optional());
    found.map_err(|error| failed_at(id, &error))
}

fn tip(from: &Connection, id: &str) -> Result<Option<Tip>, StoreError> {
    let sql = format!("SELECT number, {END}, {SEAL} FROM agents WHERE id = ?1");
    let tip = |row: &Row<'_>| Ok(Tip { number: row.get(0)?, end: end(row, (1, 2))? });
    let found = from
        .prepare_cached(&sql)
        .and_then(|mut statement| statement.query_row([id], tip).optional());
    found.map_err(|error| failed_at(id, &error))
}

/// The end of a log, from its number and the head of the text with its seal.
pub(super) fn end(row: &Row<'_>, (sequence, head): (usize, usize)) -> rusqlite::Result<End> {
    // A damaged text has a seal that nobody expects.
    let head = String::from_utf8_lossy(row.get_ref(head)?.as_bytes()?);
    Ok(End::after(row.get(sequence)?, &head))
}

fn key(from: &Connection, id: String) -> Result<Option<AgentKey>, StoreError> {
    let found = from
        .prepare_cached("SELECT number FROM agents WHERE id = ?1")
        .and_then(|mut statement| statement.query_row([&id], |row| row.get(0)).optional());
    let number: Option<u64> = found.map_err(|error| failed_at(&id, &error))?;
    Ok(number.map(|number| AgentKey { id, number }))
}

fn list(from: &Connection, after: &str, limit: usize) -> Result<Vec<StoredSummary>, StoreError> {
    let sql = format!("SELECT id, label, {END} FROM agents WHERE id > ?1 ORDER BY id LIMIT ?2");
    let found = from.prepare_cached(&sql).and_then(|mut statement| {
        statement.query_map(params![after, row_limit(limit)], listed)?.collect()
    });
    found.map_err(|error| failed(&error))
}

fn records(
    from: &Connection,
    agent: &AgentKey,
    (first, portion): (u64, Portion),
) -> Result<Vec<String>, StoreError> {
    let number = number(from, agent)?;
    let sql = "SELECT sequence, body FROM records WHERE agent = ?1 AND sequence >= ?2
        ORDER BY sequence LIMIT ?3";
    let start = i64::try_from(first).unwrap_or(i64::MAX);
    let found = from.prepare_cached(sql).and_then(|mut statement| {
        let range = params![number, start, row_limit(portion.records)];
        portion.fill(statement.query_map(range, |row| Ok((row.get(0)?, row.get(1)?)))?)
    });
    in_a_row(&agent.id, first, found.map_err(|error| failed_at(&agent.id, &error))?)
}

fn received(from: &Connection, agent: &AgentKey, at: u64) -> Result<Option<u64>, StoreError> {
    let number = number(from, agent)?;
    let sql = "SELECT received FROM records WHERE agent = ?1 AND sequence = ?2";
    let found = from.prepare_cached(sql).and_then(|mut statement| {
        statement.query_row(params![number, at], |row| row.get::<_, Option<u64>>(0)).optional()
    });
    Ok(found.map_err(|error| failed_at(&agent.id, &error))?.flatten())
}

/// The snapshot or the base of an agent.
fn kept_in(
    table: &str,
    from: &Connection,
    agent: &AgentKey,
) -> Result<Option<StoredSnapshot>, StoreError> {
    let number = number(from, agent)?;
    let sql = &format!("SELECT sequence, body FROM {table} WHERE agent = ?1");
    let read = |row: &Row<'_>| Ok(StoredSnapshot { sequence: row.get(0)?, body: row.get(1)? });
    let found = from
        .prepare_cached(sql)
        .and_then(|mut statement| statement.query_row([number], read).optional());
    found.map_err(|error| failed_at(&agent.id, &error))
}

fn number(from: &Connection, agent: &AgentKey) -> Result<i64, StoreError> {
    let found = from
        .prepare_cached("SELECT number FROM agents WHERE number = ?1")
        .and_then(|mut all| all.query_row([agent.number], |row| row.get(0)).optional());
    found
        .map_err(|error| failed_at(&agent.id, &error))?
        .ok_or_else(|| StoreError::NoSuchAgent { id: agent.id.clone() })
}

/// SQLite's numbers are signed.
fn row_limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
