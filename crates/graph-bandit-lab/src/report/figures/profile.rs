//! Multiples of a baseline's regret, sorted over the cases.

use super::Source;
use super::ratios::{against_baseline, check, multiples};
use super::scales::{SCALE_OF_RATIOS, axis_of_ratios};
use crate::figure_request::{FigureEntry, FigureRequest, Needs, Plot};
use crate::report::comparison::Comparison;
use graph_bandit_figures::palette::Style;
use graph_bandit_figures::{Axis, Body, Curves, Panel, Series};

pub(super) static PROFILE: FigureEntry = FigureEntry {
    kind: "profile",
    summary: "One curve per agent: its mean regret in each case as a multiple of the baseline's, in ascending order.",
    options: &[SCALE_OF_RATIOS],
    needs: Needs::Runs,
    check,
    draw: |request, source| Ok(draw(request, source)),
};

fn draw(request: &FigureRequest, source: &Source<'_>) -> Plot {
    against_baseline(request, source, profile)
}

/// One curve per agent: its multiples in ascending order against the share of cases.
fn profile(request: &FigureRequest, comparison: &Comparison, cases: &[&str]) -> Panel {
    let series = |(name, style, mut values): (&str, Style, Vec<f64>)| {
        values.sort_by(f64::total_cmp);
        let share = |rank: usize| 100.0 * (rank + 1) as f64 / cases.len() as f64;
        let points = values.iter().enumerate().map(|(rank, &value)| [share(rank), value]);
        Series::new(name, style, points.collect())
    };
    Panel::new(
        "",
        Body::Curves(Curves {
            x: Axis::linear("percent of the cases"),
            y: axis_of_ratios(request, format!("regret over {}'s, at most", comparison.baseline)),
            series: multiples(comparison, cases).into_iter().map(series).collect(),
        }),
    )
}
