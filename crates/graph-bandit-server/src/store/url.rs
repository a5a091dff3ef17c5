//! URLs of stores.

use super::{MemoryStore, Store, StoreError};
use std::sync::Arc;

/// The kind of store that a URL names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StoreKind<'a> {
    /// In memory.
    Memory,
    /// An SQLite file.
    File(&'a str),
    /// A PostgreSQL database.
    Database(&'a str),
}

/// The kind of store that a URL names.
pub(crate) fn kind_of(url: &str) -> Result<StoreKind<'_>, StoreError> {
    if url == "memory:" {
        return Ok(StoreKind::Memory);
    }
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        return Ok(StoreKind::Database(url));
    }
    match url.strip_prefix("sqlite://") {
        Some(file) if !file.is_empty() => Ok(StoreKind::File(file)),
        _ => Err(StoreError::Failed {
            reason: format!(
                "{} is not a store; write sqlite://FILE, postgres://USER:PASSWORD@HOST/DATABASE \
                 or memory:",
                without_secrets(url)
            ),
        }),
    }
}

/// Opens the store of a URL: `sqlite://FILE`, created when absent,
/// `postgres://USER:PASSWORD@HOST/DATABASE`, or `memory:`.
///
/// # Errors
/// When there is no such kind of store, it was not compiled in (the features `sqlite` and `postgres`), or it
/// cannot be opened.
pub fn open(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    match kind_of(url)? {
        StoreKind::Memory => Ok(Arc::new(MemoryStore::default())),
        #[cfg(feature = "sqlite")]
        StoreKind::File(file) => Ok(Arc::new(super::SqliteStore::open(file.as_ref())?)),
        #[cfg(feature = "postgres")]
        StoreKind::Database(url) => Ok(Arc::new(super::PostgresStore::open(url)?)),
        #[cfg(not(all(feature = "sqlite", feature = "postgres")))]
        other => Err(left_out(&other)),
    }
}

/// Opens the store of a URL read-only, as of this moment; a service may write to it. Nothing is created or
/// upgraded.
///
/// # Errors
/// As [`open`], and when there is no such store.
pub fn open_to_read(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    match kind_of(url)? {
        StoreKind::Memory => Err(StoreError::Failed {
            reason: "a store in memory (`memory:`) is always new; name a file or a database"
                .to_owned(),
        }),
        #[cfg(feature = "sqlite")]
        StoreKind::File(file) => Ok(Arc::new(super::SqliteStore::open_to_read(file.as_ref())?)),
        #[cfg(feature = "postgres")]
        StoreKind::Database(url) => Ok(Arc::new(super::PostgresStore::open_to_read(url)?)),
        #[cfg(not(all(feature = "sqlite", feature = "postgres")))]
        other => Err(left_out(&other)),
    }
}

/// Opens the store of a URL read-only. Unlike [`open_to_read`], each read of a file is as of its own moment.
///
/// # Errors
/// As [`open_to_read`].
pub(crate) fn open_to_follow(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    match kind_of(url)? {
        #[cfg(feature = "sqlite")]
        StoreKind::File(file) => Ok(Arc::new(super::SqliteStore::open_to_follow(file.as_ref())?)),
        _ => open_to_read(url),
    }
}

#[cfg(not(all(feature = "sqlite", feature = "postgres")))]
pub(crate) fn left_out(place: &StoreKind<'_>) -> StoreError {
    let (what, feature) = match place {
        StoreKind::File(_) => ("SQLite", "sqlite"),
        _ => ("PostgreSQL", "postgres"),
    };
    let reason =
        format!("this program was built without {what}; build it with the feature `{feature}`");
    StoreError::Failed { reason }
}

/// Hides the URL in messages: it may have a password, even if it is wrong, and errors are logged.
fn without_secrets(url: &str) -> String {
    match url.split_once("://") {
        Some((scheme, _)) if scheme.chars().all(|c| c.is_ascii_alphanumeric()) => {
            format!("{scheme}://..")
        }
        None if !url.contains(['@', '=', ':']) => format!("{url:?}"),
        _ => "the given text".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_name_stores_and_errors_hide_passwords() {
        assert!(open("memory:").is_ok());
        let refusal = |url| open(url).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(refusal("sqlite://").contains("sqlite://FILE"));
        assert!(refusal("file.db").contains("\"file.db\" is not a store"));
        for url in [
            "mysql://me:secret@host/db",
            "postgres:me:secret@host/db",
            "me:secret@host://db",
            "host=db user=me password=secret",
        ] {
            let hidden = refusal(url);
            assert!(hidden.contains("is not a store") && !hidden.contains("secret"), "{hidden}");
        }
    }
}
