//! Why a request to a store failed.

use thiserror::Error;

/// Why a request to a store failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// An agent of that name already exists.
    #[error("there is already an agent {id:?}")]
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
    /// Another writer was faster; nothing was appended.
    #[error("the log of agent {id:?} ends at {end}, not at {expected}")]
    Conflict {
        /// The agent.
        id: String,
        /// Where the writer expected the end of the log.
        expected: u64,
        /// Where it ends.
        end: u64,
    },
    /// The log has the expected number of records, but others: the writer knows another past, for
    /// instance from before a backup was restored. Nothing was appended.
    #[error(
        "the log of agent {id:?} ends at {end}, but not with the record that was expected there"
    )]
    Diverged {
        /// The agent.
        id: String,
        /// Where the log ends.
        end: u64,
    },
    /// The record was removed, with all before it.
    #[error("the log of agent {id:?} begins at {first}; earlier records are not kept any more")]
    Removed {
        /// The agent.
        id: String,
        /// The first record of the log.
        first: u64,
    },
    /// The data of one agent cannot be read; other agents may be fine.
    #[error("the store's data of agent {id:?} is damaged: {reason}")]
    Damaged {
        /// The agent.
        id: String,
        /// The medium's error.
        reason: String,
    },
    /// The medium failed. Whether the last append is there must be read from the store.
    #[error("the store failed: {reason}")]
    Failed {
        /// The medium's error.
        reason: String,
    },
}

/// The answer of a store that never removes records.
pub(super) fn keeps_all() -> StoreError {
    StoreError::Failed { reason: "this store keeps all of its history".to_owned() }
}

/// The answer of a store that never renames agents.
pub(super) fn keeps_names() -> StoreError {
    let reason = "this store cannot rename agents, so it cannot import any";
    StoreError::Failed { reason: reason.to_owned() }
}

/// Why what another version wrote is not read.
pub(crate) fn other_version(what: &str, found: i64, known: i64) -> String {
    format!(
        "it has {what} {found}, and this program reads {known}: it was made by an unpublished version (start a \
         new store), or by a later one (use that)"
    )
}

#[cfg(any(feature = "postgres", feature = "sqlite"))]
pub(super) fn only_read() -> StoreError {
    StoreError::Failed { reason: "the store was opened read-only".to_owned() }
}
