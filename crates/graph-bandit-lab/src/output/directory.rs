//! When a result directory may be written.

use super::manifest::Manifest;
use super::names::{MANIFEST, RUNS, STAGING};
use crate::campaign::{Campaign, Store, StoreError};
use crate::error::LabError;
use crate::window::Window;
use std::fs;
use std::io;
use std::path::Path;
use thiserror::Error;

/// What to do with the current content of a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Write only if nothing is lost.
    New,
    /// Continue an unfinished campaign.
    Resume,
    /// Start over, whatever an earlier campaign left.
    Force,
}

/// How a campaign starts.
#[derive(Debug)]
pub enum Start {
    /// With these runs already finished.
    Run(Store),
    /// Not at all: the directory holds its complete result.
    AlreadyComplete,
}

/// What would be lost if a campaign wrote into a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Occupied {
    /// A complete result, and not this one. [`Mode::Force`] overwrites it.
    #[error("holds the result of another study, other settings or another version")]
    OtherResult,
    /// Files that no campaign wrote. No mode removes them.
    #[error("is not empty")]
    NotOurs,
    /// Runs of this study. [`Mode::Resume`] continues them, [`Mode::Force`] starts over.
    #[error("holds runs of a study that is not complete")]
    Unfinished,
    /// Runs of a study with other settings. [`Mode::Force`] starts over.
    #[error("holds an unfinished study with other settings")]
    OtherUnfinished,
    /// The same study with figures of another window. [`Mode::Force`] makes it again.
    #[error("holds this study, but its figures show another window")]
    ShowsOther,
    /// The same study, without a requested window. [`Mode::Force`] measures it.
    #[error("holds this study, but its runs were not measured in window {0}")]
    NotMeasured(Window),
}

/// Checks a directory and opens it for a campaign. If the directory was measured in more windows
/// than the campaign asks for, the campaign continues with all of them.
///
/// # Errors
/// When the directory holds anything that would be lost, or cannot be written.
pub fn start(directory: &Path, campaign: &mut Campaign, mode: Mode) -> Result<Start, LabError> {
    let refused = |by: Occupied| Err(LabError::Occupied { directory: directory.to_owned(), by });
    if mode == Mode::Force {
        clear(directory)?;
    } else if let Some(found) = Manifest::read(directory)? {
        campaign.adopt_windows_of(&found.spec);
        if found == Manifest::of(campaign) {
            // A crash after the manifest but before the removal of the runs leaves them behind.
            let runs = directory.join(RUNS);
            if Store::is_at(&runs)? {
                Store::open(&runs, campaign)?.remove()?;
            }
            let _ = fs::remove_dir(&runs); // Removes only an empty one.
            return Ok(Start::AlreadyComplete);
        }
        if let Some(window) = campaign.lacks_only(&found.spec) {
            return refused(Occupied::NotMeasured(window));
        }
        if campaign.is_same_but_for_windows(&found.spec) {
            return refused(Occupied::ShowsOther);
        }
        return refused(Occupied::OtherResult);
    }
    let runs = directory.join(RUNS);
    let has_runs = Store::is_at(&runs)?;
    if !has_runs && !is_empty(directory)? {
        return refused(Occupied::NotOurs);
    }
    if has_runs && mode == Mode::New {
        return refused(Occupied::Unfinished);
    }
    // A plan that cannot be read is refused when the store is opened.
    let stored = Store::stored(&runs).ok().flatten();
    if let Some(stored) = &stored {
        campaign.adopt_windows_of(stored);
    }
    match Store::open(&runs, campaign) {
        Ok(store) => Ok(Start::Run(store)),
        Err(StoreError::OtherPlan(_)) => {
            let stored = stored.unwrap_or_default();
            let is_same = campaign.is_same_but_for_windows(&stored);
            let other = || if is_same { Occupied::ShowsOther } else { Occupied::OtherUnfinished };
            refused(campaign.lacks_only(&stored).map_or_else(other, Occupied::NotMeasured))
        }
        Err(other) => Err(other.into()),
    }
}

/// Whether the directory is absent, or empty except for an empty directory for runs.
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

/// Removes only what an earlier campaign left. Removes nothing if neither a manifest nor stored
/// runs prove an earlier campaign, or if `runs` belongs to something else.
fn clear(directory: &Path) -> Result<(), LabError> {
    let runs = directory.join(RUNS);
    let has_runs = Store::is_at(&runs)?;
    let is_ours = has_runs || Manifest::read(directory)?.is_some() && !runs.exists();
    if !is_ours {
        return Ok(());
    }
    // The mark of a store comes first and stays, so that the directory is recognized after a kill.
    // Then the manifest goes: without it the rest does not count as a result.
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
