//! The lab's own promises: campaigns, tapes, and what other crates add.

mod campaign;
mod imported;
mod means;
mod outside;
mod tapes;
mod trajectories;
mod windows;

use std::fs;
use std::path::{Path, PathBuf};

/// An empty place of that name, where a directory can be made.
fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    directory
}
