//! What PostgreSQL says went wrong, in one line and without secrets: the library's errors never hold
//! the password, and neither do the server's.

use super::StoreError;
use std::error::Error as _;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

pub(super) fn failed(reason: String) -> StoreError {
    StoreError::Failed { reason }
}

/// Such an error in the words of the store.
pub(super) fn said(error: &Error) -> StoreError {
    if let Some(error) = error.as_db_error() {
        return failed(format!("PostgreSQL: {}", error.message()));
    }
    let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    failed(format!("PostgreSQL: {error}{cause}"))
}

/// The database gave up one of several transactions that were in each other's way: once more, and it
/// will do.
pub(super) fn is_mutual(error: &Error) -> bool {
    let code = error.code();
    code == Some(&SqlState::T_R_DEADLOCK_DETECTED)
        || code == Some(&SqlState::T_R_SERIALIZATION_FAILURE)
}

/// Somebody else holds something locked that is needed, and was waited for.
pub(super) fn is_locked(error: &Error) -> bool {
    error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE)
}
