//! Finished runs on disk, in blocks: a campaign resumes from them, and shards hand them over.
//!
//! A block is written to a temporary file and renamed. It ends with a seal, a checksum of the plan, its
//! name and its numbers, so runs that are damaged or belong to another plan are made again. A
//! campaign's plan lies beside the blocks; a store of another plan is refused.

use super::Campaign;
use crate::disk::{create_folder, sync_folder, write_aside};
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
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
    /// A block is not as it was written.
    #[error("{}: the file is damaged; resume its study, and its runs are made again", .0.display())]
    Damaged(PathBuf),
}

/// A checksum at the end of a block.
type Seal = [u8; 32];

/// A directory of blocks.
#[derive(Debug, Clone)]
pub struct Store {
    directory: PathBuf,
    /// A checksum of the plan.
    plan: Seal,
}

impl Store {
    /// Opens the store in `directory` for a campaign; creates it if absent.
    ///
    /// # Errors
    /// When it holds another campaign, or cannot be read or created.
    pub fn open(directory: &Path, campaign: &Campaign) -> Result<Self, StoreError> {
        let plan = plan_text(campaign);
        let store = Self { directory: directory.to_owned(), plan: Sha256::digest(&plan).into() };
        match plan_in(directory)? {
            Some(found) if found == plan.as_bytes() => {}
            // Beside runs of ours, or as the torn beginning of a store, it is damaged.
            Some(found)
                if !store.has_a_whole_block_of(campaign)
                    && (is_plan(&found) || has_blocks(directory)?) =>
            {
                return Err(StoreError::OtherPlan(directory.to_owned()));
            }
            _ => {
                create_folder(directory).map_err(|cause| failed(directory, cause))?;
                // Absolute, so that parts can be merged from anywhere.
                let base = std::path::absolute(&campaign.base).unwrap_or(campaign.base.clone());
                store.write(BASE, base.as_os_str().as_encoded_bytes())?;
                // A plan is never there without its base, not even after a power cut.
                store.settle()?;
                store.write(PLAN, plan.as_bytes())?;
                store.settle()?;
            }
        }
        Ok(store)
    }

    fn has_a_whole_block_of(&self, campaign: &Campaign) -> bool {
        Block::all(campaign).into_iter().any(|block| self.sealed(block).is_ok())
    }

    /// Removes the blocks that are not as they were written, and returns how many there were.
    ///
    /// # Errors
    /// When one cannot be read or removed.
    pub fn remove_damaged(&self, campaign: &Campaign) -> Result<usize, StoreError> {
        let mut removed = 0;
        for block in Block::all(campaign).into_iter().filter(|&block| self.has(block)) {
            match self.sealed(block) {
                Ok(_) => {}
                Err(StoreError::Damaged(path)) => {
                    fs::remove_file(&path).map_err(|cause| failed(&path, cause))?;
                    removed += 1;
                }
                Err(other) => return Err(other),
            }
        }
        Ok(removed)
    }

    /// Brings the names of all blocks to disk.
    pub(super) fn settle(&self) -> Result<(), StoreError> {
        sync_folder(&self.directory).map_err(|cause| failed(&self.directory, cause))
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
        create_folder(directory).map_err(|cause| failed(directory, cause))?;
        // Stays until the next campaign writes its own: it marks the directory as a store.
        let mark = directory.join(BASE);
        write_aside(&mark, b"")
            .and_then(|()| sync_folder(directory))
            .map_err(|cause| failed(&mark, cause))?;
        for path in files_of(directory)? {
            if path.file_name() != Some(BASE.as_ref()) {
                fs::remove_file(&path).map_err(|cause| failed(&path, cause))?;
            }
        }
        Ok(())
    }

