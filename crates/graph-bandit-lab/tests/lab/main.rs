//! The lab's promises: campaigns, tapes, and extensions by other crates.

mod alone;
mod campaign;
mod changes;
mod imported;
mod means;
mod outside;
mod tapes;
mod teams;
mod trajectories;
mod windows;

use std::fs;
use std::path::{Path, PathBuf};

/// An empty path of that name, where a directory can be made.
fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    directory
}
