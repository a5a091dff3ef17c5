//! Regret at the last step over the square root of a number of each case times its steps.

use super::Source;
use super::final_regret::{AXIS, check};
use crate::campaign::agents;
use crate::figure_request::{FigureEntry, FigureRequest, Legend, Needs, Plot};
use crate::study_file::{Case, StudyFile};
use graph_bandit_figures::palette::{Style, ramp};
use graph_bandit_figures::{Axis, Body, Curves, Mark, Panel, Series};

pub(super) static OVER_ROOT: FigureEntry = FigureEntry {
    kind: "over-root",
    summary: "The first agent's regret at the last step divided by sqrt(x T), against the cases' `x`: one curve per graph and number of steps T.",
    options: &[AXIS],
    needs: Needs::Runs,
    check,
    draw: |request, source| Ok(draw(request, source)),
};

fn draw(request: &FigureRequest, source: &Source<'_>) -> Plot {
    let mut curves: Vec<(String, Vec<[f64; 2]>)> = Vec::new();
    for case in request.shown(source.study) {
        let Some(point) = point(case, source) else { continue };
        let name = format!("{}, T = {}", case.graph, steps(source.study, case));
        match curves.iter_mut().find(|(known, _)| *known == name) {
            Some((_, points)) => points.push(point),
            None => curves.push((name, vec![point])),
        }
    }
    let count = curves.len();
    let series = curves.into_iter().enumerate().map(|(i, (name, points))| {
        Series::new(name, Style::solid(ramp(i, count)), points).with_mark(Mark::LinePoints)
    });
    let axis = request.text(&AXIS);
    let body = Body::Curves(Curves {
        x: Axis::log(axis),
        y: Axis::linear(format!("regret / sqrt({axis} x T)")),
        series: series.collect(),
    });
    Plot { panels: vec![Panel::new("", body)], legend: Legend::Common }
}

fn point(case: &Case, source: &Source<'_>) -> Option<[f64; 2]> {
    let stats = source.stats(case, agents(source.study, case).next()?)?;
    let (x, mean) = (case.x?, *stats.mean.last()?);
    Some([x, mean / (x * steps(source.study, case) as f64).sqrt()])
}

fn steps(study: &StudyFile, case: &Case) -> u64 {
    case.steps.unwrap_or(study.steps)
}