    /// The campaign whose runs are in `directory`.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn campaign(directory: &Path) -> Result<Campaign, StoreError> {
        let (plan_file, base_file) = (directory.join(PLAN), directory.join(BASE));
        let plan = Self::stored(directory)?.ok_or_else(|| {
            failed(&plan_file, io::Error::new(io::ErrorKind::NotFound, "there are no runs here"))
        })?;
        let mut campaign: Campaign =
            serde_json::from_value(plan).map_err(|cause| failed(&plan_file, cause.into()))?;
        let base = fs::read_to_string(&base_file);
        campaign.base = base.map_err(|cause| failed(&base_file, cause))?.into();
        Ok(campaign)
    }

    /// The plan of the campaign whose runs are in `directory`, as written.
    ///
    /// # Errors
    /// When it exists but cannot be read.
    pub(crate) fn stored(directory: &Path) -> Result<Option<serde_json::Value>, StoreError> {
        let read = |plan: Vec<u8>| serde_json::from_slice(&plan);
        let plan = plan_in(directory)?.map(read).transpose();
        plan.map_err(|cause| failed(&directory.join(PLAN), cause.into()))
    }

    /// Copies a block from another store of the same campaign.
    ///
    /// # Errors
    /// When reading or writing fails, or the block is damaged.
    pub fn copy(&self, block: Block, from: &Self) -> Result<(), StoreError> {
        self.write(&block.file(), &from.sealed(block)?)
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
        let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        bytes.extend(self.seal(block, &bytes));
        self.write(&block.file(), &bytes)
    }

    fn seal(&self, block: Block, numbers: &[u8]) -> Seal {
        let hash = Sha256::new().chain_update(self.plan).chain_update(block.file());
        hash.chain_update(numbers).finalize().into()
    }

    /// A block with its seal, which fits.
    fn sealed(&self, block: Block) -> Result<Vec<u8>, StoreError> {
        let path = self.directory.join(block.file());
        let bytes = fs::read(&path).map_err(|cause| failed(&path, cause))?;
        match bytes.split_last_chunk::<{ size_of::<Seal>() }>() {
            Some((numbers, seal)) if *seal == self.seal(block, numbers) => Ok(bytes),
            _ => Err(StoreError::Damaged(path)),
        }
    }

    /// The numbers of a block, row by row.
    ///
    /// # Errors
    /// When it cannot be read or is damaged.
    pub fn get(&self, block: Block) -> Result<Vec<f64>, StoreError> {
        let bytes = self.sealed(block)?;
        let numbers = &bytes[..bytes.len() - size_of::<Seal>()];
        let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().unwrap_or_default());
        Ok(numbers.chunks_exact(8).map(number).collect())
    }

    /// Removes the store with everything in it.
    ///
    /// # Errors
    /// When removing fails.
    pub fn remove(self) -> Result<(), StoreError> {
        fs::remove_dir_all(&self.directory).map_err(|cause| failed(&self.directory, cause))
    }

    fn write(&self, file: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.directory.join(file);
        write_aside(&path, bytes).map_err(|cause| failed(&path, cause))
    }
}

/// The text of the plan in a directory, if there is one.
fn plan_in(directory: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    let path = directory.join(PLAN);
    match fs::read(&path) {
        Ok(plan) => Ok(Some(plan)),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(failed(&path, cause)),
    }
}

fn has_blocks(directory: &Path) -> Result<bool, StoreError> {
    Ok(files_of(directory)?.iter().any(|file| file.extension() == Some("bin".as_ref())))
}

fn is_plan(text: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Value>(text).is_ok_and(|plan| plan.is_object())
}

fn failed(path: &Path, cause: io::Error) -> StoreError {
    StoreError::Io { path: path.to_owned(), cause }
}

/// The files of a directory; none if it does not exist.
fn files_of(directory: &Path) -> Result<Vec<PathBuf>, StoreError> {
    use io::ErrorKind::{NotADirectory, NotFound};
    let files = fs::read_dir(directory)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>());
    match files {
        Ok(files) => Ok(files),
        Err(cause) if [NotFound, NotADirectory].contains(&cause.kind()) => Ok(Vec::new()),
        Err(cause) => Err(failed(directory, cause)),
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
