//! Regret at the last step against a number of each case.

use super::scales::SCALE;
use super::{Source, curves};
use crate::campaign::agents;
use crate::figure_request::{
    FigureEntry, FigureOption, FigureRequest, Legend, Needs, OptionKind, Plot,
};
use crate::study_file::{Case, StudyFile};
use graph_bandit_figures::palette::{Style, color_of, styles_of};
use graph_bandit_figures::{Mark, Panel, Series};

pub(super) static FINAL: FigureEntry = FigureEntry {
    kind: "final",
    summary: "The regret of the first agent, or of those in `agents`, at the last step, against the cases' `x`.",
    options: &[AXIS, AGENTS, SCALE],
    needs: Needs::Runs,
    check: |request, study| check(request, study).and_then(|()| check_agents(request, study)),
    draw: |request, source| Ok(draw(request, source)),
};

pub(super) const AXIS: FigureOption = FigureOption {
    name: "axis",
    help: "The label of the axis: what the cases' `x` means.",
    kind: OptionKind::Text,
};

const AGENTS: FigureOption = FigureOption {
    name: "agents",
    help: "The agents to show; default: the first of each case.",
    kind: OptionKind::TextsIfAny,
};

/// Every agent shown is in some case shown.
fn check_agents(request: &FigureRequest, study: &StudyFile) -> Result<(), String> {
    let known: Vec<&str> = request.shown(study).flat_map(|case| agents(study, case)).collect();
    match request.texts(&AGENTS).iter().find(|agent| !known.contains(&agent.as_str())) {
        Some(agent) => Err(format!("{agent:?} cannot be shown: it is in none of the cases shown")),
        None => Ok(()),
    }
}

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
    let chosen = request.texts(&AGENTS);
    let axis = request.text(&AXIS);
    if chosen.is_empty() {
        let first = |case: &Case| agents(source.study, case).next().map(str::to_owned);
        let agent = request.shown(source.study).filter_map(first).last().unwrap_or_default();
        let series = line(request, source, ("", Style::solid(color_of(&agent))), first);
        let panel = Panel::new("", curves(request, axis, vec![series]));
        return Plot { panels: vec![panel], legend: Legend::None };
    }
    let styles = styles_of(chosen.iter().map(String::as_str));
    let series = chosen.iter().zip(styles).map(|(agent, style)| {
        line(request, source, (agent, style), |case| {
            agents(source.study, case).find(|other| other == agent).map(str::to_owned)
        })
    });
    let panel = Panel::new("", curves(request, axis, series.collect()));
    Plot { panels: vec![panel], legend: Legend::Common }
}

/// The regret at the last step of one agent of each case.
fn line(
    request: &FigureRequest,
    source: &Source<'_>,
    (name, style): (&str, Style),
    agent_of: impl Fn(&Case) -> Option<String>,
) -> Series {
    let mut points = Vec::new();
    let mut deviations = Vec::new();
    for case in request.shown(source.study) {
        let Some(agent) = agent_of(case) else { continue };
        let (Some(x), Some(stats)) = (case.x, source.stats(case, &agent)) else { continue };
        let (Some(&mean), sd) = (stats.mean.last(), stats.sd.last()) else { continue };
        points.push([x, mean]);
        deviations.push(sd.copied().flatten().unwrap_or(0.0));
    }
    let count = points.len();
    Series::new(name, style, points).with_mark(Mark::LinePoints).with_deviations(&deviations, count)
}
