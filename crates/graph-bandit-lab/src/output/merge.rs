//! Joins the parts of a campaign into one complete result.

use super::directory::{Mode, Start, start};
use super::finish::{finish, redraw};
use super::names::RUNS;
use crate::campaign::{Block, Campaign, End, Store};
use crate::error::LabError;
use crate::jobs::Jobs;
use crate::report::Ledger;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// How joining ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joined {
    /// The result is complete.
    Now,
    /// The directory already held this result.
    Before,
    /// The caller asked to stop; the parts are unchanged.
    Interrupted,
}

/// Joins the directories of all parts into `out` and completes it.
///
/// # Errors
/// When a part is missing or belongs to another campaign, or `out` cannot be written.
pub fn merge(
    directories: &[PathBuf],
    (out, mode): (&Path, Mode),
    ledger: Option<&Ledger>,
    jobs: Jobs,
    stop: &AtomicBool,
) -> Result<Joined, LabError> {
    let parts = directories.iter().map(|directory| Store::campaign(&directory.join(RUNS)));
    let mut parts: Vec<Campaign> = parts.collect::<Result<_, _>>()?;
    check_windows(directories, &parts)?;
    let Some(campaign) = parts.first_mut() else {
        return Err(LabError::setting("parts", "name the directories of the parts"));
    };
    let store = match start(out, campaign, mode)? {
        Start::Run(store, _) => store,
        Start::Redraw(_) => {
            redraw(out, ledger, jobs)?;
            return Ok(Joined::Before);
        }
        Start::AlreadyComplete => return Ok(Joined::Before),
    };
    for directory in directories {
        let part = Store::open(&directory.join(RUNS), campaign)?;
        for block in Block::all(campaign) {
            if part.has(block) && !store.has(block) {
                store.copy(block, &part)?;
            }
        }
    }
    let missing = Block::all(campaign).into_iter().filter(|&block| !store.has(block)).count();
    if missing > 0 {
        let reason = format!("{missing} blocks of runs are missing from the parts; name all parts");
        return Err(LabError::Store { reason });
    }
    Ok(match finish(out, campaign, store, ledger, jobs, stop)? {
        End::Complete => Joined::Now,
        End::Interrupted => Joined::Interrupted,
    })
}

/// A stored run holds numbers for each window, so all parts must have the same windows.
fn check_windows(directories: &[PathBuf], parts: &[Campaign]) -> Result<(), LabError> {
    let names = |part: &Campaign| {
        let names: Vec<&str> = part.windows.iter().map(|window| window.name()).collect();
        names.join(" and ")
    };
    let Some(first) = parts.first() else { return Ok(()) };
    let Some(i) = parts.iter().position(|part| part.windows != first.windows) else {
        return Ok(());
    };
    let (one, other) = (directories[0].display(), directories[i].display());
    let (measured, differently) = (names(first), names(&parts[i]));
    let reason = format!(
        "{one} was measured in {measured}, {other} in {differently}; run one of them again with the \
         `windows` of the other in its study"
    );
    Err(LabError::setting("parts", reason))
}
