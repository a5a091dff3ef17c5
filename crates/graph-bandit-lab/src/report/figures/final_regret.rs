//! Regret at the last step against a number of each case.

use super::scales::SCALE;
use super::{Source, curves};
use crate::campaign::agents;
use crate::figure_request::{
    FigureEntry, FigureOption, FigureRequest, Legend, Needs, OptionKind, Plot,
};
use crate::study_file::StudyFile;
use graph_bandit_figures::palette::{Style, color_of};
use graph_bandit_figures::{Mark, Panel, Series};

pub(super) static FINAL: FigureEntry = FigureEntry {
    kind: "final",
    summary: "The first agent's regret at the last step, against the cases' `x`.",
    options: &[AXIS, SCALE],
    needs: Needs::Runs,
    check,
    draw: |request, source| Ok(draw(request, source)),
};

pub(super) const AXIS: FigureOption = FigureOption {
    name: "axis",
    help: "The label of the axis: what the cases' `x` means.",
    kind: OptionKind::Text,
};

/// Every case shown needs an `x`.
pub(super) fn check(request: &FigureRequest, study: &StudyFile) -> Result<(), String> {
    match request.shown(study).find(|case| case.x.is_none()) {
        Some(case) => {
            let title = case.title();
            let kind = request.entry().kind;
            Err(format!("a figure of kind {kind} shows {title:?}, which has no x; give it one"))
        }
        None => Ok(()),
    }
}

fn draw(request: &FigureRequest, source: &Source<'_>) -> Plot {
    let mut points = Vec::new();
    let mut deviations = Vec::new();
    let mut agent = String::new();
    for case in request.shown(source.study) {
        let Some(first) = agents(source.study, case).next() else { continue };
        let (Some(x), Some(stats)) = (case.x, source.stats(case, first)) else { continue };
        let (Some(&mean), sd) = (stats.mean.last(), stats.sd.last()) else { continue };
        points.push([x, mean]);
        deviations.push(sd.copied().flatten().unwrap_or(0.0));
        first.clone_into(&mut agent);
    }
    let count = points.len();
    let series = Series::new("", Style::solid(color_of(&agent)), points)
        .with_mark(Mark::LinePoints)
        .with_deviations(&deviations, count);
    let panel = Panel::new("", curves(request, request.text(&AXIS), vec![series]));
    Plot { panels: vec![panel], legend: Legend::None }
}
