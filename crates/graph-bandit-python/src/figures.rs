//! What figures share with those of the command line: node positions, colours, ticks, labels.

use crate::graph::Graph;
use graph_bandit_figures::palette::{self, Color, Dash};
use graph_bandit_figures::scale::{Room, Scale};
use graph_bandit_figures::{Axis, layout_of};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use std::collections::BTreeMap;

/// A position in the plane for every node, y upward. Coordinates of the graph are not used.
#[pyfunction]
pub(crate) fn layout<'py>(py: Python<'py>, graph: &Graph) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let places = py.detach(|| layout_of(&graph.core));
    // The command line's figures have y downward.
    let flat: Vec<f64> = places.iter().flat_map(|&[x, y]| [x, 0.0 - y]).collect();
    flat.into_pyarray(py).reshape([places.len(), 2])
}

/// The colours of figures on light paper by role: single colours, the hues, the ramp.
#[pyfunction]
#[pyo3(name = "palette")]
pub(crate) fn palette_of_figures() -> BTreeMap<&'static str, Vec<String>> {
    let mut colors: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for color in palette::all() {
        let role = match color {
            Color::Ink => "ink",
            Color::Muted => "muted",
            Color::Grid => "grid",
            Color::Paper => "paper",
            Color::Slot(_) => "hues",
            Color::Ramp(_) => "ramp",
        };
        colors.entry(role).or_default().push(on_light_paper(color));
    }
    colors
}

fn on_light_paper(color: Color) -> String {
    format!("#{:06x}", color.rgb()[0])
}

/// The colours and dashes of agents that share a figure.
#[pyfunction]
pub(crate) fn styles_of(labels: Vec<String>) -> Vec<(String, &'static str)> {
    let dash = |dash: Dash| match dash {
        Dash::Solid => "solid",
        Dash::Dashed => "dashed",
        Dash::Dotted => "dotted",
    };
    let styles = palette::styles_of(labels.iter().map(String::as_str));
    styles.into_iter().map(|style| (on_light_paper(style.color), dash(style.dash))).collect()
}

/// About `count` round numbers from `low` to `high`, and their labels.
#[pyfunction]
pub(crate) fn ticks(low: f64, high: f64, count: usize, log: bool) -> (Vec<f64>, Vec<String>) {
    let axis = if log { Axis::log("") } else { Axis::linear("") }.with_range(low, high);
    let scale = Scale::new(&axis, [low, high].into_iter(), Room::None, [0.0, 1.0]);
    scale.ticks(count).into_iter().map(|tick| (tick.value, tick.label)).unzip()
}

/// Positions in the same order, at least `gap` apart and between the ends, as close as possible to
/// the wanted ones.
#[pyfunction]
pub(crate) fn spread<'py>(
    py: Python<'py>,
    wanted: PyReadonlyArray1<'py, f64>,
    gap: f64,
    low: f64,
    high: f64,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let wanted = wanted.as_slice()?;
    Ok(graph_bandit_figures::spread(wanted, gap, [low, high]).into_pyarray(py))
}
