//! Writes a batch in one transaction.

use super::bases;
use super::files::OpenFiles;
use super::group_commit::{Failure, Fate, Medium, Results, Tidy};
use super::reader::end as end_in;
use super::removal::Removal;
use super::schema::{END, SEAL};
use super::{AgentKey, End, StoreError, StoredSnapshot, failed, failed_at, is_damage};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use std::sync::Arc;

/// A write.
#[derive(Debug)]
pub(super) enum Write {
    Create { id: String, label: String, definition: String },
    Delete { agent: AgentKey },
    Rename { agent: AgentKey, id: String },
    Append { agent: AgentKey, at: End, record: String, label: Option<String> },
    PutSnapshot { agent: AgentKey, snapshot: StoredSnapshot },
    PutBase { agent: AgentKey, at: End, body: String },
    BeginWith { agent: AgentKey, base: StoredSnapshot },
    Release { agent: AgentKey, at: End },
    Check,
}

impl Write {
    fn agent(&self) -> Option<&str> {
        match self {
            Self::Create { id, .. } => Some(id),
            Self::Delete { agent }
            | Self::Rename { agent, .. }
            | Self::Append { agent, .. }
            | Self::PutSnapshot { agent, .. }
            | Self::PutBase { agent, .. }
            | Self::BeginWith { agent, .. }
            | Self::Release { agent, .. } => Some(&agent.id),
            Self::Check => None,
        }
    }
}

/// The connection that writes.
#[derive(Debug)]
pub(super) struct Writer {
    connection: Connection,
    removal: Removal,
    files: Arc<OpenFiles>,
}

impl Writer {
    pub(super) fn new(connection: Connection, files: Arc<OpenFiles>) -> Self {
        Self { connection, removal: Removal::default(), files }
    }
}

impl Drop for Writer {
    /// At its end, SQLite removes the write-ahead log by its name, which another store may have by now.
    fn drop(&mut self) {
        if self.files.is_log_of_another() {
            // If this fails, it is closed as always.
            let _ = self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        }
    }
}

impl Medium for Writer {
    type Write = Write;

    fn size(write: &Write) -> usize {
        match write {
            Write::Create { definition, .. } => definition.len(),
            Write::Append { record, .. } => record.len(),
            Write::PutSnapshot { snapshot, .. } => snapshot.body.len(),
            Write::PutBase { body, .. } => body.len(),
            Write::BeginWith { base, .. } => base.body.len(),
            Write::Delete { .. } | Write::Rename { .. } | Write::Release { .. } | Write::Check => 0,
        }
    }

    /// Nothing to prepare: a file fails only when it is written.
    async fn ready(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn commit(&mut self, batch: &[Write]) -> Result<Results, Failure> {
        let carried_out = carry_out_all(&mut self.connection, batch);
        let leaves_something =
            |write: &Write| matches!(write, Write::Delete { .. } | Write::Release { .. });
        if carried_out.is_ok() && batch.iter().any(leaves_something) {
            self.removal.expect_more();
        }
        let results = carried_out.map_err(|error| match batch {
            _ if !is_damage(&error) => Failure::OfAll(failed(&error)),
            // The file is broken at the data of one agent.
            [write] => {
                let known = |id| failed_at(id, &error);
                Failure::OfOne(write.agent().map_or_else(|| failed(&error), known))
            }
            _ => Failure::OfOne(failed(&error)),
        })?;
        // After the commit, so that what is acknowledged was in these files by then.
        self.files.check().map_err(Failure::OfAll)?;
        Ok(results)
    }

    async fn tidy(&mut self) -> Tidy {
        self.removal.go_on(&mut self.connection)
    }
}

/// Why a write failed: it was refused, or the whole transaction is spoiled.
pub(super) enum Outcome {
    Refused(StoreError),
    Spoiled(rusqlite::Error),
}

impl From<rusqlite::Error> for Outcome {
    fn from(error: rusqlite::Error) -> Self {
        Self::Spoiled(error)
    }
}

/// All of it, or nothing.
fn carry_out_all(connection: &mut Connection, batch: &[Write]) -> rusqlite::Result<Results> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut results = Vec::with_capacity(batch.len());
    for write in batch {
        match carry_out(&transaction, write) {
            Ok(()) => results.push(Fate::Settled(Ok(()))),
            Err(Outcome::Refused(refusal)) => results.push(Fate::Settled(Err(refusal))),
            Err(Outcome::Spoiled(error)) => return Err(error),
        }
    }
    transaction.commit()?;
    Ok(results)
}

