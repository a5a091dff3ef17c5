//! Agents in one SQLite file, in write-ahead mode with a sync at every commit.
//!
//! One thread writes and takes everything that waits into one transaction (group commit): a sync
//! costs the same for one record as for a hundred, so the rate grows with the number of robots.
//! Another thread reads on a connection of its own and never waits for a sync.

mod lock;
mod reader;
mod schema;
mod writer;

use super::{AgentKey, Listed, Pending, Store, StoreError, Stored, StoredSnapshot, Writers};
use crate::metrics::Commits;
use lock::Lock;
use reader::Read;
use rusqlite::ErrorCode;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::thread::JoinHandle;
use tokio::sync::oneshot;
use writer::Write;

/// How an answer comes back from a thread of the store.
type Reply<T> = oneshot::Sender<Result<T, StoreError>>;

/// Agents in one SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    reader: Thread<Read>,
    writer: Thread<Write>,
    commits: Arc<Commits>,
    /// The last to go.
    _lock: Lock,
}

/// A thread, and the way to it; asked no more, it ends.
#[derive(Debug)]
struct Thread<M> {
    to: Option<Sender<M>>,
    handle: Option<JoinHandle<()>>,
}

impl<M: Send + 'static> Thread<M> {
    fn start(
        name: &str,
        work: impl FnOnce(Receiver<M>) + Send + 'static,
    ) -> Result<Self, StoreError> {
        let (to, from) = std::sync::mpsc::channel();
        let handle = std::thread::Builder::new().name(name.to_owned()).spawn(|| work(from));
        let handle = handle.map_err(|error| StoreError::Failed { reason: error.to_string() })?;
        Ok(Self { to: Some(to), handle: Some(handle) })
    }

    fn ask<T: Send + 'static>(&self, make: impl FnOnce(Reply<T>) -> M) -> Pending<T> {
        let (reply, answer) = oneshot::channel();
        let sent = self.to.as_ref().is_some_and(|to| to.send(make(reply)).is_ok());
        Box::pin(async move {
            let gone = || StoreError::Failed { reason: "the store has stopped".to_owned() };
            if sent { answer.await.unwrap_or_else(|_| Err(gone())) } else { Err(gone()) }
        })
    }
}

/// Everything that was accepted is finished before the thread is gone.
impl<M> Drop for Thread<M> {
    fn drop(&mut self) {
        self.to = None;
        if let Some(handle) = self.handle.take() {
            // A thread that died has told so to all who waited for it.
            let _ = handle.join();
        }
    }
}

impl SqliteStore {
    /// Opens the file, or creates it.
    ///
    /// # Errors
    /// When the file cannot be opened or written, is none of this program, or is open already.
    pub fn open(file: &Path) -> Result<Self, StoreError> {
        let lock = Lock::take(file).map_err(|error| about(file, &error))?;
        let real = &lock.database;
        let writing = schema::open_for_writing(real).map_err(|error| about(file, &error))?;
        let reading = schema::open_for_reading(real).map_err(|error| about(file, &error))?;
        let commits = Arc::<Commits>::default();
        let counted = Arc::clone(&commits);
        // The writer is the last to close the file, and tidies up the write-ahead log.
        Ok(Self {
            reader: Thread::start("store-reader", move |reads| reader::work(&reading, &reads))?,
            writer: Thread::start("store-writer", move |writes| {
                writer::work(writing, &writes, &counted);
            })?,
            commits,
            _lock: lock,
        })
    }
}

fn about(file: &Path, error: &StoreError) -> StoreError {
    let reason = match error {
        StoreError::Failed { reason } => reason.clone(),
        other => other.to_string(),
    };
    StoreError::Failed { reason: format!("{}: {reason}", file.display()) }
}

fn failed(error: &rusqlite::Error) -> StoreError {
    StoreError::Failed { reason: error.to_string() }
}

/// The file failed at the part that one agent is in.
fn failed_at(id: &str, error: &rusqlite::Error) -> StoreError {
    if is_damage(error) {
        StoreError::Damaged { id: id.to_owned(), reason: error.to_string() }
    } else {
        failed(error)
    }
}

/// Whether the file says something that it cannot say: broken pages, a text that is none.
fn is_damage(error: &rusqlite::Error) -> bool {
    let damaged = error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt);
    damaged
        || matches!(
            error,
            rusqlite::Error::Utf8Error(..)
                | rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::InvalidColumnType(..)
        )
}

impl Store for SqliteStore {
    fn writers(&self) -> Writers {
        Writers::Us
    }

    fn create(&self, id: &str, label: &str, definition: &str) -> Pending<()> {
        let (id, label, definition) = (id.to_owned(), label.to_owned(), definition.to_owned());
        self.writer.ask(|reply| Write::Create { id, label, definition, reply })
    }

    fn find(&self, id: &str) -> Pending<Option<Stored>> {
        let id = id.to_owned();
        self.reader.ask(|reply| Read::Find { id, reply })
    }

    fn key(&self, id: &str) -> Pending<Option<AgentKey>> {
        let id = id.to_owned();
        self.reader.ask(|reply| Read::Key { id, reply })
    }

    fn list(&self, after: &str, limit: usize) -> Pending<Vec<Listed>> {
        let after = after.to_owned();
        self.reader.ask(|reply| Read::List { after, limit, reply })
    }

    fn delete(&self, agent: &AgentKey) -> Pending<()> {
        let agent = agent.clone();
        self.writer.ask(|reply| Write::Delete { agent, reply })
    }

    fn append(&self, agent: &AgentKey, at: u64, record: String) -> Pending<()> {
        let agent = agent.clone();
        self.writer.ask(|reply| Write::Append { agent, at, record, reply })
    }

    fn read(&self, agent: &AgentKey, from: u64, limit: usize) -> Pending<Vec<String>> {
        let agent = agent.clone();
        self.reader.ask(|reply| Read::Records { agent, from, limit, reply })
    }

    fn put_snapshot(&self, agent: &AgentKey, snapshot: StoredSnapshot) -> Pending<()> {
        let agent = agent.clone();
        self.writer.ask(|reply| Write::PutSnapshot { agent, snapshot, reply })
    }

    fn snapshot(&self, agent: &AgentKey) -> Pending<Option<StoredSnapshot>> {
        let agent = agent.clone();
        self.reader.ask(|reply| Read::Snapshot { agent, reply })
    }

    fn check(&self) -> Pending<()> {
        self.writer.ask(|reply| Write::Check { reply })
    }

    fn commits(&self) -> Option<&Commits> {
        Some(&self.commits)
    }
}
