//! Regret curves of all cases in one panel.

use super::scales::SCALE;
use super::{Source, curves, mean_curve};
use crate::campaign::agents;
use crate::figure_request::{FigureEntry, FigureRequest, Legend, Needs, Plot};
use crate::study_file::Case;
use graph_bandit_figures::Panel;
use graph_bandit_figures::palette::{Style, ramp};

pub(super) static TOGETHER: FigureEntry = FigureEntry {
    kind: "together",
    summary: "One panel with one curve per case, all of the first agent.",
    options: &[SCALE],
    needs: Needs::Runs,
    check: |_request, _study| Ok(()),
    draw: |request, source| Ok(draw(request, source)),
};

fn draw(request: &FigureRequest, source: &Source<'_>) -> Plot {
    let cases: Vec<&Case> = request.shown(source.study).collect();
    let series = cases.iter().enumerate().filter_map(|(i, case)| {
        let stats = source.stats(case, agents(source.study, case).next()?)?;
        Some(mean_curve(case.title(), Style::solid(ramp(i, cases.len())), stats))
    });
    let panel = Panel::new("", curves(request, "t", series.collect()));
    Plot { panels: vec![panel], legend: Legend::Common }
}
