//! The opening of a report on this crate's experiments: the results in a paragraph, and the figures
//! to look at first. Every number comes from the report.

mod beyond;
mod changing;
mod paper;
mod team;
#[cfg(test)]
mod tests;

use crate::{change, experiments, frontier, teams};
use graph_bandit_lab::report::{Opening, Report, ReportRow, StudyReport};

/// The opening of a page; `None` if its results are not from this crate's experiments.
pub(crate) fn open(report: &Report) -> Option<Opening> {
    let beyond = || beyond::open(report).or_else(|| changing::open(report));
    team::open(report).or_else(|| paper::open(report)).or_else(beyond)
}

/// The full number of runs of one of this crate's experiments.
pub(crate) fn full_runs(study: &str) -> Option<u64> {
    let beyond = frontier::studies().into_iter().chain(change::studies()).chain(teams::studies());
    let mut shipped = experiments::studies().into_iter().chain(beyond);
    shipped.find(|shipped| shipped.name == study).map(|shipped| shipped.runs)
}

fn study<'a>(report: &'a Report, name: &str) -> Option<&'a StudyReport> {
    report.studies.iter().find(|study| study.name == name)
}

/// The agents on a case with their mean regret at the last step, least regret first.
fn ranking<'a>(study: &'a StudyReport, case: &str) -> Vec<(&'a ReportRow, f64)> {
    let of_case = study.shown_rows().filter(|row| row.case == case);
    let mut ranked: Vec<_> = of_case.filter_map(|row| Some((row, row.final_mean()?))).collect();
    ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
    ranked
}

/// The wanted figures that the report has.
fn existing(report: &Report, wanted: &[&str]) -> Vec<String> {
    let has = |wanted: &&&str| report.figure_ids().any(|id| id == **wanted);
    wanted.iter().filter(has).map(|&wanted| wanted.to_owned()).collect()
}
