//! A copy in the making: a folder beside its place, so that nothing of it stays under the name of a store.

use super::{IfExists, UpkeepError};
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// A folder beside the file to write, with the copy and what SQLite puts beside it. It is removed in the end.
pub(super) struct Part {
    folder: PathBuf,
    /// A lock on a file in the folder. It ends with the process, so it tells a killed backup from one at work.
    lock: Option<File>,
}

impl Part {
    pub(super) fn create(into: &Path) -> Result<Self, UpkeepError> {
        let mut name = into.file_name().unwrap_or_default().to_owned();
        name.push(".part-");
        remove_leftovers(folder_of(into), &name);
        name.push(std::process::id().to_string());
        let folder = into.with_file_name(name);
        std::fs::create_dir(&folder).map_err(UpkeepError::file(&folder))?;
        let mut part = Self { folder, lock: None };
        let path = part.folder.join(LOCK);
        let lock = File::create_new(&path).and_then(|file| Ok(file.try_lock().map(|()| file)?));
        part.lock = Some(lock.map_err(UpkeepError::file(&path))?);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(part.copy()).map_err(UpkeepError::file(&part.copy()))?;
        Ok(part)
    }

    pub(super) fn copy(&self) -> PathBuf {
        self.folder.join("copy")
    }

    pub(super) fn put_in_place(self, into: &Path, if_exists: IfExists) -> Result<(), UpkeepError> {
        match if_exists {
            IfExists::Replace => {
                std::fs::rename(self.copy(), into).map_err(UpkeepError::file(into))?;
            }
            IfExists::Refuse => {
                let linked = std::fs::hard_link(self.copy(), into);
                claim(&self.copy(), into, linked).map_err(|error| match error.kind() {
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
        // Some systems do not remove open files.
        self.lock = None;
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

const LOCK: &str = "lock";

/// Removes the folders that killed backups into the same file have left.
fn remove_leftovers(from: &Path, name: &OsStr) {
    let Ok(entries) = from.read_dir() else { return };
    for entry in entries.flatten() {
        let found = entry.file_name();
        let process = found.as_encoded_bytes().strip_prefix(name.as_encoded_bytes());
        let is_process = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
        if !process.is_some_and(is_process) {
            continue;
        }
        let _ = match File::options().write(true).open(entry.path().join(LOCK)) {
            Ok(lock) if lock.try_lock().is_ok() => std::fs::remove_dir_all(entry.path()),
            // Killed before it made its lock, so the folder is empty.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                std::fs::remove_dir(entry.path())
            }
            _ => continue,
        };
    }
}

/// The folder of a file.
fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

/// Syncs the directory, so that the name is durable, too.
#[cfg(unix)]
fn sync_directory(of: &Path) -> Result<(), UpkeepError> {
    let directory = folder_of(of);
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

    #[test]
    fn what_a_killed_backup_left_is_removed_and_one_at_work_goes_on() {
        let directory = std::env::temp_dir().join(format!("backup-parts-{}", std::process::id()));
        let [killed, at_work, other] =
            ["copy.part-1", "copy.part-2", "copy.part-x"].map(|name| directory.join(name));
        for folder in [&killed, &at_work, &other] {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(folder.join(LOCK), "").unwrap();
            std::fs::write(folder.join("copy-journal"), "half").unwrap();
        }
        let lock = File::open(at_work.join(LOCK)).unwrap();
        lock.try_lock().unwrap();
        let part = Part::create(&directory.join("copy")).unwrap();
        assert_eq!([&killed, &at_work, &other].map(|folder| folder.exists()), [false, true, true]);
        // A second one into the same file leaves this one alone, too.
        remove_leftovers(&directory, OsStr::new("copy.part-"));
        assert!(part.copy().exists());
        let folder = part.folder.clone();
        drop(part);
        assert!(!folder.exists());
        // One that was killed before it made its lock.
        std::fs::create_dir(&killed).unwrap();
        remove_leftovers(&directory, OsStr::new("copy.part-"));
        assert!(!killed.exists());
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
