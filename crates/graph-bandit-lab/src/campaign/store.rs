//! Finished runs on disk, in blocks: a campaign resumes from them, and shards hand them over.
//!
//! A block is written to a temporary file and renamed, so every file present is complete. A
//! campaign's plan lies beside the blocks; a store of another plan is refused.

use super::{Campaign, Row};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Runs per block: few enough to lose little, enough to write rarely.
const RUNS_PER_BLOCK: u64 = 20;

const PLAN: &str = "plan.json";
/// Where relative paths of the plan start. A file beside the plan, because it is not part of it.
const BASE: &str = "base";

/// Consecutive runs of one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// The number of the cell.
    pub cell: usize,
    /// The first run.
    pub first: u64,
    /// How many runs.
    pub runs: u64,
}

impl Block {
    /// All blocks of a campaign, in order.
    pub fn all(campaign: &Campaign) -> Vec<Self> {
        (0..campaign.cells.len()).flat_map(|cell| Self::of_cell(campaign, cell)).collect()
    }

    /// The blocks of one cell, in order.
    pub fn of_cell(campaign: &Campaign, cell: usize) -> impl Iterator<Item = Self> + use<> {
        let runs = campaign.cells[cell].runs;
        (0..runs.div_ceil(RUNS_PER_BLOCK)).map(move |i| {
            let first = i * RUNS_PER_BLOCK;
            Self { cell, first, runs: RUNS_PER_BLOCK.min(runs - first) }
        })
    }

    fn file(self) -> String {
        format!("cell{:04}-run{:07}.bin", self.cell, self.first)
    }
}

/// Why a store cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Reading or writing failed.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The store holds runs of another study.
    #[error("{}: it holds runs of another study, other settings or another version", .0.display())]
    OtherPlan(PathBuf),
    /// A block is not as long as it must be.
    #[error("{}: the file is damaged ({found} bytes instead of {expected}); delete it and resume",
        path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Its length.
        found: usize,
        /// The length it must have.
        expected: usize,
    },
}

/// A directory of blocks.
#[derive(Debug, Clone)]
pub struct Store {
    directory: PathBuf,
}

impl Store {
    /// Opens the store in `directory` for a campaign; creates it if absent.
    ///
    /// # Errors
    /// When it holds another campaign, or cannot be read or created.
    pub fn open(directory: &Path, campaign: &Campaign) -> Result<Self, StoreError> {
        let store = Self { directory: directory.to_owned() };
        let plan = plan_text(campaign);
        match store.plan()? {
            Some(found) if found == plan => {}
            Some(_) => return Err(StoreError::OtherPlan(directory.to_owned())),
            None => {
                fs::create_dir_all(directory).map_err(|cause| store.error("", cause))?;
                // Absolute, so that parts can be merged from anywhere.
                let base = std::path::absolute(&campaign.base).unwrap_or(campaign.base.clone());
                store.write(BASE, base.as_os_str().as_encoded_bytes())?;
                store.write(PLAN, plan.as_bytes())?;
            }
        }
        Ok(store)
    }

