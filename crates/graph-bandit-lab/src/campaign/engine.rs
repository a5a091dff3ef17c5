//! Carries out a campaign: all blocks that are not yet in the store, on all cores.

use super::{Block, Campaign, Row, Store, StoreError};
use crate::error::LabError;
use crate::jobs::{Jobs, Stop, in_pool};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// Which part of a campaign to carry out: every `of`-th block, starting with `part` (from 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// This part, from 1.
    pub part: usize,
    /// How many parts there are.
    pub of: usize,
}

impl Shard {
    /// The whole campaign.
    pub const ALL: Self = Self { part: 1, of: 1 };

    /// The blocks of this part.
    pub fn blocks(self, campaign: &Campaign) -> Vec<Block> {
        Block::all(campaign).into_iter().skip(self.part - 1).step_by(self.of).collect()
    }
}

/// How a campaign ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Everything is in the store.
    Complete,
    /// It was asked to stop; finished runs are in the store.
    Interrupted,
}

/// Receives the progress of a campaign.
pub trait Progress: Sync {
    /// `done` of `of` runs are already in the store.
    fn begin(&self, done: u64, of: u64);
    /// One more run is finished.
    fn tick(&self);
}

impl Progress for () {
    fn begin(&self, _done: u64, _of: u64) {}
    fn tick(&self) {}
}

/// Makes all runs of a shard that the store does not hold yet, until `stop` is set.
///
/// # Errors
/// When a run fails or the store cannot be written; finished runs stay.
pub fn execute(
    campaign: &Campaign,
    store: &Store,
    shard: Shard,
    jobs: Jobs,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<End, LabError> {
    let blocks = shard.blocks(campaign);
    let (done, missing): (Vec<Block>, Vec<Block>) =
        blocks.into_iter().partition(|&block| store.has(block));
    let runs = |blocks: &[Block]| blocks.iter().map(|block| block.runs).sum::<u64>();
    progress.begin(runs(&done), runs(&done) + runs(&missing));
    let carry_out = |&block: &Block| {
        if stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        let study = campaign.cells[block.cell].prepare(&campaign.base, &campaign.graphs)?;
        let mut numbers = Vec::new();
        for run in block.first..block.first + block.runs {
            let stop = Stop::when(stop);
            match study.records_in(&campaign.windows, &study.agents[0], run, &stop) {
                Ok(records) => Row::push(&mut numbers, &records),
                Err(LabError::Interrupted) => return Ok(()),
                Err(other) => return Err(other),
            }
            progress.tick();
        }
        store.put(block, &numbers).map_err(LabError::from)
    };
    let threads = jobs.threads().min(missing.len()).max(1);
    // Blocks may differ a lot in length: a thread takes one at a time.
    in_pool(threads, || missing.par_iter().with_max_len(1).try_for_each(carry_out))??;
    store.settle()?;
    let complete = missing.iter().all(|&block| store.has(block));
    Ok(if complete { End::Complete } else { End::Interrupted })
}

impl From<StoreError> for LabError {
    fn from(error: StoreError) -> Self {
        Self::Store { reason: error.to_string() }
    }
}