fn carry_out(on: &Transaction<'_>, write: &Write) -> Result<(), Outcome> {
    match write {
        Write::Create { id, label, definition } => create(on, id, (label, definition)),
        Write::Delete { agent } => delete(on, agent),
        Write::Rename { agent, id } => rename(on, agent, id),
        Write::Append { agent, at, record, label } => {
            append(on, agent, at, record)?;
            label.as_ref().map_or(Ok(()), |label| relabel(on, agent, label))
        }
        Write::PutSnapshot { agent, snapshot } => put_snapshot(on, agent, snapshot),
        Write::PutBase { agent, at, body } => bases::put(on, agent, (at, body)),
        Write::BeginWith { agent, base } => bases::begin_with(on, agent, base),
        Write::Release { agent, at } => bases::release(on, agent, at),
        Write::Check => check(on),
    }
}

fn create(
    on: &Transaction<'_>,
    id: &str,
    (label, definition): (&str, &str),
) -> Result<(), Outcome> {
    let sql = "INSERT INTO agents (id, label, definition) VALUES (?1, ?2, ?3)
        ON CONFLICT DO NOTHING";
    match on.prepare_cached(sql)?.execute(params![id, label, definition])? {
        0 => Err(Outcome::Refused(StoreError::Exists { id: id.to_owned() })),
        _ => Ok(()),
    }
}

/// Removes the name and notes the agent's number; its records are removed piece by piece
/// (`removal.rs`).
fn delete(on: &Transaction<'_>, agent: &AgentKey) -> Result<(), Outcome> {
    let sql = "DELETE FROM agents WHERE number = ?1";
    if on.prepare_cached(sql)?.execute([agent.number])? == 0 {
        return Err(missing(&agent.id));
    }
    on.prepare_cached("INSERT INTO doomed (agent) VALUES (?1)")?.execute([agent.number])?;
    Ok(())
}

fn rename(on: &Transaction<'_>, agent: &AgentKey, id: &str) -> Result<(), Outcome> {
    if on.prepare_cached("SELECT 1 FROM agents WHERE id = ?1")?.exists([id])? {
        return Err(Outcome::Refused(StoreError::Exists { id: id.to_owned() }));
    }
    let sql = "UPDATE agents SET id = ?2 WHERE number = ?1";
    match on.prepare_cached(sql)?.execute(params![agent.number, id])? {
        0 => Err(missing(&agent.id)),
        _ => Ok(()),
    }
}

fn append(on: &Transaction<'_>, agent: &AgentKey, at: &End, record: &str) -> Result<(), Outcome> {
    let sql = format!("SELECT {END}, {SEAL} FROM agents WHERE number = ?1");
    let mut found = on.prepare_cached(&sql)?;
    let end = found.query_row([agent.number], |row| end_in(row, (0, 1)));
    let end = end.optional()?.ok_or_else(|| missing(&agent.id))?;
    at.expect(&end, &agent.id).map_err(Outcome::Refused)?;
    // The times of a log never fall, even if the clock does.
    on.prepare_cached(
        "INSERT INTO records (agent, sequence, body, received)
        VALUES (?1, ?2, ?3, max(unixepoch(), coalesce((
            SELECT received FROM records WHERE agent = ?1 ORDER BY sequence DESC LIMIT 1
        ), 0)))",
    )?
    .execute(params![agent.number, at.sequence, record])?;
    Ok(())
}

/// Changes the label, if it is another one: the row to write is as large as the agent's graph.
fn relabel(on: &Transaction<'_>, agent: &AgentKey, label: &str) -> Result<(), Outcome> {
    let sql = "UPDATE agents SET label = ?2 WHERE number = ?1 AND label IS NOT ?2";
    on.prepare_cached(sql)?.execute(params![agent.number, label])?;
    Ok(())
}

fn put_snapshot(
    on: &Transaction<'_>,
    agent: &AgentKey,
    snapshot: &StoredSnapshot,
) -> Result<(), Outcome> {
    let end = format!("SELECT {END} FROM agents WHERE number = ?1");
    let end = on.prepare_cached(&end)?.query_row([agent.number], |row| row.get::<_, u64>(0));
    // A snapshot of a lost past would block later ones.
    if snapshot.sequence > end.optional()?.ok_or_else(|| missing(&agent.id))? {
        return Ok(());
    }
    let sql = "INSERT INTO snapshots (agent, sequence, body) VALUES (?1, ?2, ?3)
        ON CONFLICT (agent) DO UPDATE SET sequence = excluded.sequence, body = excluded.body
        WHERE excluded.sequence >= sequence";
    on.prepare_cached(sql)?.execute(params![agent.number, snapshot.sequence, snapshot.body])?;
    Ok(())
}

/// Writes more than an append does, so that a full disk shows here.
fn check(on: &Transaction<'_>) -> Result<(), Outcome> {
    on.prepare_cached("UPDATE probe SET body = randomblob(16384)")?.execute([])?;
    Ok(())
}

pub(super) fn missing(id: &str) -> Outcome {
    Outcome::Refused(StoreError::NoSuchAgent { id: id.to_owned() })
}
