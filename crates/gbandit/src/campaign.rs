//! `gbandit reproduce`, `study`, `merge` and `plot`: campaigns in result directories.

use crate::args::{CampaignArgs, MergeArgs, PlotArgs, ReproduceArgs, StudyArgs};
use crate::campaign_progress::CampaignProgress;
use crate::comparison::comparisons;
use crate::progress::{tell, warn};
use graph_bandit_lab::campaign::{Campaign, Cell, End, Presets, Shard, execute};
use graph_bandit_lab::output::{
    Joined, Mode, Start, finish, merge as join, redraw, start, summary,
};
use graph_bandit_lab::study_file::{Overrides, StudyFile};
use graph_bandit_lab::{Jobs, LabError, Study, Window};
use graph_bandit_paper::{LAST, LEDGER, change, experiments, frontier, teams};
use std::fmt;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs of `--quick`: enough to see the shape of the curves.
const QUICK_RUNS: u64 = 10;
/// Steps of all runs of an agent on a case in `--quick` with `--frontier`, `--change` or
/// `--teams`; there one run may have a million.
const QUICK_STEPS: u64 = 60_000;
/// The fewest runs of `--quick` with `--teams`: claims need a spread, which one run does not have.
const QUICK_TEAM_RUNS: u64 = 2;

/// The user stopped the campaign; everything finished so far is on disk.
#[derive(Debug)]
pub(crate) struct Interrupted {
    directory: PathBuf,
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let directory = self.directory.display();
        write!(f, "interrupted; finished runs are in {directory}; continue with --resume")
    }
}

impl std::error::Error for Interrupted {}

pub(crate) fn reproduce(args: &ReproduceArgs) -> anyhow::Result<()> {
    // Claims are judged in both windows.
    let both = vec![Window::FIRST, LAST];
    // The authors' program has only the paper's agents. The last window needs means that do not
    // change, and a walker alone.
    let (mut studies, presets, windows, of) = match (args.frontier, args.change, args.teams) {
        (true, _, _) => (frontier::studies(), Presets::Own, both, "-frontier"),
        (_, true, _) => (change::studies(), Presets::Own, Vec::new(), "-change"),
        (_, _, true) => (teams::studies(), Presets::Own, Vec::new(), "-teams"),
        (false, false, false) => (experiments::studies(), Presets::Both, both, ""),
    };
    let out = format!("report{of}{}", if args.quick { "-quick" } else { "" });
    if !args.only.is_empty() {
        let known: Vec<String> = studies.iter().map(|study| study.name.clone()).collect();
        if let Some(unknown) = args.only.iter().find(|name| !known.contains(name)) {
            let reason = format!(
                "there is no experiment {unknown:?}; the experiments are {}",
                known.join(", ")
            );
            return Err(LabError::setting("only", reason).into());
        }
        studies.retain(|study| args.only.contains(&study.name));
    }
    if args.quick {
        for study in &mut studies {
            let is_long = args.frontier || args.change || args.teams;
            let fewest = if args.teams { QUICK_TEAM_RUNS } else { 1 };
            shorten(study, |steps| if is_long { quick_runs(steps, fewest) } else { QUICK_RUNS });
        }
    }
    let work = Work { studies, presets, windows, base: PathBuf::new(), out };
    carry_out(work, &args.campaign)
}

/// The runs of an agent on a long case in `--quick`.
fn quick_runs(steps: u64, fewest: u64) -> u64 {
    (QUICK_STEPS / steps).clamp(fewest, QUICK_RUNS)
}

/// Limits the runs of each case to what its steps allow.
fn shorten(study: &mut StudyFile, most: impl Fn(u64) -> u64) {
    for case in study.cases.iter_mut().filter(|case| case.runs.is_some() || case.steps.is_some()) {
        let runs = case.runs.unwrap_or(study.runs);
        case.runs = Some(runs.min(most(case.steps.unwrap_or(study.steps))));
    }
    study.runs = study.runs.min(most(study.steps));
}

pub(crate) fn study(args: &StudyArgs) -> anyhow::Result<()> {
    let study = StudyFile::read(&args.file).map_err(LabError::from)?;
    let base = args.file.parent().map(Path::to_owned).unwrap_or_default();
    let out = format!("report-{}", study.name);
    let (studies, windows) = (vec![study], Vec::new());
    let work = Work { studies, presets: Presets::Own, windows, base, out };
    let done = carry_out(work, &args.campaign);
    done.map_err(|error| match error.downcast::<LabError>() {
        Ok(error) => error.in_file(&args.file).into(),
        Err(other) => other,
    })
}

/// What to run if no flag says otherwise.
struct Work {
    studies: Vec<StudyFile>,
    presets: Presets,
    /// Windows to measure in addition to those of the studies.
    windows: Vec<Window>,
    /// The directory that relative paths in the studies start from.
    base: PathBuf,
    /// Where the results go.
    out: String,
}

