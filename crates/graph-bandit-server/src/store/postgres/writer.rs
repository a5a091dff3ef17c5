//! Writes a batch in one transaction, and retries it when it conflicts with another one.

use super::failure::{is_locked, is_mutual, said};
use super::group_commit::{self, Failure, Medium, Results};
use super::line::{Line, in_time};
use super::session::Session;
use super::{AgentKey, End, StoreError, StoredSnapshot, group, reader, signed};
use std::time::Duration;
use tokio_postgres::error::SqlState;

/// How often a conflicting transaction is tried.
const ATTEMPTS: u32 = 10;
/// How long it waits before a retry.
const PAUSE: Duration = Duration::from_millis(10);

/// A write.
#[derive(Debug)]
pub(super) enum Write {
    Create { id: String, label: String, definition: String },
    Append { agent: AgentKey, at: End, record: String, label: Option<String> },
    PutSnapshot { agent: AgentKey, snapshot: StoredSnapshot },
    Check,
}

/// The connection that writes.
pub(super) struct Writer {
    line: Line,
    /// The size of the largest record that could not be appended since the last one that could. Until then, a
    /// check needs as much room.
    failed: usize,
}

impl Writer {
    pub(super) fn on(line: Line) -> Self {
        Self { line, failed: 0 }
    }
}

impl Medium for Writer {
    type Write = Write;

    fn size(write: &Write) -> usize {
        match write {
            Write::Create { definition, .. } => definition.len(),
            Write::Append { record, .. } => record.len(),
            Write::PutSnapshot { snapshot, .. } => snapshot.body.len(),
            Write::Check => 0,
        }
    }

    /// Others write to other tables, which may have room when that of the records has none.
    fn proves(write: &Write) -> bool {
        matches!(write, Write::Append { .. } | Write::Check)
    }

    async fn ready(&mut self) -> Result<(), StoreError> {
        self.line.session().await.map(drop)
    }

    async fn commit(&mut self, batch: &[Write]) -> Result<Results, Failure> {
        let session = self.line.session().await.map_err(Failure::OfAll)?;
        let standby = session.standby();
        let cancelled = standby.cancelled();
        let committing = async { Ok(commit(&session, batch, self.failed).await) };
        let committed = in_time(&session, self.line.limits, committing).await;
        let committed = committed.unwrap_or_else(|error| Err(Failure::OfAll(error)));
        let committed = committed.and_then(|results| {
            standby.confirm_since(cancelled).map_err(Failure::OfAll)?;
            Ok(results)
        });
        match &committed {
            Ok(results) if group_commit::is_proof::<Self>(batch, results) => {
                self.failed = 0;
                standby.confirmed(cancelled);
            }
            Err(Failure::OfAll(_)) => {
                let appended = batch.iter().filter(|write| matches!(write, Write::Append { .. }));
                self.failed = appended.map(Self::size).fold(self.failed, usize::max);
            }
            _ => {}
        }
        committed
    }

    async fn pause(&mut self) {
        tokio::time::sleep(PAUSE).await;
    }
}

/// The fate of each write, or an error if none was written as far as is known.
async fn commit(on: &Session, batch: &[Write], failed: usize) -> Result<Results, Failure> {
    let mut attempt = 1;
    loop {
        let error = match group::commit(on, batch, failed).await {
            Ok(results) => return Ok(results),
            Err(error) => error,
        };
        // Left open, the transaction would swallow the next one.
        if on.client.batch_execute("ROLLBACK").await.is_err() {
            on.give_up();
        }
        if is_locked(&error) {
            return Err(Failure::OfOne(said(&error)));
        }
        if !is_mutual(&error) || attempt == ATTEMPTS {
            return Err(Failure::OfAll(said(&error)));
        }
        tokio::time::sleep(PAUSE * attempt).await;
        attempt += 1;
    }
}

/// Removes an agent's name; its records are removed later (`sweep.rs`). By number, because a deletion that was given
/// up may still be carried out when another agent has the name.
pub(super) async fn delete(on: &Session, agent: &AgentKey) -> Result<(), StoreError> {
    for attempt in 1.. {
        match on.client.execute(&on.statements.delete, &[&signed(agent.number)]).await {
            Ok(0) => return Err(reader::missing(agent)),
            Ok(_) => return Ok(()),
            Err(error) if is_mutual(&error) && attempt < ATTEMPTS => {
                tokio::time::sleep(PAUSE * attempt).await;
            }
            Err(error) => return Err(said(&error)),
        }
    }
    unreachable!("the last attempt is answered")
}

/// Gives an agent another name.
pub(super) async fn rename(on: &Session, agent: &AgentKey, id: &str) -> Result<(), StoreError> {
    match on.client.execute(&on.statements.rename, &[&signed(agent.number), &id]).await {
        Ok(0) => Err(reader::missing(agent)),
        Ok(_) => Ok(()),
        Err(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => {
            Err(StoreError::Exists { id: id.to_owned() })
        }
        Err(error) => Err(said(&error)),
    }
}
