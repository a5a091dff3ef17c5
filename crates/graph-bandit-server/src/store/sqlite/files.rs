//! The files of a store: those beside the database, and which file a path leads to.
//!
//! What is written to a file without a name is lost when it is closed. So an open store compares its paths
//! with the files that they led to at the beginning.

use super::StoreError;
use super::lock::Lock;
use std::ffi::OsString;
use std::fmt::Display;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The file beside a database whose name has this end.
pub(super) fn beside(database: &Path, end: &str) -> PathBuf {
    let mut path = OsString::from(database);
    path.push(end);
    PathBuf::from(path)
}

/// Tells a file from all others: device and inode, or elsewhere its path without links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity(#[cfg(unix)] (u64, u64), #[cfg(not(unix))] PathBuf);

#[cfg(unix)]
pub(super) fn identity(path: &Path) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt;
    path.metadata().map(|file| Identity((file.dev(), file.ino())))
}

impl Identity {
    /// Whether it is the identity of an open file; elsewhere open files keep their names.
    #[cfg(unix)]
    pub(super) fn is_of(&self, file: &File) -> bool {
        use std::os::unix::fs::MetadataExt;
        file.metadata().is_ok_and(|file| self.0 == (file.dev(), file.ino()))
    }

    #[cfg(not(unix))]
    pub(super) fn is_of(&self, _file: &File) -> bool {
        true
    }
}

#[cfg(not(unix))]
pub(super) fn identity(path: &Path) -> io::Result<Identity> {
    path.canonicalize().map(Identity)
}

/// The open files of a store, each with what its path led to.
#[derive(Debug, Default)]
pub(super) struct OpenFiles(Vec<(PathBuf, Identity)>);

impl OpenFiles {
    /// Those of a database in write-ahead mode that was locked, and then opened. Systems without inodes do not
    /// let anyone remove or replace an open file.
    pub(super) fn of(lock: &Lock) -> Result<Self, StoreError> {
        if cfg!(not(unix)) {
            return Ok(Self::default());
        }
        let mut files = vec![(lock.database.clone(), lock.identity.clone())];
        for end in ["-wal", "-shm"] {
            let path = beside(&lock.database, end);
            let known = identity(&path).map_err(|error| StoreError::Failed {
                reason: format!(
                    "{}: {error}; SQLite's write-ahead log needs a local file system",
                    path.display()
                ),
            })?;
            files.push((path, known));
        }
        Ok(Self(files))
    }

    /// Whether each path still leads to the file that is open. Takes a few microseconds.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        for (path, known) in &self.0 {
            match identity(path) {
                Ok(found) if found == *known => {}
                Ok(_) => return Err(lost(path, &"another file has its name")),
                Err(error) => return Err(lost(path, &error)),
            }
        }
        Ok(())
    }

    /// Whether another store has a write-ahead log of this name by now.
    pub(super) fn is_log_of_another(&self) -> bool {
        let replaced = |(path, known): &(PathBuf, Identity)| {
            path.as_os_str().as_encoded_bytes().ends_with(b"-wal")
                && identity(path).is_ok_and(|found| found != *known)
        };
        self.0.iter().any(replaced)
    }
}

fn lost(path: &Path, why: &dyn Display) -> StoreError {
    let reason = format!(
        "{} is no longer the file that was opened ({why}), so nothing more is stored; stop the service, put the \
         file back, and start it again",
        path.display()
    );
    StoreError::Failed { reason }
}
