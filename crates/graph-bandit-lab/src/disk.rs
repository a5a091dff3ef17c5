//! What is on disk after a power cut: contents only once they are synced, names only once their folder is.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes a temporary file, syncs it, and moves it into place: complete or not at all. Its name is
/// on disk after [`sync_folder`].
pub(crate) fn write_aside(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut aside = path.as_os_str().to_owned();
    aside.push(".part");
    let written = File::create(&aside)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_data()))
        .and_then(|()| fs::rename(&aside, path));
    if written.is_err() {
        // An unfinished file must not stay; the first error is the one to report.
        let _ = fs::remove_file(&aside);
    }
    written
}

/// Brings the names in a folder to disk.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    // Not every system opens folders, and not every file system syncs them.
    let opened = match File::open(or_here(folder)) {
        Err(cause) if cfg!(not(unix)) || cause.kind() == PermissionDenied => return Ok(()),
        opened => opened?,
    };
    match opened.sync_all() {
        Err(cause) if [InvalidInput, Unsupported].contains(&cause.kind()) => Ok(()),
        synced => synced,
    }
}

/// Creates a folder and those above it, and brings their names to disk.
pub(crate) fn create_folder(folder: &Path) -> io::Result<()> {
    if or_here(folder).is_dir() {
        return Ok(());
    }
    let above = folder.parent().unwrap_or(Path::new(""));
    create_folder(above)?;
    match fs::create_dir(folder) {
        // Somebody else was faster.
        Err(_) if folder.is_dir() => Ok(()),
        created => created.and_then(|()| sync_folder(above)),
    }
}

/// The parent of a file in the current folder is the empty path.
fn or_here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}