    /// Whether a directory holds only what a store holds, so that it may be removed: other programs
    /// also use directories of that name.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn is_at(directory: &Path) -> Result<bool, StoreError> {
        let files = files_of(directory)?;
        Ok(!files.is_empty() && files.iter().all(|file| is_ours(file)))
    }

    /// Empties the store at `directory`: without plan and runs, any campaign can open it.
    ///
    /// # Errors
    /// When removing or writing fails.
    pub fn clear(directory: &Path) -> Result<(), StoreError> {
        let store = Self { directory: directory.to_owned() };
        fs::create_dir_all(directory).map_err(|cause| store.error("", cause))?;
        // Stays until the next campaign writes its own: it marks the directory as a store.
        store.write(BASE, b"")?;
        for path in files_of(directory)? {
            if path.file_name() != Some(BASE.as_ref()) {
                fs::remove_file(&path).map_err(|cause| StoreError::Io { path, cause })?;
            }
        }
        Ok(())
    }

    /// The campaign whose runs are in `directory`.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn campaign(directory: &Path) -> Result<Campaign, StoreError> {
        let store = Self { directory: directory.to_owned() };
        let plan = Self::stored(directory)?.ok_or_else(|| {
            store.error(PLAN, io::Error::new(io::ErrorKind::NotFound, "there are no runs here"))
        })?;
        let mut campaign: Campaign =
            serde_json::from_value(plan).map_err(|cause| store.error(PLAN, cause.into()))?;
        let base = fs::read_to_string(directory.join(BASE));
        campaign.base = base.map_err(|cause| store.error(BASE, cause))?.into();
        Ok(campaign)
    }

    /// The plan of the campaign whose runs are in `directory`, as written.
    ///
    /// # Errors
    /// When it exists but cannot be read.
    pub(crate) fn stored(directory: &Path) -> Result<Option<serde_json::Value>, StoreError> {
        let store = Self { directory: directory.to_owned() };
        let read = |plan: String| serde_json::from_str(&plan);
        store.plan()?.map(read).transpose().map_err(|cause| store.error(PLAN, cause.into()))
    }

    /// Copies a block from another store of the same campaign.
    ///
    /// # Errors
    /// When reading or writing fails.
    pub fn copy(&self, block: Block, from: &Self) -> Result<(), StoreError> {
        let file = block.file();
        let bytes =
            fs::read(from.directory.join(&file)).map_err(|cause| from.error(&file, cause))?;
        self.write(&file, &bytes)
    }

    fn plan(&self) -> Result<Option<String>, StoreError> {
        match fs::read_to_string(self.directory.join(PLAN)) {
            Ok(plan) => Ok(Some(plan)),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(self.error(PLAN, cause)),
        }
    }

    /// Whether a block exists.
    pub fn has(&self, block: Block) -> bool {
        self.directory.join(block.file()).exists()
    }

    /// Stores the rows of a block.
    ///
    /// # Errors
    /// When writing fails; nothing half-written stays.
    pub fn put(&self, block: Block, numbers: &[f64]) -> Result<(), StoreError> {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.write(&block.file(), &bytes)
    }

    /// The numbers of a block, row by row.
    ///
    /// # Errors
    /// When it cannot be read or is damaged.
    pub fn get(&self, block: Block, campaign: &Campaign) -> Result<Vec<f64>, StoreError> {
        let file = block.file();
        let path = self.directory.join(&file);
        let bytes = fs::read(&path).map_err(|cause| self.error(&file, cause))?;
        let checkpoints = campaign.cells[block.cell].checkpoints().len();
        let length = Row::length(checkpoints, campaign.windows.len());
        let expected = length * block.runs as usize * 8;
        if bytes.len() != expected {
            return Err(StoreError::Damaged { path, found: bytes.len(), expected });
        }
        let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().unwrap_or_default());
        Ok(bytes.chunks_exact(8).map(number).collect())
    }

    /// Removes the store with everything in it.
    ///
    /// # Errors
    /// When removing fails.
    pub fn remove(self) -> Result<(), StoreError> {
        fs::remove_dir_all(&self.directory).map_err(|cause| self.error("", cause))
    }

    fn write(&self, file: &str, bytes: &[u8]) -> Result<(), StoreError> {
        write_aside(&self.directory.join(file), bytes).map_err(|cause| self.error(file, cause))
    }

    fn error(&self, file: &str, cause: io::Error) -> StoreError {
        StoreError::Io { path: self.directory.join(file), cause }
    }
}

/// The files of a directory; none if it does not exist.
fn files_of(directory: &Path) -> Result<Vec<PathBuf>, StoreError> {
    use io::ErrorKind::{NotADirectory, NotFound};
    let files = fs::read_dir(directory)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>());
    match files {
        Ok(files) => Ok(files),
        Err(cause) if [NotFound, NotADirectory].contains(&cause.kind()) => Ok(Vec::new()),
        Err(cause) => Err(StoreError::Io { path: directory.to_owned(), cause }),
    }
}

/// Whether a file has the name of a store's file, finished or not.
fn is_ours(file: &Path) -> bool {
    let Some(name) = file.file_name().and_then(|name| name.to_str()) else { return false };
    let name = name.strip_suffix(".part").unwrap_or(name);
    let block = name.strip_prefix("cell").and_then(|rest| rest.strip_suffix(".bin"));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_block = |(cell, run): (&str, &str)| is_number(cell) && is_number(run);
    [PLAN, BASE].contains(&name)
        || block.and_then(|numbers| numbers.split_once("-run")).is_some_and(is_block)
}

fn plan_text(campaign: &Campaign) -> String {
    serde_json::to_string_pretty(campaign).unwrap_or_default() + "\n"
}

/// Writes a temporary file and moves it into place: complete or not at all.
pub(crate) fn write_aside(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut aside = path.as_os_str().to_owned();
    aside.push(".part");
    let written = fs::File::create(&aside)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_data()))
        .and_then(|()| fs::rename(&aside, path));
    if written.is_err() {
        // An unfinished file must not stay; the first error is the one to report.
        let _ = fs::remove_file(&aside);
    }
    written
}
