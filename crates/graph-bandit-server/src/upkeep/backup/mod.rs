//! A copy of a store's file, made while a service writes to it.

#[cfg(feature = "sqlite")]
mod part;

use super::UpkeepError;
use crate::store::{StoreKind, kind_of};
use std::path::Path;

/// What to do if the file already exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfExists {
    /// Refuse, and write nothing.
    Refuse,
    /// Replace it, once the new one is complete.
    Replace,
}

/// Copies the store of a URL into a file, as of this moment; the service goes on meanwhile. The copy is
/// written in a folder beside its place, synced and then moved there, readable by its owner only. The next
/// backup into the same file removes what a killed one has left.
///
/// # Errors
/// When the store cannot be read; when the file cannot be written, already exists, or belongs to a store
/// that is in use; and for PostgreSQL, which has its own program.
pub fn backup(url: &str, into: &Path, if_exists: IfExists) -> Result<(), UpkeepError> {
    let source = match kind_of(url)? {
        StoreKind::File(file) => Path::new(file),
        StoreKind::Database(_) => return Err(UpkeepError::OwnBackup),
        StoreKind::Memory => return Err(UpkeepError::Nothing),
    };
    if if_exists == IfExists::Refuse && into.exists() {
        return Err(UpkeepError::FileExists { file: into.to_owned() });
    }
    copy(source, into, if_exists)
}

#[cfg(feature = "sqlite")]
fn copy(from: &Path, into: &Path, if_exists: IfExists) -> Result<(), UpkeepError> {
    use crate::store::sqlite;
    use part::Part;
    drop(sqlite::Place::take(from, into)?);
    let part = Part::create(into)?;
    let made = part.copy();
    sqlite::backup(from, &made)?;
    // Windows syncs only files that may be written.
    let copied = std::fs::File::options().write(true).open(&made);
    copied.and_then(|file| file.sync_all()).map_err(UpkeepError::file(&made))?;
    // A service may have started there meanwhile.
    let _place = sqlite::Place::take(from, into)?;
    part.put_in_place(into, if_exists)
}

#[cfg(not(feature = "sqlite"))]
fn copy(_from: &Path, _into: &Path, _if_exists: IfExists) -> Result<(), UpkeepError> {
    Err(crate::store::left_out(&StoreKind::File("")).into())
}
