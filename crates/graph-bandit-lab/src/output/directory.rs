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

/// What would be lost if a campaign wrote into a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Occupied {
    /// A complete result, and not this one. [`Mode::Force`] overwrites it.
    #[error("holds the result of another study, another setting or another version")]
    OtherResult,
    /// Files that no campaign wrote. No mode removes them.
    #[error("is not empty")]
    NotOurs,
    /// Runs of this study. [`Mode::Resume`] goes on with them, [`Mode::Force`] starts over.
    #[error("holds runs of a study that is not complete")]
    Unfinished,
    /// Runs of a study with other settings. [`Mode::Force`] starts over.
    #[error("holds an unfinished study with other settings")]
    OtherUnfinished,
    /// The same study with figures of another window. [`Mode::Force`] makes it anew.
    #[error("holds this study, but its figures show another window")]
    ShowsOther,
    /// The same study, without a window that is asked for. [`Mode::Force`] measures it.
    #[error("holds this study, but its runs were not measured in window {0}")]
    NotMeasured(Window),
}

/// Looks at a directory and opens it for a campaign. Where it was measured in more windows than the
/// campaign asks for, the campaign goes on with them all.
///
/// # Errors
/// When the directory holds anything that would be lost, or cannot be written.
pub fn start(directory: &Path, campaign: &mut Campaign, mode: Mode) -> Result<Start, LabError> {
    let refused = |by: Occupied| Err(LabError::Occupied { directory: directory.to_owned(), by });
    if mode == Mode::Force {
        clear(directory)?;
    } else if let Some(found) = Manifest::read(directory)? {
        campaign.go_on_in(&found.spec);
        if found == Manifest::of(campaign) {
            // An end between the manifest and the removal of the runs leaves them behind.
            let runs = directory.join(RUNS);
            if Store::is_at(&runs)? {
                Store::open(&runs, campaign)?.remove()?;
            }
            let _ = fs::remove_dir(&runs); // Only an empty one goes.
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
    // What cannot be read here is refused when the store is opened.
    let stored = Store::stored(&runs).ok().flatten();
    if let Some(stored) = &stored {
        campaign.go_on_in(stored);
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