fn carry_out(work: Work, args: &CampaignArgs) -> anyhow::Result<()> {
    let Work { mut studies, presets, windows, base, out } = work;
    let out = args.out.clone().unwrap_or(PathBuf::from(out));
    let CampaignArgs { runs, seed, preset, window, .. } = *args;
    let overrides = Overrides { runs, seed, preset, window };
    for study in &mut studies {
        overrides.apply(study);
    }
    let mut campaign = Campaign::new(studies, presets, base)?;
    campaign.measure_in(&windows);
    let mode = match (args.resume, args.force) {
        (_, true) => Mode::Force,
        (true, _) => Mode::Resume,
        _ => Mode::New,
    };
    let store = match start(&out, &mut campaign, mode)? {
        Start::Run(store, repairs) => {
            for line in &repairs {
                tell(line);
            }
            store
        }
        Start::Redraw(repair) => {
            tell(&repair);
            redraw(&out, Some(&LEDGER), Jobs::from_flag(args.jobs))?;
            return tell_page(&out, "is complete");
        }
        Start::AlreadyComplete => return tell_page(&out, "already holds this result"),
    };
    warn(&studies_of_cells(&campaign));
    let shard = args.shard.unwrap_or(Shard::ALL);
    let progress = CampaignProgress::default();
    let stop = stop_on_interrupt()?;
    let jobs = Jobs::from_flag(args.jobs);
    let end = execute(&campaign, &store, shard, jobs, &progress, &stop);
    progress.finish();
    if end? == End::Interrupted {
        return Err(Interrupted { directory: out }.into());
    }
    if shard != Shard::ALL {
        let Shard { part, of } = shard;
        let directory = out.display();
        writeln!(
            stdout(),
            "part {part} of {of} is in {directory}; join the parts with gbandit merge"
        )?;
        return Ok(());
    }
    tell("making tables, figures and the page");
    if finish(&out, &campaign, store, Some(&LEDGER), jobs, &stop)? == End::Interrupted {
        return Err(Interrupted { directory: out }.into());
    }
    warn_of_windows(&campaign.windows);
    tell_page(&out, "is complete")
}

/// Averages of the tables must not mix windows.
fn warn_of_windows(windows: &[Window]) {
    if windows.len() > 1 {
        let names: Vec<&str> = windows.iter().map(|window| window.name()).collect();
        tell(&format!(
            "curves.parquet and runs.parquet have rows of windows {}; choose one by the column `window` \
             before you average",
            names.join(" and ")
        ));
    }
}

/// The runs of every agent on every case. Cells that cannot be prepared are refused at their turn.
fn studies_of_cells(campaign: &Campaign) -> Vec<Study> {
    let prepare = |cell: &Cell| cell.prepare(&campaign.base, &campaign.graphs).ok();
    campaign.cells.iter().filter_map(prepare).collect()
}

fn tell_page(out: &Path, state: &str) -> anyhow::Result<()> {
    let page = out.join("index.html");
    let mut to = stdout().lock();
    write!(to, "{}", comparisons(&summary(out)?))?;
    writeln!(to, "{} {state}; open {}", out.display(), page.display())?;
    Ok(())
}

/// A flag that the first Ctrl-C sets; the second ends the program at once.
fn stop_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(crate::exit::INTERRUPTED));
        }
        tell("stopping; finished runs are kept. Press Ctrl-C again to stop at once");
    })?;
    Ok(stop)
}

pub(crate) fn merge(args: &MergeArgs) -> anyhow::Result<()> {
    let mode = if args.force { Mode::Force } else { Mode::Resume };
    let out = (args.out.as_path(), mode);
    match join(&args.parts, out, Some(&LEDGER), Jobs::All, &AtomicBool::new(false))? {
        Joined::Before => tell_page(&args.out, "already holds this result"),
        _ => tell_page(&args.out, "is complete"),
    }
}

pub(crate) fn plot(args: &PlotArgs) -> anyhow::Result<()> {
    redraw(&args.directory, Some(&LEDGER), Jobs::All)?;
    tell_page(&args.directory, "is redrawn")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quick_look_has_fewer_runs_of_long_cases() {
        let mut study = frontier::studies().swap_remove(3);
        study.runs = 40;
        study.cases.truncate(4);
        let settings =
            [(None, None), (Some(1_000), Some(5)), (Some(1_000_000), Some(8)), (None, Some(90))];
        for (case, (steps, runs)) in study.cases.iter_mut().zip(settings) {
            (case.steps, case.runs) = (steps, runs);
        }
        shorten(&mut study, |steps| quick_runs(steps, 1));
        assert_eq!((study.steps, study.runs), (20_000, 3));
        let runs: Vec<Option<u64>> = study.cases.iter().map(|case| case.runs).collect();
        assert_eq!(runs, [None, Some(5), Some(1), Some(3)]);
    }

    /// One run has no spread, so no claim could be judged.
    #[test]
    fn a_quick_look_at_teams_has_two_runs_of_everything() {
        for mut study in teams::studies() {
            shorten(&mut study, |steps| quick_runs(steps, QUICK_TEAM_RUNS));
            let least = study.cases.iter().filter_map(|case| case.runs).min();
            assert!(study.runs >= 2 && least.is_none_or(|runs| runs >= 2), "{}", study.name);
            assert!(study.runs <= QUICK_RUNS);
        }
    }
}
