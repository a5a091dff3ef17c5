//! The program's description of itself: schema, completions, manual pages.

use crate::args::Args;
use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;
#[cfg(feature = "report")]
use graph_bandit_lab::study_file::StudyFile;
use std::io::{Write, stdout};
use std::path::Path;

#[cfg(feature = "report")]
pub(crate) fn schema() -> anyhow::Result<()> {
    stdout().write_all(StudyFile::schema().as_bytes())?;
    Ok(())
}

pub(crate) fn completions(shell: Shell) -> anyhow::Result<()> {
    // Made in memory first, so that a closed pipe is an error and not a panic.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "gbandit", &mut script);
    stdout().write_all(&script)?;
    Ok(())
}

pub(crate) fn pages(directory: &Path) -> anyhow::Result<()> {
    let place = || directory.display().to_string();
    std::fs::create_dir_all(directory).with_context(place)?;
    clap_mangen::generate_to(Args::command(), directory).with_context(place)?;
    writeln!(stdout(), "the manual pages are in {}", directory.display())?;
    Ok(())
}
