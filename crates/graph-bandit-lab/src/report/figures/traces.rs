//! The realized regret of every run.

use super::scales::{SCALE, axes};
use super::{Source, points};
use crate::campaign::{agents, for_each_row};
use crate::error::LabError;
use crate::figure_request::{FigureEntry, FigureRequest, Legend, Needs, Plot};
use graph_bandit_figures::palette::{Style, color_of};
use graph_bandit_figures::{Body, Curves, Panel, Series};

pub(super) static TRACES: FigureEntry = FigureEntry {
    kind: "traces",
    summary: "The realized regret of the first agent: the first 100 runs as light lines, the mean of all runs on top.",
    options: &[SCALE],
    needs: Needs::Runs,
    check: |_request, _study| Ok(()),
    draw,
};

fn draw(request: &FigureRequest, source: &Source<'_>) -> Result<Plot, LabError> {
    let mut panels = Vec::new();
    for case in request.shown(source.study) {
        let Some(agent) = agents(source.study, case).next() else { continue };
        let campaign = source.results.campaign;
        let preset = source.study.preset;
        let Some(cell) = campaign.cell(source.study, case, agent, preset) else { continue };
        let Some(place) = campaign.place_of(source.study.window) else { continue };
        let t = campaign.cells[cell].checkpoints();
        let mut traces: Vec<Vec<[f64; 2]>> = Vec::new();
        let mut mean = vec![0.0; t.len()];
        for_each_row(campaign, source.store, cell, |_, row| {
            let realized: Vec<f64> = row.realized_regret(place).collect();
            for (mean, realized) in mean.iter_mut().zip(&realized) {
                *mean += realized / campaign.cells[cell].runs as f64;
            }
            // More lines cannot be told apart, and the page must stay small.
            if traces.len() < 100 {
                traces.push(points(&t, &realized));
            }
            Ok(())
        })?;
        let series = Series::new(agent, Style::solid(color_of(agent)), points(&t, &mean))
            .with_traces(traces);
        panels.push(Panel::new(case.title(), realized_curves(request, vec![series])));
    }
    Ok(Plot { panels, legend: Legend::None })
}

fn realized_curves(request: &FigureRequest, series: Vec<Series>) -> Body {
    let [x, y] = axes(request, ["t", "realized regret"]);
    Body::Curves(Curves { x, y, series })
}
