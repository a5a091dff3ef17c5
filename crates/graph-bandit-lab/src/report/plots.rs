//! From results to the data of figures.

use super::comparison::Comparison;
use super::{Report, ratio_plots};
use crate::campaign::{CurveStats, Results, Store, agents, for_each_row};
use crate::error::LabError;
use crate::figure::palette::{Style, color_of, ramp, styles_of};
use crate::figure::{
    Axis, BarSeries, Bars, Body, BoxSeries, Boxes, Curves, Figure, FiveNumbers, Mark, Network,
    Panel, Series,
};
use crate::graph_source::GraphSource;
use crate::study_file::{Case, Drawing, FigureRequest, StudyFile};
use crate::timing::TimedCell;
use graph_bandit::{Preset, Seed};

/// At so many points a curve has error bars.
const BARS: usize = 8;

/// What a study's figures are drawn from.
struct Source<'a> {
    results: &'a Results<'a>,
    store: &'a Store,
    study: &'a StudyFile,
}

/// The figures of a study, all but those of measured times.
///
/// # Errors
/// When stored runs cannot be read or a graph not be loaded.
pub(super) fn figures(
    results: &Results<'_>,
    store: &Store,
    study: &StudyFile,
) -> Result<Vec<Figure>, LabError> {
    let source = Source { results, store, study };
    let mut figures = Vec::new();
    for (i, request) in study.figures.iter().enumerate() {
        let (panels, caption, legend) = match request {
            FigureRequest::Curves { caption, bars, agents, .. } => {
                (source.curves(request, agents, bars), caption, Legend::Common)
            }
            FigureRequest::Together { caption, .. } => {
                (vec![source.together(request)], caption, Legend::Common)
            }
            FigureRequest::Final { caption, axis, .. } => {
                (vec![source.final_regret(request, axis)], caption, Legend::None)
            }
            FigureRequest::Traces { caption, .. } => {
                (source.traces(request)?, caption, Legend::None)
            }
            FigureRequest::Networks { caption, graphs, .. } => {
                (source.networks(request, graphs)?, caption, Legend::None)
            }
            FigureRequest::Ratios { caption, .. } | FigureRequest::Profile { caption, .. } => {
                (source.ratios(request), caption, Legend::Common)
            }
            FigureRequest::RunTimes { .. } => continue,
        };
        let figure = Figure::new(id_of(study, i), "", panels).with_caption(caption);
        figures.push(match legend {
            Legend::Common => figure.with_legend(),
            Legend::None => figure,
        });
    }
    Ok(figures)
}

enum Legend {
    Common,
    None,
}

/// The id of a study's figure: its name, numbered where it has several.
fn id_of(study: &StudyFile, number: usize) -> String {
    if study.figures.len() == 1 {
        study.name.clone()
    } else {
        format!("{}-{}", study.name, number + 1)
    }
}

