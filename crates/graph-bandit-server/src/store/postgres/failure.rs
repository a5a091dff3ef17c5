//! PostgreSQL's errors in one line, without secrets: neither the library's errors nor the server's have
//! the password.

use super::StoreError;
use std::error::Error as _;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

pub(super) fn failed(reason: String) -> StoreError {
    StoreError::Failed { reason }
}

/// The error as a store error.
pub(super) fn said(error: &Error) -> StoreError {
    if let Some(error) = error.as_db_error() {
        return failed(format!("PostgreSQL: {}", error.message()));
    }
    let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    failed(format!("PostgreSQL: {error}{cause}"))
}

/// Whether the database gave up one of several conflicting transactions, so that a retry will succeed.
pub(super) fn is_mutual(error: &Error) -> bool {
    let code = error.code();
    code == Some(&SqlState::T_R_DEADLOCK_DETECTED)
        || code == Some(&SqlState::T_R_SERIALIZATION_FAILURE)
}

/// Whether the wait for another's lock took too long.
pub(super) fn is_locked(error: &Error) -> bool {
    error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE)
}
