//! What a store is asked for.

use super::error::keeps_all;
use super::{AgentKey, End, Portion, StoreError, Stored, StoredSnapshot, StoredSummary, Tip};
use crate::metrics::Commits;
use std::future::Future;
use std::pin::Pin;

/// The answer of a store, once it has one.
pub type Pending<T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send>>;

/// Done when a store has died, with which part of it did.
pub type Death = Pin<Box<dyn Future<Output = String> + Send>>;

/// How large the files of a store are, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// The file that all ends up in.
    pub data: u64,
    /// What is durable and not yet there.
    pub write_ahead: u64,
}

/// Who may write to a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writers {
    /// This process only: what was read stays true until it writes itself.
    Us,
    /// Other processes, too, at any moment.
    Others,
}

/// In which format agents are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// That of version 0.1, because processes of that version use the store at the same time.
    First,
    /// That of this version.
    Current,
}

/// A durable place for agents. Names order as texts do.
///
/// The module `conformance`, behind the feature of that name, holds a store of your own to all that is promised here.
pub trait Store: Send + Sync {
    /// Who may write to it.
    fn writers(&self) -> Writers;

    /// In which format agents are to be written to it now.
    fn format(&self) -> Format {
        Format::Current
    }

    /// Adds an agent with an empty log. The label is short, and what is listed of it.
    fn create(&self, id: &str, label: &str, definition: &str) -> Pending<()>;

    /// One agent, if there is such.
    fn find(&self, id: &str) -> Pending<Option<Stored>>;

    /// How far one agent has come, if there is such.
    fn tip(&self, id: &str) -> Pending<Option<Tip>>;

    /// Which agent bears the name, if there is such; known even where the rest of it is damaged.
    fn key(&self, id: &str) -> Pending<Option<AgentKey>>;

    /// At most `limit` agents in the order of their names, those after `after`.
    fn list(&self, after: &str, limit: usize) -> Pending<Vec<StoredSummary>>;

    /// Removes an agent, its log and its snapshot; never another one that bears its name by now.
    fn delete(&self, agent: &AgentKey) -> Pending<()>;

    /// Adds a record to the log of an agent, which must end at `at` now. Durable when answered.
    fn append(&self, agent: &AgentKey, at: &End, record: String) -> Pending<()>;

    /// A portion of the log, from number `from` on; empty where the log ends before. What is beyond the
    /// portion is not held in memory. Where the first one was removed, the answer is
    /// [`StoreError::Removed`].
    fn read(&self, agent: &AgentKey, from: u64, portion: Portion) -> Pending<Vec<String>>;

    /// Keeps a snapshot in the place of the one before, unless that one stands for more records. One that
    /// stands for more records than the log has is of a past that was lost: a store may leave it out, and
    /// a store that others write to should.
    fn put_snapshot(&self, agent: &AgentKey, snapshot: StoredSnapshot) -> Pending<()>;

    /// The latest snapshot, if there is any.
    fn snapshot(&self, agent: &AgentKey) -> Pending<Option<StoredSnapshot>>;

    /// When a record was received, in seconds since 1970 by the clock of the store, if it is known.
    fn received(&self, _agent: &AgentKey, _sequence: u64) -> Pending<Option<u64>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    /// Keeps what stands for the records before `at`, in the place of what stood for the beginning of the
    /// log before, unless that stands for more records. The log must have these records: it goes as far
    /// as `at`, and the last one before it has the seal of `at`. Otherwise nothing is kept: the store came
    /// back from a backup meanwhile. Durable when answered; nothing is removed by it.
    fn put_base(&self, _agent: &AgentKey, _at: &End, _body: String) -> Pending<()> {
        Box::pin(std::future::ready(Err(keeps_all())))
    }

    /// Lets an empty log begin with the last record that a base stands for, which is to be appended next.
    /// For agents that come from another store; refused where there is a record or a base already.
    fn begin_with(&self, _agent: &AgentKey, _base: StoredSnapshot) -> Pending<()> {
        Box::pin(std::future::ready(Err(keeps_all())))
    }

    /// What stands for the beginning of a log, if anything does.
    fn base(&self, _agent: &AgentKey) -> Pending<Option<StoredSnapshot>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    /// Lets the records before `at` go, all but the last of them: it has the seal that the next one
    /// follows. Refused where no base stands for them or the log has other ones; where a base stands for
    /// more, nothing is done: whoever put it lets them go. They are removed some time after the answer.
    fn release(&self, _agent: &AgentKey, _at: &End) -> Pending<()> {
        Box::pin(std::future::ready(Err(keeps_all())))
    }

    /// Whether the store can be written now.
    fn check(&self) -> Pending<()>;

    /// Done when the store can never answer again though nobody closed it: a thread that it cannot do
    /// without is gone. The service then ends, so that it can be started anew.
    fn died(&self) -> Death {
        Box::pin(std::future::pending())
    }

    /// How large its files are now, if it has any.
    fn sizes(&self) -> Option<Sizes> {
        None
    }

    /// What it has measured of its commits, if it does so.
    fn commits(&self) -> Option<&Commits> {
        None
    }
}
