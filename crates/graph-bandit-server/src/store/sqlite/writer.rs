//! The thread that writes: all that waits goes into one transaction, and is answered after it.

use super::schema::END;
use super::{AgentKey, Reply, StoreError, StoredSnapshot, failed, failed_at, is_damage};
use crate::metrics::Commits;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use std::sync::mpsc::Receiver;
use std::time::Instant;

/// The most writes of one transaction, so that the first of them does not wait for ever.
const MOST_AT_ONCE: usize = 1_000;

/// Something to write, and who waits for it.
#[derive(Debug)]
pub(super) enum Write {
    Create { id: String, label: String, definition: String, reply: Reply<()> },
    Delete { agent: AgentKey, reply: Reply<()> },
    Append { agent: AgentKey, at: u64, record: String, reply: Reply<()> },
    PutSnapshot { agent: AgentKey, snapshot: StoredSnapshot, reply: Reply<()> },
    Check { reply: Reply<()> },
}

impl Write {
    fn agent(&self) -> Option<&str> {
        match self {
            Self::Create { id, .. } => Some(id),
            Self::Delete { agent, .. }
            | Self::Append { agent, .. }
            | Self::PutSnapshot { agent, .. } => Some(&agent.id),
            Self::Check { .. } => None,
        }
    }

    fn into_reply(self) -> Reply<()> {
        match self {
            Self::Create { reply, .. }
            | Self::Delete { reply, .. }
            | Self::Append { reply, .. }
            | Self::PutSnapshot { reply, .. }
            | Self::Check { reply } => reply,
        }
    }
}

/// Works until nobody can send any more.
pub(super) fn work(mut connection: Connection, writes: &Receiver<Write>, commits: &Commits) {
    while let Ok(first) = writes.recv() {
        let mut group = vec![first];
        group.extend(writes.try_iter().take(MOST_AT_ONCE - 1));
        commit(&mut connection, group, commits);
    }
}

/// What a single write came to: done or refused by itself, or the whole transaction is spoiled.
enum Outcome {
    Answered(Result<(), StoreError>),
    Spoiled(rusqlite::Error),
}

impl From<rusqlite::Error> for Outcome {
    fn from(error: rusqlite::Error) -> Self {
        Self::Spoiled(error)
    }
}

fn commit(connection: &mut Connection, group: Vec<Write>, commits: &Commits) {
    let start = Instant::now();
    match carry_out_all(connection, &group) {
        Ok(results) => {
            commits.done(results.len(), start.elapsed());
            for (write, result) in group.into_iter().zip(results) {
                // Who asked may have gone away; the write stands all the same.
                let _ = write.into_reply().send(result);
            }
        }
        // Where one agent lies the file is broken; the others need not suffer for it.
        Err(error) if is_damage(&error) && group.len() > 1 => {
            for write in group {
                commit(connection, vec![write], commits);
            }
        }
        Err(error) => {
            commits.failed();
            tracing::error!(%error, "a transaction of the store failed");
            for write in group {
                let error =
                    write.agent().map_or_else(|| failed(&error), |id| failed_at(id, &error));
                let _ = write.into_reply().send(Err(error));
            }
        }
    }
}

/// All of it, or nothing.
fn carry_out_all(
    connection: &mut Connection,
    group: &[Write],
) -> rusqlite::Result<Vec<Result<(), StoreError>>> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut results = Vec::with_capacity(group.len());
    for write in group {
        match carry_out(&transaction, write) {
            Ok(()) => results.push(Ok(())),
            Err(Outcome::Answered(result)) => results.push(result),
            Err(Outcome::Spoiled(error)) => return Err(error),
        }
    }
    transaction.commit()?;
    Ok(results)
}

fn carry_out(on: &Transaction<'_>, write: &Write) -> Result<(), Outcome> {
    match write {
        Write::Create { id, label, definition, .. } => create(on, id, (label, definition)),
        Write::Delete { agent, .. } => delete(on, agent),
        Write::Append { agent, at, record, .. } => append(on, agent, *at, record),
        Write::PutSnapshot { agent, snapshot, .. } => put_snapshot(on, agent, snapshot),
        Write::Check { .. } => check(on),
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
        0 => Err(Outcome::Answered(Err(StoreError::Exists { id: id.to_owned() }))),
        _ => Ok(()),
    }
}

fn delete(on: &Transaction<'_>, agent: &AgentKey) -> Result<(), Outcome> {
    match on.prepare_cached("DELETE FROM agents WHERE number = ?1")?.execute([agent.number])? {
        0 => Err(missing(&agent.id)),
        _ => Ok(()),
    }
}

fn append(on: &Transaction<'_>, agent: &AgentKey, at: u64, record: &str) -> Result<(), Outcome> {
    let (number, end) = number_and_end(on, agent)?;
    if end != at {
        let conflict = StoreError::Conflict { id: agent.id.clone(), expected: at, end };
        return Err(Outcome::Answered(Err(conflict)));
    }
    on.prepare_cached("INSERT INTO records (agent, sequence, body) VALUES (?1, ?2, ?3)")?
        .execute(params![number, at, record])?;
    Ok(())
}

fn put_snapshot(
    on: &Transaction<'_>,
    agent: &AgentKey,
    snapshot: &StoredSnapshot,
) -> Result<(), Outcome> {
    let (number, _) = number_and_end(on, agent)?;
    let sql = "INSERT INTO snapshots (agent, sequence, body) VALUES (?1, ?2, ?3)
        ON CONFLICT (agent) DO UPDATE SET sequence = excluded.sequence, body = excluded.body
        WHERE excluded.sequence >= sequence";
    on.prepare_cached(sql)?.execute(params![number, snapshot.sequence, snapshot.body])?;
    Ok(())
}

/// Writes more than an append does, so that a store without room for one says so here.
fn check(on: &Transaction<'_>) -> Result<(), Outcome> {
    on.prepare_cached("UPDATE probe SET body = randomblob(16384)")?.execute([])?;
    Ok(())
}

fn number_and_end(on: &Transaction<'_>, agent: &AgentKey) -> Result<(i64, u64), Outcome> {
    let sql = format!("SELECT number, {END} FROM agents WHERE number = ?1");
    let mut found = on.prepare_cached(&sql)?;
    let found = found.query_row([agent.number], |row| Ok((row.get(0)?, row.get(1)?)));
    found.optional()?.ok_or_else(|| missing(&agent.id))
}

fn missing(id: &str) -> Outcome {
    Outcome::Answered(Err(StoreError::NoSuchAgent { id: id.to_owned() }))
}
