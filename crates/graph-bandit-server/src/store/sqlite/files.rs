//! The files of a store: those beside the database, and which file a path leads to.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// The file beside a database whose name has this end.
pub(super) fn beside(database: &Path, end: &str) -> PathBuf {
    let mut path = OsString::from(database);
    path.push(end);
    PathBuf::from(path)
}

/// Tells a file from all others: its device and inode.
#[cfg(unix)]
pub(super) fn identity(path: &Path) -> io::Result<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    path.metadata().map(|file| (file.dev(), file.ino()))
}

/// Tells a file from all others: its path without links.
#[cfg(not(unix))]
pub(super) fn identity(path: &Path) -> io::Result<PathBuf> {
    path.canonicalize()
}
