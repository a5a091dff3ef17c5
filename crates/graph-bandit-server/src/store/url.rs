//! Which store a URL means.

use super::{MemoryStore, Store, StoreError};
use std::sync::Arc;

/// Opens the store of a URL: `sqlite://FILE`, created when absent,
/// `postgres://USER:PASSWORD@HOST/DATABASE`, or `memory:`.
///
/// # Errors
/// When there is no such kind of store, it was left out of this program (the features `sqlite` and
/// `postgres`), or it cannot be opened.
pub fn open(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    if url == "memory:" {
        return Ok(Arc::new(MemoryStore::default()));
    }
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        return postgres(url);
    }
    match url.strip_prefix("sqlite://") {
        Some(file) if !file.is_empty() => sqlite(file),
        _ => Err(StoreError::Failed {
            reason: format!(
                "{} is not a store; write sqlite://FILE, postgres://USER:PASSWORD@HOST/DATABASE \
                 or memory:",
                without_secrets(url)
            ),
        }),
    }
}

#[cfg(feature = "sqlite")]
fn sqlite(file: &str) -> Result<Arc<dyn Store>, StoreError> {
    Ok(Arc::new(super::SqliteStore::open(file.as_ref())?))
}

#[cfg(not(feature = "sqlite"))]
fn sqlite(_file: &str) -> Result<Arc<dyn Store>, StoreError> {
    Err(left_out("SQLite", "sqlite"))
}

#[cfg(feature = "postgres")]
fn postgres(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    Ok(Arc::new(super::PostgresStore::open(url)?))
}

#[cfg(not(feature = "postgres"))]
fn postgres(_url: &str) -> Result<Arc<dyn Store>, StoreError> {
    Err(left_out("PostgreSQL", "postgres"))
}

#[cfg(not(all(feature = "sqlite", feature = "postgres")))]
fn left_out(what: &str, feature: &str) -> StoreError {
    let reason =
        format!("this program was built without {what}; build it with the feature `{feature}`");
    StoreError::Failed { reason }
}

/// A URL may carry a password, also one with a slip in it, and errors are logged.
fn without_secrets(url: &str) -> String {
    match url.split_once("://") {
        Some((scheme, _)) if scheme.chars().all(|c| c.is_ascii_alphanumeric()) => {
            format!("{scheme}://..")
        }
        None if !url.contains(['@', '=', ':']) => format!("{url:?}"),
        _ => "what was given".to_owned(),
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
