//! Why a store did not do what it was asked for.

use thiserror::Error;

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

/// What a store answers that never lets records go.
pub(super) fn keeps_all() -> StoreError {
    StoreError::Failed { reason: "this store keeps all of its history".to_owned() }
}

#[cfg(any(feature = "postgres", feature = "sqlite"))]
pub(super) fn only_read() -> StoreError {
    StoreError::Failed { reason: "the store was opened to be read only".to_owned() }
}
