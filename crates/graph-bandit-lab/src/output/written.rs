//! The files of a result as they were written: they reach the disk before the manifest names them,
//! and damage is told by their sizes and checksums.

use super::names::{FIGURES, MANIFEST, PAGE, STUDIES};
use crate::disk::sync_folder;
use crate::error::LabError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Files by their path in the result, with `/` between folders.
pub type Files = BTreeMap<String, Written>;

/// A file as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// Its size.
    pub bytes: u64,
    /// Its checksum, in hexadecimal digits.
    pub sha256: String,
}

impl Written {
    fn of(file: File) -> io::Result<Self> {
        let mut hash = Sha256::new();
        let mut bytes = 0;
        let mut reader = BufReader::with_capacity(1 << 16, file);
        loop {
            let read = reader.fill_buf()?;
            if read.is_empty() {
                break;
            }
            hash.update(read);
            let length = read.len();
            bytes += length as u64;
            reader.consume(length);
        }
        let mut digits = String::new();
        for byte in hash.finalize() {
            // Writing to a string cannot fail.
            let _ = write!(digits, "{byte:02x}");
        }
        Ok(Self { bytes, sha256: digits })
    }
}

/// Brings a folder with everything in it to disk, and returns its files.
pub(super) fn settle(folder: &Path) -> Result<Files, LabError> {
    let mut files = Files::new();
    let entries = fs::read_dir(folder).map_err(|cause| failed(folder, &cause))?;
    for entry in entries {
        let path = entry.map_err(|cause| failed(folder, &cause))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            let inside = settle(&path)?;
            files.extend(
                inside.into_iter().map(|(file, as_it_is)| (format!("{name}/{file}"), as_it_is)),
            );
            continue;
        }
        // Windows syncs only files that may be written.
        let opened = OpenOptions::new().read(true).write(true).open(&path);
        let synced = opened.and_then(|file| file.sync_all().and_then(|()| Written::of(file)));
        files.insert(name, synced.map_err(|cause| failed(&path, &cause))?);
    }
    sync_folder(folder).map_err(|cause| failed(folder, &cause))?;
    Ok(files)
}

/// Whether a file is made from the other files alone.
pub(super) fn is_drawn(file: &str) -> bool {
    match file.split_once('/') {
        Some((folder, name)) => {
            let is_data = Path::new(name).extension() == Some("json".as_ref());
            folder == STUDIES || folder == FIGURES && !is_data
        }
        None => file == PAGE,
    }
}

/// What is wrong with the files of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// What is wrong with the first file.
    first: String,
    /// How many others are wrong.
    others: usize,
    /// Whether the damaged files are made from whole ones.
    pub(super) is_drawn: bool,
}

impl Damage {
    /// Compares the files of a result with what was written.
    pub(super) fn of(directory: &Path, files: &Files) -> Result<Option<Self>, LabError> {
        if files.is_empty() {
            return Ok(Some(Self::of_manifest()));
        }
        let mut damage: Option<Self> = None;
        for (file, written) in files {
            let Some(wrong) = mistake(&directory.join(file), written)? else { continue };
            if let Some(damage) = &mut damage {
                damage.others += 1;
                damage.is_drawn &= is_drawn(file);
            } else {
                let (first, is_drawn) = (format!("{file} {wrong}"), is_drawn(file));
                damage = Some(Self { first, others: 0, is_drawn });
            }
        }
        Ok(damage)
    }

    /// Without a manifest nothing is known about the other files.
    pub(super) fn of_manifest() -> Self {
        let first = format!("{MANIFEST} is missing or damaged");
        Self { first, others: 0, is_drawn: false }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.first)?;
        match self.others {
            0 => Ok(()),
            1 => f.write_str(", and another file is damaged"),
            n => write!(f, ", and {n} other files are damaged"),
        }
    }
}

/// What is wrong with a file, if anything.
fn mistake(path: &Path, written: &Written) -> Result<Option<String>, LabError> {
    let found = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
    match found {
        Ok((bytes, _)) if bytes != written.bytes => {
            Ok(Some(format!("has {bytes} bytes instead of {}", written.bytes)))
        }
        Ok((_, file)) => {
            let found = Written::of(file).map_err(|cause| failed(path, &cause))?;
            Ok((found != *written).then(|| "is not as it was written".to_owned()))
        }
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(Some("is missing".to_owned())),
        Err(cause) => Err(failed(path, &cause)),
    }
}

pub(super) fn failed(path: &Path, cause: &io::Error) -> LabError {
    LabError::Store { reason: format!("{}: {cause}", path.display()) }
}
