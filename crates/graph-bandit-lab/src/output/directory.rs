//! When a result directory may be written.

use super::finish::{PRODUCTS, file_of, text_of};
use super::manifest::Manifest;
use super::names::{MANIFEST, RUNS, STAGING};
use super::written::{Damage, failed};
use crate::campaign::{Campaign, Store, StoreError};
use crate::error::LabError;
use crate::window::Window;
use std::ffi::OsStr;
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
    /// With these runs already finished. The lines say what is damaged and made again.
    Run(Store, Vec<String>),
    /// Not at all: [`redraw`](super::redraw) makes again what the line says.
    Redraw(String),
    /// Not at all: the directory holds its complete result.
    AlreadyComplete,
}

/// What would be lost if a campaign wrote into a directory.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
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
    /// This result, damaged or changed. [`Mode::Resume`] makes it again.
    #[error("holds this result, but {0}")]
    Damaged(Damage),
}

/// Checks a directory and opens it for a campaign. If the directory was measured in more windows
/// than the campaign asks for, the campaign continues with all of them. Files of a complete result that
/// are missing or not as they were written are made again: figures, page and studies from the other files,
/// the others from all runs.
///
/// # Errors
/// When the directory holds anything that would be lost, or cannot be written.
pub fn start(directory: &Path, campaign: &mut Campaign, mode: Mode) -> Result<Start, LabError> {
    let refused = |by: Occupied| Err(LabError::Occupied { directory: directory.to_owned(), by });
    let mut repairs = Vec::new();
    if mode == Mode::Force {
        clear(directory, campaign)?;
    } else {
        let repair =
            |damage: &Damage, how: &str| format!("{}: {damage}; {how}", directory.display());
        match look(directory, campaign)? {
            Found::Nothing => {}
            Found::Other(by) => return refused(by),
            Found::Damaged(damage) if mode == Mode::New => {
                return refused(Occupied::Damaged(damage));
            }
            Found::Damaged(damage) if !damage.is_drawn => {
                repairs.push(repair(&damage, "all runs are made again"));
            }
            complete => {
                remove_rest(directory, campaign)?;
                return Ok(match complete {
                    Found::Damaged(damage) => {
                        Start::Redraw(repair(&damage, "figures, page and studies are made again"))
                    }
                    _ => Start::AlreadyComplete,
                });
            }
        }
    }
    let runs = directory.join(RUNS);
    let has_runs = Store::is_at(&runs)?;
    let is_ours = has_runs || !repairs.is_empty() && is_left_over(&runs);
    if !is_ours && !is_empty(directory)? {
        return refused(Occupied::NotOurs);
    }
    if has_runs && mode == Mode::New {
        return refused(Occupied::Unfinished);
    }
    // Opening the store decides about a plan that cannot be read.
    let stored = Store::stored(&runs).ok().flatten();
    if let Some(stored) = &stored {
        campaign.adopt_windows_of(stored);
    }
    match Store::open(&runs, campaign) {
        Ok(store) => {
            let damaged = store.remove_damaged(campaign)?;
            if damaged > 0 {
                let of = runs.display();
                repairs.push(match damaged {
                    1 => format!("{of}: 1 damaged block; its runs are made again"),
                    _ => format!("{of}: {damaged} damaged blocks; their runs are made again"),
                });
            }
            Ok(Start::Run(store, repairs))
        }
        Err(StoreError::OtherPlan(_)) => {
            let stored = stored.unwrap_or_default();
            let is_same = campaign.is_same_but_for_windows(&stored);
            let other = || if is_same { Occupied::ShowsOther } else { Occupied::OtherUnfinished };
            refused(campaign.lacks_only(&stored).map_or_else(other, Occupied::NotMeasured))
        }
        Err(other) => Err(other.into()),
    }
}

/// What a directory says of its result.
enum Found {
    Nothing,
    Other(Occupied),
    Whole,
    Damaged(Damage),
}

