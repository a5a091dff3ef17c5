//! Where agents live between two answers: a definition, a log of records that only grows, and the
//! latest snapshot, each an opaque text.
//!
//! A store knows nothing of bandits. What it promises is small: an append is answered only when it
//! is durable, happens as a whole or not at all, and only at the end of the log that its writer
//! believed to see. Two writers of one agent can so never both be right, whichever process they
//! are in; the loser reads on and tries again.
//!
//! The end of a log is a number and a seal ([`End`]). The number alone would not do: a database that
//! was restored from a backup may have come to the same number by another way.

#[cfg(feature = "conformance")]
pub mod conformance;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod group_commit;
mod inspect;
mod memory;
mod portion;
#[cfg(feature = "postgres")]
pub(crate) mod postgres;
#[cfg(feature = "sqlite")]
pub(crate) mod sqlite;
mod url;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod worker;

pub use inspect::{Inspection, Tables, inspect};
pub use memory::MemoryStore;
pub use portion::Portion;
#[cfg(feature = "postgres")]
pub use postgres::PostgresStore;
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteStore;
#[cfg(not(all(feature = "sqlite", feature = "postgres")))]
pub(crate) use url::left_out;
pub(crate) use url::{Place, place};
pub use url::{open, open_to_read};

use crate::metrics::Commits;
use std::future::Future;
use std::pin::Pin;
use thiserror::Error;

/// The answer of a store, once it has one.
pub type Pending<T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send>>;

/// Done when a store has died, with which part of it did.
pub type Death = Pin<Box<dyn Future<Output = String> + Send>>;

/// Why a store did not do what it was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// An agent of that name is there already.
    #[error("there is an agent {id:?} already")]
    Exists {
        /// The name.
        id: String,
    },
    /// No agent of that name.
    #[error("there is no agent {id:?}")]
    NoSuchAgent {
        /// The name.
        id: String,
    },
    /// Somebody else wrote meanwhile; nothing was appended.
    #[error("the log of agent {id:?} ends at {end}, not at {expected}")]
    Conflict {
        /// The agent.
        id: String,
        /// Where the writer thought the log ends.
        expected: u64,
        /// Where it does.
        end: u64,
    },
    /// The log has as many records as expected, but others: it was written by somebody who knows
    /// another past, for instance before a backup was restored. Nothing was appended.
    #[error(
        "the log of agent {id:?} ends at {end}, but not with the record that was expected there"
    )]
    Diverged {
        /// The agent.
        id: String,
        /// Where the log ends.
        end: u64,
    },
    /// The record was there and was removed, with all before it.
    #[error("the log of agent {id:?} begins at {first}; what was before is not kept any more")]
    Removed {
        /// The agent.
        id: String,
        /// The first record that is there.
        first: u64,
    },
    /// What is kept of an agent cannot be read; that of others may well be.
    #[error("the store is damaged where it keeps agent {id:?}: {reason}")]
    Damaged {
        /// The agent.
        id: String,
        /// What the medium says.
        reason: String,
    },
    /// The medium failed. Whether the last append is there must be read from the store.
    #[error("the store failed: {reason}")]
    Failed {
        /// What the medium says.
        reason: String,
    },
}

/// An agent as a store knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Its name.
    pub id: String,
    /// Its number, which no other agent of the store ever bore or will bear.
    pub number: u64,
    /// What it was created as.
    pub definition: String,
    /// How many records its log has.
    pub end: u64,
}

fn keeps_all() -> StoreError {
    StoreError::Failed { reason: "this store keeps all of its history".to_owned() }
}

/// Records that were read, in a row from `from` on.
#[cfg(any(feature = "postgres", feature = "sqlite"))]
fn in_a_row(id: &str, from: u64, found: Vec<(u64, String)>) -> Result<Vec<String>, StoreError> {
    match found.first() {
        Some(&(first, _)) if first != from => {
            return Err(StoreError::Removed { id: id.to_owned(), first });
        }
        _ => {}
    }
    let mut records = Vec::with_capacity(found.len());
    // The records first: after the last possible number there is no other.
    for ((sequence, body), expected) in found.into_iter().zip(from..) {
        if sequence != expected {
            let reason = format!("record {expected} is missing");
            return Err(StoreError::Damaged { id: id.to_owned(), reason });
        }
        records.push(body);
    }
    Ok(records)
}

