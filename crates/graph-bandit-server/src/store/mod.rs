//! Where agents live between two answers: a definition, a log of records that only grows, and the
//! latest snapshot, each an opaque text.
//!
//! A store knows nothing of bandits. What it promises is small: an append is answered only when it
//! is durable, happens as a whole or not at all, and only at the end of the log that its writer
//! believed to see. Two writers of one agent can so never both be right, whichever process they
//! are in; the loser reads on and tries again.

mod memory;
mod sqlite;

pub use memory::MemoryStore;
pub use sqlite::SqliteStore;

use crate::metrics::Commits;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use thiserror::Error;

/// The answer of a store, once it has one.
pub type Pending<T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send>>;

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
    /// What it was created as.
    pub definition: String,
    /// How many records its log has.
    pub end: u64,
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
pub trait Store: Send + Sync {
    /// Adds an agent with an empty log.
    fn create(&self, id: &str, definition: &str) -> Pending<()>;

    /// One agent, if there is such.
    fn find(&self, id: &str) -> Pending<Option<Stored>>;

    /// At most `limit` agents in the order of their names, those after `after`.
    fn list(&self, after: &str, limit: usize) -> Pending<Vec<Stored>>;

    /// Removes an agent, its log and its snapshot.
    fn delete(&self, id: &str) -> Pending<()>;

    /// Adds a record to the log of an agent, which must have `at` records now. Durable when answered.
    fn append(&self, id: &str, at: u64, record: String) -> Pending<()>;

    /// At most `limit` records from number `from` on; none where the log ends before.
    fn read(&self, id: &str, from: u64, limit: usize) -> Pending<Vec<String>>;

    /// Keeps a snapshot in the place of the one before, unless that one stands for more records.
    fn put_snapshot(&self, id: &str, snapshot: StoredSnapshot) -> Pending<()>;

    /// The latest snapshot, if there is any.
    fn snapshot(&self, id: &str) -> Pending<Option<StoredSnapshot>>;

    /// Whether the store can be written now.
    fn check(&self) -> Pending<()>;

    /// What it has measured of its commits, if it does so.
    fn commits(&self) -> Option<&Commits> {
        None
    }
}

/// Opens the store of a URL: `sqlite://FILE`, created when absent, or `memory:`.
///
/// # Errors
/// When there is no such kind of store, or it cannot be opened.
pub fn open(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    if url == "memory:" {
        return Ok(Arc::new(MemoryStore::default()));
    }
    match url.strip_prefix("sqlite://") {
        Some(file) if !file.is_empty() => Ok(Arc::new(SqliteStore::open(file.as_ref())?)),
        _ => Err(StoreError::Failed {
            reason: format!("{} is no store; write sqlite://FILE or memory:", without_secrets(url)),
        }),
    }
}

/// A URL may carry a password, and errors are logged.
fn without_secrets(url: &str) -> String {
    url.split_once("://").map_or_else(|| format!("{url:?}"), |(scheme, _)| format!("{scheme}://.."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_name_stores_and_errors_hide_passwords() {
        assert!(open("memory:").is_ok());
        let refusal = |url| open(url).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(refusal("sqlite://").contains("sqlite://FILE"));
        assert!(refusal("file.db").contains("\"file.db\" is no store"));
        let hidden = refusal("mysql://me:secret@host/db");
        assert!(hidden.contains("mysql://..") && !hidden.contains("secret"), "{hidden}");
    }
}
