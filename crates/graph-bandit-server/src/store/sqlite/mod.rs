//! Agents in one SQLite file, in write-ahead mode with a sync at every commit.
//!
//! One thread writes, by group commit. Another thread reads on its own connection and never waits for a
//! sync.

mod backup;
mod bases;
mod files;
mod inspect;
mod lock;
mod reader;
mod removal;
mod schema;
mod stats;
#[cfg(test)]
mod tests;
mod wait;
mod writer;

pub(super) use inspect::inspect;

use super::group_commit::{self, Queue, queue};
use super::schema::Schema;
use super::worker::{Reply, Worker, answered};
use super::{
    AgentKey, Death, End, Pending, Portion, Sizes, Store, StoreError, Stored, StoredSnapshot,
    StoredSummary, Tip, Writers, in_a_row, only_read,
};
use crate::metrics::Commits;
pub(crate) use backup::{Place, backup, integrity};
use files::{OpenFiles, beside};
use lock::Lock;
use reader::Read;
use rusqlite::{Connection, ErrorCode};
pub(crate) use stats::stats;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use tokio::sync::oneshot;
use wait::wait_for;
use writer::{Write, Writer};

/// Agents in one SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    reader: Worker<Sender<Read>>,
    /// Absent if the store is read-only.
    writer: Option<Worker<Queue<Write>>>,
    commits: Arc<Commits>,
    files: Arc<OpenFiles>,
    /// Dropped last.
    lock: Option<Lock>,
}

impl SqliteStore {
    /// Opens the file, or creates it.
    ///
    /// # Errors
    /// When the file cannot be opened or written, has tables of another program or version, or is already open.
    pub fn open(file: &Path) -> Result<Self, StoreError> {
        Self::open_with(file, &schema::SCHEMA)
    }

    fn open_with(file: &Path, schema: &Schema) -> Result<Self, StoreError> {
        let lock = Lock::take(file).map_err(|error| about(file, &error))?;
        let real = &lock.database;
        let writing =
            schema::open_for_writing(real, schema).map_err(|error| about(file, &error))?;
        let reading = schema::open_for_reading(real).map_err(|error| about(file, &error))?;
        let files = Arc::new(OpenFiles::of(&lock)?);
        let writer = Writer::new(writing, Arc::clone(&files));
        let commits = Arc::<Commits>::default();
        let counted = Arc::clone(&commits);
        let (to_writer, writes) = queue();
        // The writer closes the file last, which removes the write-ahead log.
        Ok(Self {
            reader: start_reader(reading)?,
            writer: Some(Worker::start("store-writer", to_writer, move || {
                wait_for(group_commit::work(writer, writes, &counted));
            })?),
            commits,
            files,
            lock: Some(lock),
        })
    }

    /// Opens a file read-only, as of this moment; a service may go on writing to it. All writes are
    /// refused.
    ///
    /// # Errors
    /// When there is no such file, it cannot be read, or it belongs to another program.
    pub fn open_to_read(file: &Path) -> Result<Self, StoreError> {
        Self::reading(file, schema::open_at_a_moment(file))
    }

    /// Opens a file read-only, as [`open_to_read`](Self::open_to_read) does, but each read sees the file as of
    /// its own moment. So a slow reader keeps no old state of the file, in a write-ahead log that grows.
    pub(super) fn open_to_follow(file: &Path) -> Result<Self, StoreError> {
        Self::reading(file, schema::open_at_any_moment(file))
    }

    fn reading(file: &Path, opened: Result<Connection, StoreError>) -> Result<Self, StoreError> {
        let reader = start_reader(opened.map_err(|error| about(file, &error))?)?;
        let (commits, files) = (Arc::default(), Arc::default());
        Ok(Self { reader, writer: None, commits, files, lock: None })
    }

    fn write(&self, write: Write) -> Pending<()> {
        match &self.writer {
            Some(writer) => writer.ask(|queue| queue.write(write)),
            None => Box::pin(std::future::ready(Err(only_read()))),
        }
    }

    fn ask<T: Send + 'static>(&self, make: impl FnOnce(Reply<T>) -> Read) -> Pending<T> {
        let answer = self.reader.ask(|reader| {
            let (reply, answer) = oneshot::channel();
            answered(reader.send(make(reply)).is_ok(), answer)
        });
        let files = Arc::clone(&self.files);
        Box::pin(async move {
            let answer = answer.await?;
            // It may have read what will be lost, so nothing may be acknowledged because of it.
            files.check()?;
            Ok(answer)
        })
    }
}