#[cfg(any(feature = "postgres", feature = "sqlite"))]
fn only_read() -> StoreError {
    StoreError::Failed { reason: "the store was opened to be read only".to_owned() }
}

impl Stored {
    /// Which agent this is.
    pub fn key(&self) -> AgentKey {
        AgentKey { id: self.id.clone(), number: self.number }
    }
}

/// An agent as it is listed: without its definition, which is as large as its graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub id: String,
    /// What it was labelled when it was created.
    pub label: String,
    /// How many records its log has.
    pub end: u64,
}

/// Which agent is meant. After a deletion a name may be given to another one, a number never is;
/// so nobody who remembers the old agent can write to the new one, or take it for the old one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentKey {
    /// Its name, for errors.
    pub id: String,
    /// Its number.
    pub number: u64,
}

/// Where a log ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// How many records it has.
    pub sequence: u64,
    /// The seal of its last record; of its agent's definition, where it has none.
    pub seal: String,
}

impl End {
    /// After so many records, the last of which is this text; the definition where there is none.
    pub fn after(sequence: u64, last: &str) -> Self {
        Self { sequence, seal: seal_of(last).to_owned() }
    }

    /// Refuses to append here if the log ends elsewhere.
    pub(crate) fn expect(&self, there: &Self, id: &str) -> Result<(), StoreError> {
        let (id, end) = (id.to_owned(), there.sequence);
        if self.sequence != end {
            return Err(StoreError::Conflict { id, expected: self.sequence, end });
        }
        if self.seal != there.seal {
            return Err(StoreError::Diverged { id, end });
        }
        Ok(())
    }
}

/// What a log has where a base is to stand for its beginning.
pub(crate) struct Beginning<'a> {
    /// Where the log ends.
    pub(crate) end: u64,
    /// How many records the base stands for that is there.
    pub(crate) base: Option<u64>,
    /// The head of the last record that the new one stands for, if it is there.
    pub(crate) last: Option<&'a str>,
}

/// Whether something is left to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    Yes,
    /// A base stands for more already.
    No,
}

impl Beginning<'_> {
    /// Whether a base for the records before `at` may be kept here.
    pub(crate) fn may_put(&self, at: &End, id: &str) -> Result<Due, StoreError> {
        let (id, end) = (id.to_owned(), self.end);
        if at.sequence > end {
            return Err(StoreError::Conflict { id, expected: at.sequence, end });
        }
        if self.base.is_some_and(|base| base > at.sequence) {
            return Ok(Due::No);
        }
        if self.last.is_none_or(|last| seal_of(last) != at.seal) {
            return Err(StoreError::Diverged { id, end });
        }
        Ok(Due::Yes)
    }

    /// Whether the records before `at` may go from here.
    pub(crate) fn may_release(&self, at: &End, id: &str) -> Result<Due, StoreError> {
        let due = self.may_put(at, id)?;
        if due == Due::Yes && self.base != Some(at.sequence) {
            return Err(StoreError::Diverged { id: id.to_owned(), end: self.end });
        }
        Ok(due)
    }

    /// Whether the log may begin with a base.
    pub(crate) fn may_begin(&self, id: &str) -> Result<(), StoreError> {
        if self.end > 0 || self.base.is_some() {
            let (id, end) = (id.to_owned(), self.end);
            return Err(StoreError::Conflict { id, expected: 0, end });
        }
        Ok(())
    }
}

/// How far the agent of a name has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tip {
    /// The number of the agent that bears the name now.
    pub number: u64,
    /// Where its log ends.
    pub end: End,
}

/// The most characters of a seal.
pub const LONGEST_SEAL: usize = 64;

/// The seal of a record or a definition: its first line, as far as [`LONGEST_SEAL`] characters. Who
/// writes it sees to it that texts with the same seal are the same.
pub fn seal_of(text: &str) -> &str {
    let line = text.split('\n').next().unwrap_or_default();
    line.char_indices().nth(LONGEST_SEAL).map_or(line, |(end, _)| &line[..end])
}

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

/// What the first `sequence` records of a log come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSnapshot {
    /// How many records it stands for.
    pub sequence: u64,
    /// What they come to.
    pub body: String,
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
    fn list(&self, after: &str, limit: usize) -> Pending<Vec<Listed>>;

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
