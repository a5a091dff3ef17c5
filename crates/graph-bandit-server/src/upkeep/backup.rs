//! A copy of a store's file, made while a service writes to it.

use super::UpkeepError;
use crate::store::{StoreKind, kind_of};
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// What to do if the file already exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfExists {
    /// Refuse, and write nothing.
    Refuse,
    /// Replace it, once the new one is complete.
    Replace,
}

/// Copies the store of a URL into a file, as of this moment; the service goes on meanwhile. The copy is
/// written to a temporary file, synced and then moved to its place, readable by its owner only.
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
    drop(sqlite::Place::take(from, into)?);
    let part = Part::create(into)?;
    sqlite::backup(from, &part.0)?;
    File::open(&part.0).and_then(|file| file.sync_all()).map_err(UpkeepError::file(&part.0))?;
    // A service may have started there meanwhile.
    let _place = sqlite::Place::take(from, into)?;
    part.put_in_place(into, if_exists)
}

#[cfg(not(feature = "sqlite"))]
fn copy(_from: &Path, _into: &Path, _if_exists: IfExists) -> Result<(), UpkeepError> {
    Err(crate::store::left_out(&StoreKind::File("")).into())
}

/// A temporary file; it is removed unless it was moved to its place.
struct Part(PathBuf);

impl Part {
    fn create(beside: &Path) -> Result<Self, UpkeepError> {
        let mut name = beside.file_name().unwrap_or_default().to_owned();
        name.push(format!(".part-{}", std::process::id()));
        let path = beside.with_file_name(name);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&path).map_err(UpkeepError::file(&path))?;
        Ok(Self(path))
    }

    fn put_in_place(self, into: &Path, if_exists: IfExists) -> Result<(), UpkeepError> {
        match if_exists {
            IfExists::Replace => std::fs::rename(&self.0, into).map_err(UpkeepError::file(into))?,
            IfExists::Refuse => {
                let linked = std::fs::hard_link(&self.0, into);
                claim(&self.0, into, linked).map_err(|error| match error.kind() {
                    io::ErrorKind::AlreadyExists => {
                        UpkeepError::FileExists { file: into.to_owned() }
                    }
                    _ => UpkeepError::File { file: into.to_owned(), error },
                })?;
            }
        }
        sync_directory(into)
    }
}

/// Unlike a rename, a link never replaces a file. If the file system has no links, an empty file is created
/// under the name, which fails if one exists, and then replaced.
fn claim(part: &Path, into: &Path, linked: io::Result<()>) -> io::Result<()> {
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {}
        settled => return settled,
    }
    OpenOptions::new().write(true).create_new(true).open(into)?;
    std::fs::rename(part, into).inspect_err(|_| {
        // The empty file is ours. Report the first error.
        let _ = std::fs::remove_file(into);
    })
}

impl Drop for Part {
    fn drop(&mut self) {
        // After a rename it no longer exists.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Syncs the directory, so that the name is durable, too.
#[cfg(unix)]
fn sync_directory(of: &Path) -> Result<(), UpkeepError> {
    let directory = match of.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    File::open(directory).and_then(|it| it.sync_all()).map_err(UpkeepError::file(directory))
}

/// Other systems cannot open directories.
#[cfg(not(unix))]
fn sync_directory(_of: &Path) -> Result<(), UpkeepError> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_links_a_copy_never_replaces_another_file() {
        let directory = std::env::temp_dir().join(format!("backup-claim-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let (part, into) = (directory.join("part"), directory.join("copy"));
        let unsupported = || Err(io::ErrorKind::Unsupported.into());
        std::fs::write(&part, "copy").unwrap();
        claim(&part, &into, unsupported()).unwrap();
        assert_eq!(std::fs::read_to_string(&into).unwrap(), "copy");
        std::fs::write(&part, "another").unwrap();
        let refused = claim(&part, &into, unsupported()).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read_to_string(&into).unwrap(), "copy");
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
