//! The contract of a store.

use super::error::{keeps_all, keeps_names};
use super::{AgentKey, End, Portion, StoreError, Stored, StoredSnapshot, StoredSummary, Tip};
use crate::metrics::Commits;
use std::future::Future;
use std::pin::Pin;

/// The pending answer of a store.
pub type Pending<T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send>>;

/// Resolves when a store has died, with the part that died.
pub type Death = Pin<Box<dyn Future<Output = String> + Send>>;

/// The sizes of the files of a store, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// The main file.
    pub data: u64,
    /// The write-ahead file, whose content is durable but not yet in the main file.
    pub write_ahead: u64,
}

/// Who may write to a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writers {
    /// Only this process: what it read stays true until it writes.
    Us,
    /// Other processes, too, at any moment.
    Others,
}

/// A durable store of agents. Names are ordered as texts.
///
/// The module `conformance`, behind the feature of that name, tests a store of your own against this contract.
pub trait Store: Send + Sync {
    /// Who may write to it.
    fn writers(&self) -> Writers;

    /// Adds an agent with an empty log. The label is a short text for lists.
    fn create(&self, id: &str, label: &str, definition: &str) -> Pending<()>;

    /// Finds an agent by name.
    fn find(&self, id: &str) -> Pending<Option<Stored>>;

    /// The tip of an agent's log, if the agent exists.
    fn tip(&self, id: &str) -> Pending<Option<Tip>>;

    /// The agent that has the name, if any; known even if the rest of it is damaged.
    fn key(&self, id: &str) -> Pending<Option<AgentKey>>;

    /// At most `limit` agents in the order of their names, those after `after`.
    fn list(&self, after: &str, limit: usize) -> Pending<Vec<StoredSummary>>;

    /// Removes an agent, its log and its snapshot; never another agent that has its name by now.
    fn delete(&self, agent: &AgentKey) -> Pending<()>;

    /// Gives an agent another name, unless that is taken; everything else of it stays. Durable when answered.
    /// Imports need it: an agent gets its name last.
    fn rename(&self, _agent: &AgentKey, _id: &str) -> Pending<()> {
        Box::pin(std::future::ready(Err(keeps_names())))
    }

    /// Adds a record to the log of an agent, which must end at `at` now. Durable when answered.
    fn append(&self, agent: &AgentKey, at: &End, record: String) -> Pending<()>;

    /// Like [`append`](Self::append), and gives the agent another label; both or neither. A store may keep the
    /// label that the agent was created with: lists then show how many walkers a team had at first.
    fn append_and_label(
        &self,
        agent: &AgentKey,
        at: &End,
        record: String,
        _label: String,
    ) -> Pending<()> {
        self.append(agent, at, record)
    }

    /// Reads a portion of the log from number `from` on; empty if the log ends before. Only the portion is
    /// held in memory. If the first record was removed, the answer is [`StoreError::Removed`].
    fn read(&self, agent: &AgentKey, from: u64, portion: Portion) -> Pending<Vec<String>>;

    /// Replaces the snapshot, unless the present one covers more records. A snapshot that covers more records
    /// than the log has belongs to a past that was lost: a store may ignore it, and a store that others write
    /// to should.
    fn put_snapshot(&self, agent: &AgentKey, snapshot: StoredSnapshot) -> Pending<()>;

    /// The latest snapshot, if any.
    fn snapshot(&self, agent: &AgentKey) -> Pending<Option<StoredSnapshot>>;

    /// When a record was received, in seconds since 1970 by the store's clock, if known.
    fn received(&self, _agent: &AgentKey, _sequence: u64) -> Pending<Option<u64>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    /// Stores a base for the records before `at`, in place of the present base unless that covers more
    /// records. The log must have these records: it reaches `at`, and the last record before it has the seal of
    /// `at`. Otherwise nothing is stored: the store was restored from a backup meanwhile. Durable when
    /// answered; removes nothing.
    fn put_base(&self, _agent: &AgentKey, _at: &End, _body: String) -> Pending<()> {
        Box::pin(std::future::ready(Err(keeps_all())))
    }

    /// Lets an empty log begin with the last record that a base covers, which must be appended next. For
    /// agents from another store; refused if there is already a record or a base.
    fn begin_with(&self, _agent: &AgentKey, _base: StoredSnapshot) -> Pending<()> {
        Box::pin(std::future::ready(Err(keeps_all())))
    }

    /// The base of a log, if any.
    fn base(&self, _agent: &AgentKey) -> Pending<Option<StoredSnapshot>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    /// Releases the records before `at`, all but the last of them, whose seal the next record follows.
    /// Refused if no base covers them or the log has other records. If a base covers more, nothing is done: its
    /// writer releases them. The records are removed some time after the answer.
    fn release(&self, _agent: &AgentKey, _at: &End) -> Pending<()> {
        Box::pin(std::future::ready(Err(keeps_all())))
    }

    /// Checks that the store can be written now.
    fn check(&self) -> Pending<()>;

    /// Resolves when the store can never answer again though nobody closed it, because a thread it needs is
    /// gone. The service then ends, so that it can be restarted.
    fn died(&self) -> Death {
        Box::pin(std::future::pending())
    }

    /// The sizes of its files now, if it has any.
    fn sizes(&self) -> Option<Sizes> {
        None
    }

    /// The measurements of its commits, if any.
    fn commits(&self) -> Option<&Commits> {
        None
    }
}