fn start_reader(reading: Connection) -> Result<Worker<Sender<Read>>, StoreError> {
    let (to_reader, reads) = channel();
    Worker::start("store-reader", to_reader, move || reader::work(&reading, &reads))
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

/// The file failed at the data of one agent.
fn failed_at(id: &str, error: &rusqlite::Error) -> StoreError {
    if is_damage(error) {
        StoreError::Damaged { id: id.to_owned(), reason: error.to_string() }
    } else {
        failed(error)
    }
}

/// Whether the error means damage: broken pages, or text that is not valid.
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
        self.write(Write::Create { id, label, definition })
    }

    fn find(&self, id: &str) -> Pending<Option<Stored>> {
        let id = id.to_owned();
        self.ask(|reply| Read::Find { id, reply })
    }

    fn tip(&self, id: &str) -> Pending<Option<Tip>> {
        let id = id.to_owned();
        self.ask(|reply| Read::Tip { id, reply })
    }

    fn key(&self, id: &str) -> Pending<Option<AgentKey>> {
        let id = id.to_owned();
        self.ask(|reply| Read::Key { id, reply })
    }

    fn list(&self, after: &str, limit: usize) -> Pending<Vec<StoredSummary>> {
        let after = after.to_owned();
        self.ask(|reply| Read::List { after, limit, reply })
    }

    fn delete(&self, agent: &AgentKey) -> Pending<()> {
        self.write(Write::Delete { agent: agent.clone() })
    }

    fn rename(&self, agent: &AgentKey, id: &str) -> Pending<()> {
        self.write(Write::Rename { agent: agent.clone(), id: id.to_owned() })
    }

    fn append(&self, agent: &AgentKey, at: &End, record: String) -> Pending<()> {
        self.write(Write::Append { agent: agent.clone(), at: at.clone(), record, label: None })
    }

    fn append_and_label(
        &self,
        agent: &AgentKey,
        at: &End,
        record: String,
        label: String,
    ) -> Pending<()> {
        let label = Some(label);
        self.write(Write::Append { agent: agent.clone(), at: at.clone(), record, label })
    }

    fn read(&self, agent: &AgentKey, from: u64, portion: Portion) -> Pending<Vec<String>> {
        let agent = agent.clone();
        self.ask(|reply| Read::Records { agent, from, portion, reply })
    }

    fn put_snapshot(&self, agent: &AgentKey, snapshot: StoredSnapshot) -> Pending<()> {
        self.write(Write::PutSnapshot { agent: agent.clone(), snapshot })
    }

    fn snapshot(&self, agent: &AgentKey) -> Pending<Option<StoredSnapshot>> {
        let agent = agent.clone();
        self.ask(|reply| Read::Snapshot { agent, reply })
    }

    fn received(&self, agent: &AgentKey, sequence: u64) -> Pending<Option<u64>> {
        let agent = agent.clone();
        self.ask(|reply| Read::Received { agent, sequence, reply })
    }

    fn put_base(&self, agent: &AgentKey, at: &End, body: String) -> Pending<()> {
        self.write(Write::PutBase { agent: agent.clone(), at: at.clone(), body })
    }

    fn begin_with(&self, agent: &AgentKey, base: StoredSnapshot) -> Pending<()> {
        self.write(Write::BeginWith { agent: agent.clone(), base })
    }

    fn base(&self, agent: &AgentKey) -> Pending<Option<StoredSnapshot>> {
        let agent = agent.clone();
        self.ask(|reply| Read::Base { agent, reply })
    }

    fn release(&self, agent: &AgentKey, at: &End) -> Pending<()> {
        self.write(Write::Release { agent: agent.clone(), at: at.clone() })
    }

    fn check(&self) -> Pending<()> {
        self.write(Write::Check)
    }

    fn died(&self) -> Death {
        let reader = self.reader.died();
        let Some(writer) = self.writer.as_ref().map(Worker::died) else { return reader };
        Box::pin(async {
            tokio::select! {
                what = reader => what,
                what = writer => what,
            }
        })
    }

    fn sizes(&self) -> Option<Sizes> {
        let data = &self.lock.as_ref()?.database;
        let size = |file: &Path| file.metadata().map(|file| file.len());
        // Without reports there is no write-ahead file.
        let write_ahead = size(&beside(data, "-wal")).unwrap_or(0);
        Some(Sizes { data: size(data).ok()?, write_ahead })
    }

    fn commits(&self) -> Option<&Commits> {
        Some(&self.commits)
    }
}
