//! Figures of ratios to a baseline: bars by case, and profiles over cases.

use super::comparison::Comparison;
use crate::figure::palette::{Style, styles_of};
use crate::figure::{Axis, BarSeries, Bars, Body, Curves, Panel, Series};

/// The agents but the baseline, each with its style and its multiple on every case, where it has them
/// all.
fn multiples<'a>(comparison: &'a Comparison, cases: &[&str]) -> Vec<(&'a str, Style, Vec<f64>)> {
    let names: Vec<&str> = comparison.agents.iter().map(|agent| agent.agent.as_str()).collect();
    let of_agent = |(&name, style): (&&'a str, Style)| {
        let multiple = |case: &&str| comparison.row(case, name)?.of_baseline.filter(|&m| m > 0.0);
        let values: Option<Vec<f64>> = cases.iter().map(multiple).collect();
        values.filter(|_| name != comparison.baseline).map(|values| (name, style, values))
    };
    names.iter().zip(styles_of(names.iter().copied())).filter_map(of_agent).collect()
}

/// Points by case and agent on a logarithmic axis, the baseline a line at 1.
pub(super) fn bars(comparison: &Comparison, cases: &[&str]) -> Panel {
    let series = |(name, style, values): (&str, Style, Vec<f64>)| BarSeries {
        name: name.to_owned(),
        color: style.color,
        values,
        errors: Vec::new(),
    };
    Panel::new(
        "",
        Body::Bars(Bars {
            y: Axis::log(format!("regret over that of {}", comparison.baseline)),
            groups: cases.iter().map(|&case| case.to_owned()).collect(),
            series: multiples(comparison, cases).into_iter().map(series).collect(),
            reference: Some(1.0),
        }),
    )
}

/// One curve per agent: its multiples in ascending order against the share of cases.
pub(super) fn profile(comparison: &Comparison, cases: &[&str]) -> Panel {
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
            y: Axis::log(format!("regret over that of {}, at most", comparison.baseline)),
            series: multiples(comparison, cases).into_iter().map(series).collect(),
        }),
    )
}
