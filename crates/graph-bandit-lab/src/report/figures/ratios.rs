//! Multiples of a baseline's regret by case.

use super::Source;
use super::scales::{SCALE_OF_RATIOS, axis_of_ratios};
use crate::figure_request::{FigureEntry, FigureRequest, Legend, Needs, Plot};
use crate::report::comparison::Comparison;
use crate::study_file::{Case, StudyFile};
use graph_bandit_figures::palette::{Style, styles_of};
use graph_bandit_figures::{BarSeries, Bars, Body, Panel};

pub(super) static RATIOS: FigureEntry = FigureEntry {
    kind: "ratios",
    summary: "Points by case, or bars on a linear scale: each agent's mean regret as a multiple of the baseline's.",
    options: &[SCALE_OF_RATIOS],
    needs: Needs::Runs,
    check,
    draw: |request, source| Ok(draw(request, source)),
};

pub(super) fn check(_request: &FigureRequest, study: &StudyFile) -> Result<(), String> {
    match &study.baseline {
        Some(_) => Ok(()),
        None => Err("a figure of ratios needs a baseline; set `baseline` to an agent".to_owned()),
    }
}

fn draw(request: &FigureRequest, source: &Source<'_>) -> Plot {
    against_baseline(request, source, bars)
}

/// One panel of the comparison with the baseline on the cases shown.
pub(super) fn against_baseline(
    request: &FigureRequest,
    source: &Source<'_>,
    draw: fn(&FigureRequest, &Comparison, &[&str]) -> Panel,
) -> Plot {
    let cases: Vec<&str> = request.shown(source.study).map(Case::title).collect();
    let comparison = Comparison::of(source.results, source.study);
    let panels = comparison.iter().map(|comparison| draw(request, comparison, &cases)).collect();
    Plot { panels, legend: Legend::Common }
}

/// The agents without the baseline, each with its style and its multiple on every case; agents that
/// lack a case are left out.
pub(super) fn multiples<'a>(
    comparison: &'a Comparison,
    cases: &[&str],
) -> Vec<(&'a str, Style, Vec<f64>)> {
    let names: Vec<&str> = comparison.agents.iter().map(|agent| agent.agent.as_str()).collect();
    let of_agent = |(&name, style): (&&'a str, Style)| {
        let multiple = |case: &&str| comparison.row(case, name)?.of_baseline.filter(|&m| m > 0.0);
        let values: Option<Vec<f64>> = cases.iter().map(multiple).collect();
        values.filter(|_| name != comparison.baseline).map(|values| (name, style, values))
    };
    names.iter().zip(styles_of(names.iter().copied())).filter_map(of_agent).collect()
}

/// Points by case and agent on a logarithmic axis, bars on a linear axis; the baseline is a line at
/// 1.
fn bars(request: &FigureRequest, comparison: &Comparison, cases: &[&str]) -> Panel {
    let series = |(name, style, values): (&str, Style, Vec<f64>)| BarSeries {
        name: name.to_owned(),
        color: style.color,
        values,
        errors: Vec::new(),
    };
    Panel::new(
        "",
        Body::Bars(Bars {
            y: axis_of_ratios(request, format!("regret over {}'s", comparison.baseline)),
            groups: cases.iter().map(|&case| case.to_owned()).collect(),
            series: multiples(comparison, cases).into_iter().map(series).collect(),
            reference: Some(1.0),
        }),
    )
}
