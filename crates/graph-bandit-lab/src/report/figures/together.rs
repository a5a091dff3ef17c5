//! Regret curves of all cases in one panel.

use super::{Source, always, curves, mean_curve};
use crate::campaign::agents;
use crate::error::LabError;
use crate::figure::Panel;
use crate::figure::palette::{Style, ramp};
use crate::figure_request::{FigureEntry, FigureRequest, Legend, Needs, Plot};
use crate::study_file::Case;

pub(super) static TOGETHER: FigureEntry = FigureEntry {
    kind: "together",
    summary: "One panel, a curve per case of the first agent.",
    options: &[],
    needs: Needs::Runs,
    check: always,
    draw,
};

fn draw(request: &FigureRequest, source: &Source<'_>) -> Result<Plot, LabError> {
    let cases: Vec<&Case> = request.shown(source.study).collect();
    let series = cases.iter().enumerate().filter_map(|(i, case)| {
        let stats = source.stats(case, agents(source.study, case).next()?)?;
        Some(mean_curve(case.title(), Style::solid(ramp(i, cases.len())), stats))
    });
    let panel = Panel::new("", curves("t", series.collect()));
    Ok(Plot { panels: vec![panel], legend: Legend::Common })
}
