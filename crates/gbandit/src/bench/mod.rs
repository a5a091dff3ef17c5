//! `gbandit bench`: how fast gbandit is on this machine.

mod tables;

use crate::args::{BenchArgs, SectionArg};
use crate::called::Called;
use crate::progress;
use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use graph_bandit_bench::probe::Probe;
use graph_bandit_bench::stopwatch::Stopwatch;
use graph_bandit_bench::{Effort, Report, planning, runs, scale, studies, teams};
use indicatif::ProgressBar;
use std::fs::File;
use std::io::{Write, stdout};
use std::process::Stdio;

pub(crate) fn bench(args: &BenchArgs, called: &Called) -> Result<()> {
    if let Some(probe) = &args.probe {
        let probe: Probe = serde_json::from_str(probe)?;
        writeln!(stdout(), "{}", probe.carry_out()?)?;
        return Ok(());
    }
    // Opened first: a wrong path must fail before minutes of measuring.
    let file = args
        .out
        .as_ref()
        .map(|path| File::create(path).with_context(|| format!("cannot write {}", path.display())));
    let file = file.transpose()?;
    let report = measure(args, called)?;
    let json = serde_json::to_string(&report)?;
    if let Some(mut file) = file {
        writeln!(file, "{json}")?;
    }
    let mut out = stdout().lock();
    if args.json {
        writeln!(out, "{json}")?;
    } else {
        write!(out, "{}", tables::tables(&report))?;
    }
    Ok(())
}

fn measure(args: &BenchArgs, called: &Called) -> Result<Report> {
    let effort = if args.quick { Effort::Quick } else { Effort::Full };
    if let Some(directory) = &args.export {
        std::fs::create_dir_all(directory)
            .with_context(|| format!("cannot make {}", directory.display()))?;
    }
    let sections: Vec<SectionArg> = SectionArg::value_variants()
        .iter()
        .copied()
        .filter(|section| args.sections.is_empty() || args.sections.contains(section))
        .collect();
    let bar = progress::bar(
        sections.iter().map(|&section| measurements(section, effort)).sum(),
        "measurements",
    );
    let watch = Stopwatch::start();
    let mut report = Report::new(effort);
    let bench = Bench { args, called, bar: &bar };
    for section in sections {
        bench.measure(section, &mut report)?;
    }
    report.waited = watch.elapsed().share_waited();
    bar.finish_and_clear();
    Ok(report)
}

fn measurements(section: SectionArg, effort: Effort) -> u64 {
    match section {
        SectionArg::Runs => runs::measurements(effort),
        SectionArg::Planning => planning::measurements(effort),
        SectionArg::Scale => scale::measurements(effort),
        SectionArg::Studies => studies::measurements(effort),
        SectionArg::Teams => teams::measurements(effort),
    }
}

/// What every section needs to measure.
struct Bench<'a> {
    args: &'a BenchArgs,
    called: &'a Called,
    bar: &'a ProgressBar,
}

impl Bench<'_> {
    fn measure(&self, section: SectionArg, report: &mut Report) -> Result<()> {
        let effort = report.effort;
        let mut tick = || self.bar.inc(1);
        let launch = |probe: &Probe| launch(self.called, probe);
        match section {
            SectionArg::Runs => report.runs = Some(runs::measure(effort, &mut tick)?),
            SectionArg::Planning => {
                let planning = planning::measure(effort, &mut tick, &mut |problem| {
                    let directory = self.args.export.as_ref();
                    directory.map_or(Ok(()), |directory| planning::export(problem, directory))
                })?;
                report.planning = Some(planning);
            }
            SectionArg::Scale => report.scale = Some(scale::measure(effort, &mut tick, &launch)?),
            SectionArg::Studies => {
                report.studies = Some(studies::measure(effort, &mut tick, &launch)?);
            }
            SectionArg::Teams => report.teams = Some(teams::measure(effort, &mut tick)?),
        }
        Ok(())
    }
}

/// Carries out a probe in its own process: this program, called again.
fn launch(called: &Called, probe: &Probe) -> Result<String> {
    let mut program = called.again().context("cannot find this program to call it again")?;
    let output = program
        .args(["bench", "--probe", &serde_json::to_string(probe)?])
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot call this program again")?;
    ensure!(output.status.success(), "a measurement failed: {probe:?}");
    Ok(String::from_utf8(output.stdout)?)
}