impl Source<'_> {
    fn cases(&self, request: &FigureRequest) -> impl Iterator<Item = &Case> {
        let wanted = request.cases().to_vec();
        self.study
            .cases
            .iter()
            .filter(move |case| wanted.is_empty() || wanted.iter().any(|t| t == case.title()))
    }

    fn stats(&self, case: &Case, agent: &str) -> Option<&CurveStats> {
        self.results.get(self.study, case, agent, self.study.preset, self.study.window)
    }

    /// One panel per case, a curve per agent.
    fn curves(&self, request: &FigureRequest, shown: &[String], bars: &[String]) -> Vec<Panel> {
        let is_shown = |agent: &&str| shown.is_empty() || shown.iter().any(|name| name == agent);
        let panel = |case: &Case| {
            let names: Vec<&str> = agents(self.study, case).filter(is_shown).collect();
            let styles = styles_of(names.iter().copied());
            let series = names.iter().zip(styles).filter_map(|(&agent, style)| {
                let stats = self.stats(case, agent)?;
                let series = mean_curve(agent, style, stats);
                let has_bars = bars.iter().any(|wanted| wanted == agent);
                Some(if has_bars { with_deviations(series, stats) } else { series })
            });
            Panel::new(case.title(), curves("t", series.collect()))
        };
        self.cases(request).map(panel).collect()
    }

    /// One panel, a curve per case of its first agent.
    fn together(&self, request: &FigureRequest) -> Panel {
        let cases: Vec<&Case> = self.cases(request).collect();
        let series = cases.iter().enumerate().filter_map(|(i, case)| {
            let stats = self.stats(case, agents(self.study, case).next()?)?;
            Some(mean_curve(case.title(), Style::solid(ramp(i, cases.len())), stats))
        });
        Panel::new("", curves("t", series.collect()))
    }

    /// Regret at the last step against the cases' place on an axis, of the first agent.
    fn final_regret(&self, request: &FigureRequest, axis: &str) -> Panel {
        let mut points = Vec::new();
        let mut deviations = Vec::new();
        let mut agent = String::new();
        for case in self.cases(request) {
            let Some(first) = agents(self.study, case).next() else { continue };
            let (Some(x), Some(stats)) = (case.x, self.stats(case, first)) else { continue };
            let (Some(&mean), sd) = (stats.mean.last(), stats.sd.last()) else { continue };
            points.push([x, mean]);
            deviations.push(sd.copied().flatten().unwrap_or(0.0));
            first.clone_into(&mut agent);
        }
        let count = points.len();
        let series = Series::new("", Style::solid(color_of(&agent)), points)
            .with_mark(Mark::LinePoints)
            .with_deviations(&deviations, count);
        Panel::new("", curves(axis, vec![series]))
    }

    /// The realized regret of every run, their mean on top.
    fn traces(&self, request: &FigureRequest) -> Result<Vec<Panel>, LabError> {
        let mut panels = Vec::new();
        for case in self.cases(request) {
            let Some(agent) = agents(self.study, case).next() else { continue };
            let campaign = self.results.campaign;
            let preset = self.study.preset;
            let Some(cell) = campaign.cell(self.study, case, agent, preset) else { continue };
            let t = campaign.cells[cell].checkpoints();
            let mut traces: Vec<Vec<[f64; 2]>> = Vec::new();
            let mut mean = vec![0.0; t.len()];
            for_each_row(campaign, self.store, cell, |_, row| {
                let realized: Vec<f64> = row.realized_regret(self.study.window).collect();
                for (mean, realized) in mean.iter_mut().zip(&realized) {
                    *mean += realized / campaign.cells[cell].runs as f64;
                }
                // More lines than these nobody can tell apart, and the page must stay small.
                if traces.len() < 100 {
                    traces.push(points(&t, &realized));
                }
                Ok(())
            })?;
            let series = Series::new(agent, Style::solid(color_of(agent)), points(&t, &mean))
                .with_traces(traces);
            panels.push(Panel::new(case.title(), realized_curves(vec![series])));
        }
        Ok(panels)
    }

    /// Multiples of the baseline's regret, by case or sorted over the cases.
    fn ratios(&self, request: &FigureRequest) -> Vec<Panel> {
        let cases: Vec<&str> = self.cases(request).map(Case::title).collect();
        let draw = |comparison: &Comparison| match request {
            FigureRequest::Profile { .. } => ratio_plots::profile(comparison, &cases),
            _ => ratio_plots::bars(comparison, &cases),
        };
        Comparison::of(self.results, self.study).iter().map(draw).collect()
    }

    /// Graphs drawn.
    fn networks(
        &self,
        request: &FigureRequest,
        graphs: &[Drawing],
    ) -> Result<Vec<Panel>, LabError> {
        let base = &self.results.campaign.base;
        let draw = |title: &str, text: &str| {
            let source = text.parse::<GraphSource>()?.below(base);
            let network = match &source {
                GraphSource::Family(_) => {
                    Network::of(&source.load(Seed(self.study.seed), Preset::Paper)?)
                }
                GraphSource::File(file) => Network::of_map(&file.read()?.map),
            };
            Ok(Panel::new(title, Body::Network(network)))
        };
        if graphs.is_empty() {
            return self.cases(request).map(|case| draw(case.title(), &case.graph)).collect();
        }
        graphs.iter().map(|drawing| draw(&drawing.title, &drawing.graph)).collect()
    }
}

fn curves(x: &str, series: Vec<Series>) -> Body {
    Body::Curves(Curves { x: Axis::linear(x), y: Axis::linear("regret"), series })
}

fn realized_curves(series: Vec<Series>) -> Body {
    Body::Curves(Curves { x: Axis::linear("t"), y: Axis::linear("realized regret"), series })
}

fn points(t: &[u64], values: &[f64]) -> Vec<[f64; 2]> {
    let start = [[0.0, 0.0]];
    start.into_iter().chain(t.iter().zip(values).map(|(&t, &value)| [t as f64, value])).collect()
}

/// Mean regret from the origin, with its 95% band.
fn mean_curve(name: &str, style: Style, stats: &CurveStats) -> Series {
    let band: Option<Vec<[f64; 2]>> = std::iter::once(Some([0.0, 0.0]))
        .chain(stats.ci95.iter().map(|interval| interval.map(|(low, high)| [low, high])))
        .collect();
    Series::new(name, style, points(&stats.t, &stats.mean)).with_band(band.unwrap_or_default())
}

fn with_deviations(series: Series, stats: &CurveStats) -> Series {
    let deviations: Option<Vec<f64>> =
        std::iter::once(Some(0.0)).chain(stats.sd.iter().copied()).collect();
    match deviations {
        Some(deviations) => series.with_deviations(&deviations, BARS),
        None => series,
    }
}

/// Box plots of run times and the ratios of medians, for every study that was timed.
pub(super) fn run_times(report: &Report, timings: &[TimedCell]) -> Vec<Figure> {
    let figure = |study: &super::StudyReport| {
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
            y: Axis::log("milliseconds a run"),
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
    let is_timed = |study: &&super::StudyReport| timings.iter().any(|t| t.study == study.name);
    report.studies.iter().filter(is_timed).map(figure).collect()
}
