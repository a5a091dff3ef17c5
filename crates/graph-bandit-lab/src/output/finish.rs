//! From finished runs to a complete result directory.

use super::manifest::Manifest;
use super::names::{CURVES_TABLE, FIGURES, PAGE, RUNS_TABLE, STAGING, STUDIES, SUMMARY, TIMINGS};
use super::written::{Files, failed, is_drawn, settle};
use crate::campaign::{Campaign, End, Results, Store, write_tables};
use crate::disk::{create_folder, sync_folder};
use crate::error::LabError;
use crate::jobs::{Jobs, in_pool};
use crate::report::{Ledger, Report, draw};
use crate::study_file::StudyFile;
use crate::timing::{TimedCell, measure};
use graph_bandit_figures::Figure;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Everything in a complete result, besides the manifest.
pub(super) const PRODUCTS: [&str; 7] =
    [STUDIES, CURVES_TABLE, RUNS_TABLE, SUMMARY, FIGURES, TIMINGS, PAGE];

/// Completes the result directory: tables, summary, figures, measured times, page, manifest.
/// Everything is made in a staging directory, brought to disk and moved in at the end, unless `stop`
/// is set by then. Then the stored runs are removed. A ledger adds its claims to summary and page. The result does
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
    let staging = stage(directory, &campaign.studies)?;
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
    let files = move_in(&staging, directory)?;
    Manifest::of(campaign, files).write(directory)?;
    store.remove()?;
    Ok(End::Complete)
}

/// A new staging directory with the studies.
fn stage(directory: &Path, studies: &[StudyFile]) -> Result<PathBuf, LabError> {
    let staging = directory.join(STAGING);
    if staging.exists() {
        fs::remove_dir_all(&staging).map_err(|cause| failed(&staging, &cause))?;
    }
    for part in [STUDIES, FIGURES] {
        let part = staging.join(part);
        fs::create_dir_all(&part).map_err(|cause| failed(&part, &cause))?;
    }
    for study in studies {
        write(&staging.join(file_of(study)), text_of(study)?.as_bytes())?;
    }
    Ok(staging)
}

/// Where a result keeps a study.
pub(super) fn file_of(study: &StudyFile) -> String {
    format!("{STUDIES}/{}.toml", study.name)
}

/// A study with every default spelled out.
pub(super) fn text_of(study: &StudyFile) -> Result<String, LabError> {
    toml::to_string(study)
        .map_err(|cause| LabError::Study { study: study.name.clone(), reason: cause.to_string() })
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
/// was made with, and writes its studies again.
///
/// # Errors
/// When the directory does not hold a complete result, or cannot be written.
pub fn redraw(directory: &Path, ledger: Option<&Ledger>, jobs: Jobs) -> Result<(), LabError> {
    let Some(mut manifest) = Manifest::read(directory)? else {
        let reason =
            format!("{} does not hold a complete result; nothing to draw", directory.display());
        return Err(LabError::Store { reason });
    };
    let Made { studies } = serde_json::from_value(manifest.spec.clone())
        .map_err(|cause| failed(directory, &cause.into()))?;
    let report = summary(directory)?;
    let timings: Vec<TimedCell> = read_json(&directory.join(TIMINGS))?;
    let figures = report
        .figure_ids()
        .map(|id| read_json(&directory.join(FIGURES).join(format!("{id}.json"))));
    let figures: Vec<Figure> = figures.collect::<Result<_, _>>()?;
    let staging = stage(directory, &studies)?;
    in_pool(jobs.threads(), || draw_into(&staging, (&report, ledger), &figures, &timings))??;
    manifest.files.retain(|file, _| !is_drawn(file));
    manifest.files.extend(move_in(&staging, directory)?);
    manifest.write(directory)
}

/// What a manifest says of the studies.
#[derive(Deserialize)]
struct Made {
    studies: Vec<StudyFile>,
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

/// Brings all staged files to disk, then to their places, and then their names to disk.
fn move_in(staging: &Path, directory: &Path) -> Result<Files, LabError> {
    let files = settle(staging)?;
    let folders = [STUDIES, FIGURES].map(|name| directory.join(name));
    for folder in &folders {
        create_folder(folder).map_err(|cause| failed(folder, &cause))?;
    }
    for name in files.keys() {
        let to = directory.join(name);
        fs::rename(staging.join(name), &to).map_err(|cause| failed(&to, &cause))?;
    }
    fs::remove_dir_all(staging).map_err(|cause| failed(staging, &cause))?;
    // The user may just have made the directory.
    let above = directory.parent().unwrap_or(directory);
    for folder in folders.iter().map(PathBuf::as_path).chain([directory, above]) {
        sync_folder(folder).map_err(|cause| failed(folder, &cause))?;
    }
    Ok(files)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), LabError> {
    fs::write(path, bytes).map_err(|cause| failed(path, &cause))
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<(), LabError> {
    let text = serde_json::to_string(value).map_err(|cause| failed(path, &cause.into()))?;
    write(path, (text + "\n").as_bytes())
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, LabError> {
    let text = fs::read_to_string(path).map_err(|cause| failed(path, &cause))?;
    serde_json::from_str(&text).map_err(|cause| failed(path, &cause.into()))
}
