//! The report: the results of a finished campaign as data, figures and one page.
//!
//! ```text
//! Results ─> Report (summary.json) + Figures (figures/*.json) ─> SVG, PNG, index.html
//! ```
//! The left part needs the runs; the right part needs only the files, so `gbandit plot` can draw
//! again without running.

mod comparison;
mod comparison_tables;
mod extent;
pub(crate) mod figures;
mod gallery;
mod ledger;
mod ledger_page;
mod number_tables;
mod opening;
mod page;
mod style;
#[cfg(test)]
mod tests;

pub use figures::Source;

pub use comparison::{AgentComparison, Comparison, ComparisonRow, Spread};
pub use ledger::{ClaimReport, Judgement, Ledger, Verdict, Wording};
pub use opening::{Opening, Sentence};

use crate::campaign::{CurveStats, Entry, Results, Store};
use crate::error::LabError;
use crate::figure_request::Needs;
use crate::study_file::StudyFile;
use crate::timing::TimedCell;
use crate::window::Window;
use graph_bandit::Preset;
use graph_bandit::run::RegretFrom;
use graph_bandit_figures::{Figure, Theme, draw_svg, render_png};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Pixels across a PNG figure.
const PNG_WIDTH: u32 = 1_600;

/// The results of a campaign, without figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The version that made it.
    pub version: String,
    /// The studies, in order.
    pub studies: Vec<StudyReport>,
    /// The verdicts of a ledger on these results.
    pub claims: Vec<ClaimReport>,
}

/// The results of one study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StudyReport {
    /// Its short name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Its place in the paper.
    pub place: String,
    /// What it shows.
    pub about: String,
    /// `T`.
    pub steps: u64,
    /// Runs per agent and case.
    pub runs: u64,
    /// Its seed.
    pub seed: u64,
    /// The text of its mean rewards.
    pub means: String,
    /// The text of the noise around them.
    pub noise: String,
    /// The preset of its figures.
    pub preset: Preset,
    /// The window of its figures.
    pub window: Window,
    /// The first step that counts; absent if it is the first after initialization, as in the paper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regret_from: Option<RegretFrom>,
    /// How many walkers there are and how they share, in words; absent if one walks alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// The ids of its figures.
    pub figures: Vec<String>,
    /// The caption of its figure of run times, which is drawn from measured times.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub run_times_caption: String,
    /// All agents against its baseline, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// Every agent on every case, in every preset and window.
    pub rows: Vec<ReportRow>,
}

/// One agent on one case in one preset and window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReportRow {
    /// The case's title.
    pub case: String,
    /// The agent.
    pub agent: String,
    /// The preset.
    pub preset: Preset,
    /// The window.
    pub window: Window,
    /// Regret over runs.
    pub stats: CurveStats,
}

impl StudyReport {
    /// A study without its rows, and its figures.
    fn of(
        results: &Results<'_>,
        store: &Store,
        study: &StudyFile,
    ) -> Result<(Self, Vec<Figure>), LabError> {
        let figures = figures::figures(results, store, study)?;
        let report = Self {
            name: study.name.clone(),
            title: study.title.clone(),
            place: study.place.clone(),
            about: study.about.clone(),
            steps: study.steps,
            runs: study.runs,
            seed: study.seed,
            means: study.means.clone(),
            noise: study.noise.clone(),
            preset: study.preset,
            window: study.window,
            regret_from: study.counts_from_start().then_some(RegretFrom::Start),
            team: study.teams_in_words(),
            figures: figures.iter().map(|figure| figure.id.clone()).collect(),
            run_times_caption: run_times_caption(study),
            comparison: Comparison::of(results, study),
            rows: Vec::new(),
        };
        Ok((report, figures))
    }

    /// The rows of the preset and window that the figures show.
    pub fn shown_rows(&self) -> impl Iterator<Item = &ReportRow> {
        self.rows.iter().filter(|row| row.preset == self.preset && row.window == self.window)
    }
}

impl ReportRow {
    /// Mean regret at the last step.
    pub fn final_mean(&self) -> Option<f64> {
        self.stats.mean.last().copied()
    }
}

impl Report {
    /// The results, and the figures that show them.
    ///
    /// # Errors
    /// When stored runs cannot be read.
    pub fn of(
        results: &Results<'_>,
        store: &Store,
        ledger: Option<&Ledger>,
    ) -> Result<(Self, Vec<Figure>), LabError> {
        let campaign = results.campaign;
        let of_study = |study| StudyReport::of(results, store, study);
        let made: Vec<_> = campaign.studies.par_iter().map(of_study).collect();
        let mut all_figures = Vec::new();
        let mut studies = Vec::new();
        for made in made {
            let (study, figures) = made?;
            studies.push(study);
            all_figures.extend(figures);
        }
        for Entry { study, case, preset, cell } in campaign.entries() {
            let windows = campaign.windows.iter().copied();
            let rows = windows.zip(&results.stats[cell]).map(|(window, stats)| {
                let agent = campaign.cells[cell].agent.clone();
                let case = case.title().to_owned();
                ReportRow { case, agent, preset, window, stats: stats.clone() }
            });
            if let Some(report) = studies.iter_mut().find(|report| report.name == study.name) {
                report.rows.extend(rows);
            }
        }
        let version = campaign.version.clone();
        let claims = ledger.map(|ledger| (ledger.judge)(results)).unwrap_or_default();
        Ok((Self { version, studies, claims }, all_figures))
    }

    /// The ids of all figures, in order.
    pub fn figure_ids(&self) -> impl Iterator<Item = &str> {
        self.studies.iter().flat_map(|study| study.figures.iter().map(String::as_str))
    }
}

fn run_times_caption(study: &StudyFile) -> String {
    let timed = study.figures.iter().find(|figure| figure.entry().needs == Needs::Times);
    timed.map(|figure| figure.caption.clone()).unwrap_or_default()
}

/// The rendered part of a result directory.
pub(crate) struct Rendered {
    /// File names and contents of the figures.
    pub(crate) figures: Vec<(String, Vec<u8>)>,
    /// The page.
    pub(crate) page: String,
}

/// Draws figures and page, on all threads of the current pool.
///
/// # Errors
/// When a figure cannot be rendered.
pub(crate) fn draw(
    (report, ledger): (&Report, Option<&Ledger>),
    figures: &[Figure],
    timings: &[TimedCell],
) -> Result<Rendered, LabError> {
    let timed = figures::run_times(report, timings);
    let files: Vec<_> = figures.par_iter().chain(&timed).map(files_of).collect();
    let files = files.into_iter().collect::<Result<Vec<_>, _>>()?;
    let timed_claim = ledger.and_then(|ledger| (ledger.judge_times)(timings));
    let page = page::Page::new((report, ledger), (figures, &timed), timed_claim.as_ref()).html();
    Ok(Rendered { figures: files.into_iter().flatten().collect(), page })
}

/// A figure as SVG and as PNG: file names and contents.
fn files_of(figure: &Figure) -> Result<[(String, Vec<u8>); 2], LabError> {
    let svg = draw_svg(figure, Theme::Light);
    let png = render_png(&svg, PNG_WIDTH)
        .map_err(|error| LabError::Store { reason: format!("figure {}: {error}", figure.id) })?;
    Ok([(format!("{}.svg", figure.id), svg.into_bytes()), (format!("{}.png", figure.id), png)])
}
