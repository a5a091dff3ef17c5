//! The results of a finished campaign, read from its store block by block.

use super::{Block, Campaign, Row, Store};
use crate::error::LabError;
use crate::statistics::Moments;
use crate::study_file::{Case, StudyFile};
use crate::window::Window;
use graph_bandit::Preset;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// One cell in one window: regret over runs at every checkpoint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CurveStats {
    /// The steps of the checkpoints.
    pub t: Vec<u64>,
    /// Mean regret over runs.
    pub mean: Vec<f64>,
    /// Sample standard deviation over runs; absent with one run.
    pub sd: Vec<Option<f64>>,
    /// 95% interval of the mean; absent with one run.
    pub ci95: Vec<Option<(f64, f64)>>,
    /// Every run's regret at the last checkpoint, in order.
    #[serde(skip)]
    pub finals: Vec<f64>,
    /// Every run's regret at the last checkpoint in the first half of the steps, in order; zero
    /// without one.
    #[serde(skip)]
    pub halfway: Vec<f64>,
    /// Mean reward at the last checkpoint.
    pub reward_mean: f64,
    /// Mean number of legs at the last checkpoint.
    pub legs_mean: f64,
    /// Mean number of visits left of the last leg at the horizon.
    pub overshoot_mean: f64,
}

impl CurveStats {
    /// The moments of regret at the last checkpoint.
    pub fn last(&self) -> Moments {
        Moments::of(self.finals.iter().copied())
    }
}

/// All cells of a finished campaign.
#[derive(Debug)]
pub struct Results<'a> {
    /// What was carried out.
    pub campaign: &'a Campaign,
    /// Per cell, then per window of the campaign.
    pub stats: Vec<Vec<CurveStats>>,
}

impl<'a> Results<'a> {
    /// Reads all cells, on all threads of the current pool.
    ///
    /// # Errors
    /// When a block is missing or damaged.
    pub fn read(campaign: &'a Campaign, store: &Store) -> Result<Self, LabError> {
        let cells = (0..campaign.cells.len()).into_par_iter();
        let stats: Vec<_> = cells.map(|cell| read_cell(campaign, store, cell)).collect();
        Ok(Self { campaign, stats: stats.into_iter().collect::<Result<_, _>>()? })
    }

    /// One agent on one case of a study; `None` if it was not run or not measured in the window.
    pub fn get(
        &self,
        study: &StudyFile,
        case: &Case,
        agent: &str,
        preset: Preset,
        window: Window,
    ) -> Option<&CurveStats> {
        let cell = self.campaign.cell(study, case, agent, preset)?;
        self.stats[cell].get(self.campaign.place_of(window)?)
    }
}

/// Calls `see` with every row of a cell, in order.
///
/// # Errors
/// When a block is missing or damaged.
pub(crate) fn for_each_row(
    campaign: &Campaign,
    store: &Store,
    cell: usize,
    mut see: impl FnMut(u64, Row<'_>) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let checkpoints = campaign.cells[cell].checkpoints().len();
    for block in Block::of_cell(campaign, cell) {
        let numbers = store.get(block)?;
        let length = Row::length(checkpoints, campaign.windows.len());
        let rows = numbers.chunks_exact(length).map(|numbers| Row::new(numbers, checkpoints));
        for (run, row) in (block.first..).zip(rows) {
            see(run, row)?;
        }
    }
    Ok(())
}

/// Means and squares accumulated one run at a time (Welford). Of a run only its regret at the end
/// and halfway stays: claims compare these run by run.
struct Gathered {
    count: f64,
    mean: Vec<f64>,
    squares: Vec<f64>,
    reward: f64,
    legs: f64,
    overshoot: f64,
    finals: Vec<f64>,
    /// The number of the checkpoint halfway.
    half: Option<usize>,
    halfway: Vec<f64>,
}

impl Gathered {
    fn new(t: &[u64]) -> Self {
        let checkpoints = t.len();
        let half = t.last().and_then(|&last| t.iter().rposition(|&t| 2 * t <= last));
        Self {
            count: 0.0,
            mean: vec![0.0; checkpoints],
            squares: vec![0.0; checkpoints],
            reward: 0.0,
            legs: 0.0,
            overshoot: 0.0,
            finals: Vec::new(),
            half,
            halfway: Vec::new(),
        }
    }

    fn see(&mut self, row: Row<'_>, window: usize) {
        self.count += 1.0;
        for ((mean, squares), regret) in
            self.mean.iter_mut().zip(&mut self.squares).zip(row.regret(window))
        {
            let off = regret - *mean;
            *mean += off / self.count;
            *squares += off * (regret - *mean);
        }
        if let Some(last) = row.checkpoints().checked_sub(1) {
            let [regret, _, reward, legs] = row.point(window, last);
            self.finals.push(regret);
            self.halfway.push(self.half.map_or(0.0, |half| row.point(window, half)[0]));
            self.reward += reward;
            self.legs += legs;
        }
        self.overshoot += row.overshoot();
    }

    fn stats(self, t: Vec<u64>) -> CurveStats {
        let runs = self.finals.len();
        let moments = |(&mean, &squares): (&f64, &f64)| Moments {
            count: runs,
            mean,
            sd: (runs >= 2).then(|| (squares / (self.count - 1.0)).sqrt()),
        };
        let all: Vec<Moments> = self.mean.iter().zip(&self.squares).map(moments).collect();
        CurveStats {
            t,
            sd: all.iter().map(|moments| moments.sd).collect(),
            ci95: all.iter().map(Moments::ci95).collect(),
            mean: self.mean,
            finals: self.finals,
            halfway: self.halfway,
            reward_mean: self.reward / self.count,
            legs_mean: self.legs / self.count,
            overshoot_mean: self.overshoot / self.count,
        }
    }
}

fn read_cell(campaign: &Campaign, store: &Store, cell: usize) -> Result<Vec<CurveStats>, LabError> {
    let t = campaign.cells[cell].checkpoints();
    let mut gathered: Vec<Gathered> = campaign.windows.iter().map(|_| Gathered::new(&t)).collect();
    for_each_row(campaign, store, cell, |_, row| {
        for (window, gathered) in gathered.iter_mut().enumerate() {
            gathered.see(row, window);
        }
        Ok(())
    })?;
    Ok(gathered.into_iter().map(|gathered| gathered.stats(t.clone())).collect())
}
