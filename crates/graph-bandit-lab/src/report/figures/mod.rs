//! From results to the data of figures: one file per kind.

mod curves;
mod final_regret;
mod networks;
mod over_root;
mod profile;
mod ratios;
mod run_times;
mod scales;
mod together;
mod traces;

pub(super) use run_times::run_times;

use scales::axes;

use crate::campaign::{CurveStats, Results, Store};
use crate::error::LabError;
use crate::figure_request::{FigureEntry, FigureRequest, Legend, Needs};
use crate::study_file::{Case, StudyFile};
use graph_bandit_figures::palette::Style;
use graph_bandit_figures::{Body, Curves, Figure, Series};

/// All built-in kinds.
pub(crate) const BUILT_IN: &[&FigureEntry] = &[
    &curves::CURVES,
    &together::TOGETHER,
    &final_regret::FINAL,
    &over_root::OVER_ROOT,
    &traces::TRACES,
    &networks::NETWORKS,
    &ratios::RATIOS,
    &profile::PROFILE,
    &run_times::RUN_TIMES,
];

/// What a study's figures are drawn from.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The curves of all cells.
    pub results: &'a Results<'a>,
    /// The runs on disk.
    pub store: &'a Store,
    /// The study.
    pub study: &'a StudyFile,
}

impl Source<'_> {
    /// The curves of an agent on a case, in the study's preset and window.
    pub fn stats(&self, case: &Case, agent: &str) -> Option<&CurveStats> {
        self.results.get(self.study, case, agent, self.study.preset, self.study.window)
    }
}

/// The figures of a study, except those of measured times.
///
/// # Errors
/// When stored runs cannot be read or a graph cannot be loaded.
pub(super) fn figures(
    results: &Results<'_>,
    store: &Store,
    study: &StudyFile,
) -> Result<Vec<Figure>, LabError> {
    let source = Source { results, store, study };
    let mut figures = Vec::new();
    for (i, request) in study.figures.iter().enumerate() {
        let entry = request.entry();
        if entry.needs == Needs::Times {
            continue;
        }
        let plot = (entry.draw)(request, &source)?;
        let figure = Figure::new(id_of(study, i), "", plot.panels).with_caption(&request.caption);
        figures.push(match plot.legend {
            Legend::Common => figure.with_legend(),
            Legend::None => figure,
        });
    }
    Ok(figures)
}

/// The id of a study's figure: its name, with a number if there are several.
fn id_of(study: &StudyFile, number: usize) -> String {
    if study.figures.len() == 1 {
        study.name.clone()
    } else {
        format!("{}-{}", study.name, number + 1)
    }
}

/// Regret over `x`, on the requested scales.
fn curves(request: &FigureRequest, x: &str, series: Vec<Series>) -> Body {
    let [x, y] = axes(request, [x, "regret"]);
    Body::Curves(Curves { x, y, series })
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