/// Compares the complete result of a directory with a campaign, and its files with its manifest.
fn look(directory: &Path, campaign: &mut Campaign) -> Result<Found, LabError> {
    let Some(found) = Manifest::read(directory)? else {
        let is_known = lacks_only_its_manifest(directory, campaign)?;
        return Ok(if is_known { Found::Damaged(Damage::of_manifest()) } else { Found::Nothing });
    };
    campaign.adopt_windows_of(&found.spec);
    if found == Manifest::of(campaign, found.files.clone()) {
        return Ok(Damage::of(directory, &found.files)?.map_or(Found::Whole, Found::Damaged));
    }
    if let Some(window) = campaign.lacks_only(&found.spec) {
        return Ok(Found::Other(Occupied::NotMeasured(window)));
    }
    let is_same = campaign.is_same_but_for_windows(&found.spec);
    Ok(Found::Other(if is_same { Occupied::ShowsOther } else { Occupied::OtherResult }))
}

/// Whether all that a directory holds has the names of a result, and its studies are those of the campaign.
fn lacks_only_its_manifest(directory: &Path, campaign: &Campaign) -> Result<bool, LabError> {
    for study in &campaign.studies {
        let (path, text) = (directory.join(file_of(study)), text_of(study)?);
        if fs::read(path).ok().as_deref() != Some(text.as_bytes()) {
            return Ok(false);
        }
    }
    let is_product = |name: &OsStr| PRODUCTS.iter().any(|product| name == *product);
    all_in(directory, |entry| {
        let name = entry.file_name().unwrap_or_default();
        is_product(name) || name == MANIFEST || is_left_over(entry)
    })
}

/// Whether the directory is absent, or a crash left nothing of worth in it.
fn is_empty(directory: &Path) -> Result<bool, LabError> {
    all_in(directory, is_left_over)
}

/// Whether a path is an empty directory for runs, or one in which a result was being made; or nothing.
fn is_left_over(path: &Path) -> bool {
    let inside = |is_known: fn(&Path) -> bool| {
        !path.is_file() && all_in(path, is_known).is_ok_and(|is_left_over| is_left_over)
    };
    match path.file_name() {
        Some(name) if name == RUNS => inside(|_| false),
        Some(name) if name == STAGING => inside(|inner| {
            inner.file_name().is_some_and(|name| PRODUCTS.iter().any(|product| name == *product))
        }),
        _ => false,
    }
}

/// Whether something holds for all entries of a directory, if there are any.
fn all_in(directory: &Path, holds: impl Fn(&Path) -> bool) -> Result<bool, LabError> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(cause) => return Err(failed(directory, &cause)),
    };
    for entry in entries {
        let path = entry.map_err(|cause| failed(directory, &cause))?.path();
        if !holds(&path) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Removes what a crash left beside a complete result.
fn remove_rest(directory: &Path, campaign: &Campaign) -> Result<(), LabError> {
    let (runs, staging) = (directory.join(RUNS), directory.join(STAGING));
    if Store::is_at(&runs)? {
        Store::open(&runs, campaign)?.remove()?;
    }
    if is_left_over(&runs) && runs.exists() {
        fs::remove_dir(&runs).map_err(|cause| failed(&runs, &cause))?;
    }
    if is_left_over(&staging) && staging.exists() {
        fs::remove_dir_all(&staging).map_err(|cause| failed(&staging, &cause))?;
    }
    Ok(())
}

/// Removes only what an earlier campaign left. Removes nothing if neither a manifest nor stored
/// runs prove an earlier campaign, or if `runs` belongs to something else.
fn clear(directory: &Path, campaign: &Campaign) -> Result<(), LabError> {
    let runs = directory.join(RUNS);
    let has_result = Manifest::read(directory)?.is_some() && !runs.exists();
    let is_ours =
        Store::is_at(&runs)? || has_result || lacks_only_its_manifest(directory, campaign)?;
    if !is_ours {
        return Ok(());
    }
    // The mark of a store comes first and stays, so that the directory is recognized after a kill.
    // Then the manifest goes: without it the rest does not count as a result.
    Store::clear(&runs)?;
    for name in [MANIFEST, STAGING].into_iter().chain(PRODUCTS) {
        let path = directory.join(name);
        let removed =
            if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        match removed {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
                return Err(failed(&path, &cause));
            }
            _ => {}
        }
    }
    Ok(())
}
