//! From finished runs to a complete result directory.

use super::manifest::Manifest;
use super::names::{
    CURVES_TABLE, FIGURES, MANIFEST, PAGE, RUNS_TABLE, STAGING, STUDIES, SUMMARY, TIMINGS,
};
use crate::campaign::{Campaign, End, Results, Store, write_aside, write_tables};
use crate::error::LabError;
use crate::jobs::{Jobs, in_pool};
use crate::report::{Ledger, Report, draw};
use crate::timing::{TimedCell, measure};
use graph_bandit_figures::Figure;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Everything in a complete result, besides the manifest.
pub(super) const PRODUCTS: [&str; 7] =
    [STUDIES, CURVES_TABLE, RUNS_TABLE, SUMMARY, FIGURES, TIMINGS, PAGE];

/// Completes the result directory: tables, summary, figures, measured times, page, manifest.
/// Everything is made in a staging directory and moved in at the end, unless `stop` is set by then.
/// Then the stored runs are removed. A ledger adds its claims to summary and page. The result does
/// not depend on the number of threads.
///
/// # Errors
/// When anything cannot be read or written; the stored runs then stay, and
/// [`Mode::Resume`](super::Mode) tries again.
pub fn finish(
    directory: &Path,
    campaign: &Campaign,
    store: Store,
    ledger: Option<&Ledger>,
    jobs: Jobs,
    stop: &AtomicBool,
) -> Result<End, LabError> {
    in_pool(jobs.threads(), || complete(directory, campaign, store, ledger, stop))?
}

/// Completes the result directory on the threads of the current pool.
fn complete(
    directory: &Path,
    campaign: &Campaign,
    store: Store,
    ledger: Option<&Ledger>,
    stop: &AtomicBool,
) -> Result<End, LabError> {
    let staging = directory.join(STAGING);
    if staging.exists() {
        fs::remove_dir_all(&staging).map_err(|cause| failed(&staging, &cause))?;
    }
    for part in [STUDIES, FIGURES] {
        let part = staging.join(part);
        fs::create_dir_all(&part).map_err(|cause| failed(&part, &cause))?;
    }
    for study in &campaign.studies {
        let path = staging.join(STUDIES).join(format!("{}.toml", study.name));
        let text = toml::to_string(study).map_err(|cause| LabError::Study {
            study: study.name.clone(),
            reason: cause.to_string(),
        })?;
        write(&path, text.as_bytes())?;
    }
    let table = |name: &str| {
        let path = staging.join(name);
        fs::File::create(&path).map(io::BufWriter::new).map_err(|cause| failed(&path, &cause))
    };
    let (curves, runs) = (table(CURVES_TABLE)?, table(RUNS_TABLE)?);
    let (tables, reported) = rayon::join(
        || write_tables(campaign, &store, curves, runs),
        || report_into(&staging, campaign, &store, ledger),
    );
    tables?;
    let (report, figures) = reported?;
    // After everything else, so that nothing disturbs the measurement.
    let timings = measure(campaign, stop)?;
    write_json(&staging.join(TIMINGS), &timings)?;
    draw_into(&staging, (&report, ledger), &figures, &timings)?;
    if stop.load(Ordering::Relaxed) {
        return Ok(End::Interrupted);
    }
    move_in(&staging, directory)?;
    write_json(&directory.join(MANIFEST), &Manifest::of(campaign))?;
    store.remove()?;
    Ok(End::Complete)
}

/// Writes the summary and the data of the figures.
fn report_into(
    staging: &Path,
    campaign: &Campaign,
    store: &Store,
    ledger: Option<&Ledger>,
) -> Result<(Report, Vec<Figure>), LabError> {
    let results = Results::read(campaign, store)?;
    let (report, figures) = Report::of(&results, store, ledger)?;
    write_json(&staging.join(SUMMARY), &report)?;
    for figure in &figures {
        write_json(&staging.join(FIGURES).join(format!("{}.json", figure.id)), figure)?;
    }
    Ok((report, figures))
}

/// The summary of a complete result.
///
/// # Errors
/// When the directory does not hold one, or it cannot be read.
pub fn summary(directory: &Path) -> Result<Report, LabError> {
    read_json(&directory.join(SUMMARY))
}

/// Draws the figures and the page of a complete result again, from its own files and the ledger it
/// was made with.
///
/// # Errors
/// When the directory does not hold a complete result, or cannot be written.
pub fn redraw(directory: &Path, ledger: Option<&Ledger>, jobs: Jobs) -> Result<(), LabError> {
    if Manifest::read(directory)?.is_none() {
        let reason =
            format!("{} does not hold a complete result; nothing to draw", directory.display());
        return Err(LabError::Store { reason });
    }
    let report = summary(directory)?;
    let timings: Vec<TimedCell> = read_json(&directory.join(TIMINGS))?;
    let figures = report
        .figure_ids()
        .map(|id| read_json(&directory.join(FIGURES).join(format!("{id}.json"))));
    let figures: Vec<Figure> = figures.collect::<Result<_, _>>()?;
    in_pool(jobs.threads(), || draw_into(directory, (&report, ledger), &figures, &timings))?
}

fn draw_into(
    directory: &Path,
    report: (&Report, Option<&Ledger>),
    figures: &[Figure],
    timings: &[TimedCell],
) -> Result<(), LabError> {
    let drawn = draw(report, figures, timings)?;
    for (name, bytes) in drawn.figures {
        write(&directory.join(FIGURES).join(name), &bytes)?;
    }
    write(&directory.join(PAGE), drawn.page.as_bytes())
}

/// Moves all products to their places.
fn move_in(staging: &Path, directory: &Path) -> Result<(), LabError> {
    for name in PRODUCTS {
        let (from, to) = (staging.join(name), directory.join(name));
        if to.is_dir() {
            fs::remove_dir_all(&to).map_err(|cause| failed(&to, &cause))?;
        }
        fs::rename(&from, &to).map_err(|cause| failed(&to, &cause))?;
    }
    fs::remove_dir(staging).map_err(|cause| failed(staging, &cause))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), LabError> {
    write_aside(path, bytes).map_err(|cause| failed(path, &cause))
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<(), LabError> {
    let text = serde_json::to_string(value).map_err(|cause| failed(path, &cause.into()))?;
    write(path, (text + "\n").as_bytes())
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, LabError> {
    let text = fs::read_to_string(path).map_err(|cause| failed(path, &cause))?;
    serde_json::from_str(&text).map_err(|cause| failed(path, &cause.into()))
}

fn failed(path: &Path, cause: &io::Error) -> LabError {
    LabError::Store { reason: format!("{}: {cause}", path.display()) }
}
