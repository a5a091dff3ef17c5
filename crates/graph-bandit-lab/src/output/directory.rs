//! When a result directory may be written.

use super::manifest::Manifest;
use super::names::{MANIFEST, RUNS, STAGING};
use crate::campaign::{Campaign, Store, StoreError};
use crate::error::LabError;
use std::fs;
use std::io;
use std::path::Path;

/// What to do with what a directory holds already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Only write where nothing is lost.
    New,
    /// Go on with an unfinished campaign.
    Resume,
    /// Start over, whatever an earlier campaign left.
    Force,
}

/// How a campaign starts.
#[derive(Debug)]
pub enum Start {
    /// With these runs finished already.
    Run(Store),
    /// Not at all: the directory holds its complete result.
    AlreadyComplete,
}

/// Looks at a directory and opens it for a campaign.
///
/// # Errors
/// When the directory holds anything that would be lost, or cannot be written.
pub fn start(directory: &Path, campaign: &Campaign, mode: Mode) -> Result<Start, LabError> {
    let refused = |what: &str| {
        let reason = format!("{} {what}", directory.display());
        Err(LabError::setting("out", reason))
    };
    if mode == Mode::Force {
        clear(directory)?;
    } else if let Some(found) = Manifest::read(directory)? {
        if found == Manifest::of(campaign) {
            // An end between the manifest and the removal of the runs leaves them behind.
            let runs = directory.join(RUNS);
            if Store::is_at(&runs)? {
                Store::open(&runs, campaign)?.remove()?;
            }
            let _ = fs::remove_dir(&runs); // Only an empty one goes.
            return Ok(Start::AlreadyComplete);
        }
        return refused(
            "holds the result of another study, another setting or another version; \
             choose another directory, or --force to overwrite it",
        );
    }
    let runs = directory.join(RUNS);
    let has_runs = Store::is_at(&runs)?;
    if !has_runs && !is_empty(directory)? {
        return refused("is not empty; choose another directory");
    }
    if has_runs && mode == Mode::New {
        return refused(
            "holds runs of a study that is not complete; --resume goes on with it, --force starts over",
        );
    }
    match Store::open(&runs, campaign) {
        Ok(store) => Ok(Start::Run(store)),
        Err(StoreError::OtherPlan(_)) => refused(
            "holds an unfinished study with other settings; choose another directory, \
             or --force to start over",
        ),
        Err(other) => Err(other.into()),
    }
}

/// Whether there is nothing in the directory but an empty one for runs, or no directory.
fn is_empty(directory: &Path) -> Result<bool, LabError> {
    let is_nothing = |entry: io::Result<fs::DirEntry>| {
        entry.is_ok_and(|entry| {
            let mut inside = fs::read_dir(entry.path()).into_iter().flatten();
            entry.file_name() == RUNS && entry.path().is_dir() && inside.next().is_none()
        })
    };
    match fs::read_dir(directory) {
        Ok(mut entries) => Ok(entries.all(is_nothing)),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(cause) => Err(LabError::Store { reason: format!("{}: {cause}", directory.display()) }),
    }
}

/// Removes what an earlier campaign left, and nothing else: nothing at all where neither a manifest
/// nor stored runs say that there was one, or where `runs` is somebody else's.
fn clear(directory: &Path) -> Result<(), LabError> {
    let runs = directory.join(RUNS);
    let has_runs = Store::is_at(&runs)?;
    let is_ours = has_runs || Manifest::read(directory)?.is_some() && !runs.exists();
    if !is_ours {
        return Ok(());
    }
    // The sign of a store comes first and stays, so that what a kill leaves is known as ours; then
    // the manifest goes: without it the rest does not count as a result.
    Store::clear(&runs)?;
    for name in [MANIFEST, STAGING].into_iter().chain(super::finish::PRODUCTS) {
        let path = directory.join(name);
        let removed =
            if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        match removed {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
                return Err(LabError::Store { reason: format!("{}: {cause}", path.display()) });
            }
            _ => {}
        }
    }
    Ok(())
}
