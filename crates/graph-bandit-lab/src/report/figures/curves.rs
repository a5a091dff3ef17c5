//! Regret curves: one panel per case.

use super::scales::SCALE;
use super::{Source, curves, mean_curve};
use crate::campaign::{CurveStats, agents};
use crate::figure_request::{
    FigureEntry, FigureOption, FigureRequest, Legend, Needs, OptionKind, Plot,
};
use crate::study_file::{Case, StudyFile};
use graph_bandit_figures::palette::styles_of;
use graph_bandit_figures::{Panel, Series};

pub(super) static CURVES: FigureEntry = FigureEntry {
    kind: "curves",
    summary: "One panel per case, a regret curve per agent with its 95% band.",
    options: &[BARS, AGENTS, SCALE],
    needs: Needs::Runs,
    check,
    draw: |request, source| Ok(draw(request, source)),
};

/// The number of error bars of a curve.
const ERROR_BARS: usize = 8;

const BARS: FigureOption = FigureOption {
    name: "bars",
    help: "Agents that get error bars of one standard deviation over runs.",
    kind: OptionKind::Texts,
};
const AGENTS: FigureOption = FigureOption {
    name: "agents",
    help: "The agents to show; default: all.",
    kind: OptionKind::TextsIfAny,
};

fn check(request: &FigureRequest, study: &StudyFile) -> Result<(), String> {
    let shown = request.shown(study);
    let known: Vec<&str> = shown.flat_map(|case| agents(study, case)).collect();
    let is_unknown = |agent: &&String| !known.contains(&agent.as_str());
    if let Some(agent) = request.texts(&BARS).iter().find(is_unknown) {
        return Err(format!("{agent:?} cannot have bars: it is in none of the cases shown"));
    }
    match request.texts(&AGENTS).iter().find(is_unknown) {
        Some(agent) => Err(format!("{agent:?} cannot be shown: it is in none of the cases shown")),
        None => Ok(()),
    }
}

fn draw(request: &FigureRequest, source: &Source<'_>) -> Plot {
    let (shown, bars) = (request.texts(&AGENTS), request.texts(&BARS));
    let is_shown = |agent: &&str| shown.is_empty() || shown.iter().any(|name| name == agent);
    // An agent has the same style in all panels.
    let cases = request.shown(source.study);
    let names: Vec<&str> =
        cases.flat_map(|case| agents(source.study, case)).filter(is_shown).collect();
    let styles = styles_of(names.iter().copied());
    let style_of = |agent: &str| {
        let place = names.iter().position(|&name| name == agent)?;
        styles.get(place).copied()
    };
    let panel = |case: &Case| {
        let series = agents(source.study, case).filter(is_shown).filter_map(|agent| {
            let (stats, style) = (source.stats(case, agent)?, style_of(agent)?);
            let series = mean_curve(agent, style, stats);
            let has_bars = bars.iter().any(|wanted| wanted == agent);
            Some(if has_bars { with_deviations(series, stats) } else { series })
        });
        Panel::new(case.title(), curves(request, "t", series.collect()))
    };
    let panels = request.shown(source.study).map(panel).collect();
    Plot { panels, legend: Legend::Common }
}

fn with_deviations(series: Series, stats: &CurveStats) -> Series {
    let deviations: Option<Vec<f64>> =
        std::iter::once(Some(0.0)).chain(stats.sd.iter().copied()).collect();
    match deviations {
        Some(deviations) => series.with_deviations(&deviations, ERROR_BARS),
        None => series,
    }
}
