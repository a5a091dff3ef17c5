//! Measured run times.

use crate::figure_request::{FigureEntry, Legend, Needs, Plot};
use crate::report::{Report, StudyReport};
use crate::timing::TimedCell;
use graph_bandit_figures::palette::color_of;
use graph_bandit_figures::{
    Axis, BarSeries, Bars, Body, BoxSeries, Boxes, Figure, FiveNumbers, Panel,
};

pub(super) static RUN_TIMES: FigureEntry = FigureEntry {
    kind: "run-times",
    summary: "Measured run times of the agents by case, and their ratios.",
    options: &[],
    needs: Needs::Times,
    check: |_request, _study| Ok(()),
    // Results are drawn without measuring; see `run_times`.
    draw: |_request, _source| Ok(Plot { panels: Vec::new(), legend: Legend::None }),
};

/// Box plots of run times and the ratios of medians, for every timed study.
pub(in crate::report) fn run_times(report: &Report, timings: &[TimedCell]) -> Vec<Figure> {
    let figure = |study: &StudyReport| {
        let timed: Vec<&TimedCell> = timings
            .iter()
            .filter(|cell| cell.study == study.name && cell.preset == study.preset)
            .collect();
        let mut groups: Vec<String> = timed.iter().map(|cell| cell.case.clone()).collect();
        groups.dedup();
        let mut names: Vec<&str> = Vec::new();
        for cell in &timed {
            if !names.contains(&cell.agent.as_str()) {
                names.push(&cell.agent);
            }
        }
        let of = |name: &str, group: &str| {
            timed.iter().find(|cell| cell.agent == name && cell.case == group).copied()
        };
        let boxes = |name: &&str| BoxSeries {
            name: (*name).to_owned(),
            color: color_of(name),
            boxes: groups
                .iter()
                .map(|group| FiveNumbers::of(of(name, group)?.seconds.iter().map(|s| 1e3 * s)))
                .collect(),
        };
        let times = Body::Boxes(Boxes {
            y: Axis::log("milliseconds per run"),
            groups: groups.clone(),
            series: names.iter().map(boxes).collect(),
        });
        let [first, second, ..] = names[..] else {
            let panel = Panel::new("Run times", times);
            return Figure::new(&study.name, "", vec![panel])
                .with_caption(&study.run_times_caption);
        };
        let ratio = |group: &String| match (of(second, group), of(first, group)) {
            (Some(second), Some(first)) => second.median() / first.median(),
            _ => f64::NAN,
        };
        let ratios = Body::Bars(Bars {
            y: Axis::linear(format!("median of {second} over {first}")),
            groups: groups.clone(),
            series: vec![BarSeries {
                name: String::new(),
                color: color_of(second),
                values: groups.iter().map(ratio).collect(),
                errors: Vec::new(),
            }],
            reference: Some(1.0),
        });
        let panels = vec![Panel::new("Run times", times), Panel::new("Ratio of medians", ratios)];
        Figure::new(&study.name, "", panels).with_caption(&study.run_times_caption).with_legend()
    };
    let is_timed = |study: &&StudyReport| timings.iter().any(|t| t.study == study.name);
    report.studies.iter().filter(is_timed).map(figure).collect()
}
