//! Runs the paper's experiments and prints the ledger of its claims as a table in Markdown.
//!
//! `cargo run --release -p graph-bandit-lab --example ledger -- [RUNS] [DIRECTORY]`, 20 runs unless
//! said. Runs are kept in the directory, so that a second call only judges; without one they go
//! into a temporary one.

use graph_bandit::{Preset, Window};
use graph_bandit_lab::campaign::{Campaign, Presets, Progress, Results, Shard, Store, execute};
use graph_bandit_lab::claims::{ClaimReport, judge, judge_run_times};
use graph_bandit_lab::study::Jobs;
use graph_bandit_lab::study_file::StudyFile;
use graph_bandit_lab::{experiments, timing};
use std::env;
use std::error::Error;
use std::fmt::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Says on the error stream how far it is, every so many runs.
struct Lines(AtomicU64);

impl Progress for Lines {
    fn begin(&self, done: u64, of: u64) {
        eprintln!("{done} of {of} runs are there");
    }

    fn tick(&self) {
        let made = 1 + self.0.fetch_add(1, Ordering::Relaxed);
        if made.is_multiple_of(1_000) {
            eprintln!("{made} runs made");
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let runs = arguments.next().map_or(Ok(20), |runs| runs.parse())?;
    let kept = arguments.next().map(PathBuf::from);
    let directory = match &kept {
        Some(directory) => directory.clone(),
        None => env::temp_dir().join(format!("graph-bandit-ledger-{}", std::process::id())),
    };
    let studies = experiments::paper().into_iter().map(|study| StudyFile { runs, ..study });
    let campaign = Campaign::new(studies.collect(), Presets::Both, PathBuf::new())?;
    let store = Store::open(&directory, &campaign)?;
    let (progress, never) = (Lines(AtomicU64::new(0)), AtomicBool::new(false));
    execute(&campaign, &store, Shard::WHOLE, Jobs::All, &progress, &never)?;
    let mut reports = judge(&Results::read(&campaign, &store)?);
    let timings = timing::measure(&campaign, &never)?;
    reports.extend(judge_run_times(&timings));
    if kept.is_none() {
        store.remove()?;
    }
    print!("{}", markdown(&reports)?);
    Ok(())
}

fn markdown(reports: &[ClaimReport]) -> Result<String, fmt::Error> {
    let cells = [
        (Preset::Paper, Window::First, "paper, first"),
        (Preset::Paper, Window::Last, "paper, last"),
        (Preset::Program, Window::First, "program, first"),
        (Preset::Program, Window::Last, "program, last"),
    ];
    let judged = |report: &ClaimReport, (preset, window, _): (Preset, Window, &str)| {
        report
            .judgements
            .iter()
            .find(|judged| judged.preset == preset && judged.window.is_none_or(|w| w == window))
            .cloned()
    };
    let mut text = String::from("| claim | place |");
    for (_, _, name) in cells {
        write!(text, " {name} |")?;
    }
    text += "\n|---|---|---|---|---|---|\n";
    for report in reports {
        write!(text, "| {} | {} |", report.id, report.place)?;
        for cell in cells {
            let verdict = judged(report, cell).map_or("-".to_owned(), |j| j.verdict.to_string());
            write!(text, " {verdict} |")?;
        }
        text += "\n";
    }
    for report in reports {
        write!(text, "\n### {}\n\n> {}\n\n", report.id, report.sentence)?;
        write!(text, "{}. Test: {}\n\n", report.place, report.test)?;
        for cell in cells {
            if let Some(judged) = judged(report, cell) {
                writeln!(text, "- {}: **{}**. {}", cell.2, judged.verdict, judged.figures)?;
            }
        }
        write!(text, "\n{}\n", report.explanation)?;
    }
    Ok(text)
}
