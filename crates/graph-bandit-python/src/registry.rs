//! The registry, and texts checked against it.

use crate::errors::{of_lab, value_error};
use crate::graph::Graph;
use graph_bandit::spec::{Named, TeamSpec};
use graph_bandit::{AgentSpec, Preset};
use graph_bandit_lab::{MeansSource, NoiseSource, Window};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::Path;

/// Reads the name of a setting's value, as JSON and TOML spell it.
pub(crate) fn named<T: Named>(setting: &str, text: &str) -> PyResult<T> {
    T::of_name(text).map_err(|unknown| value_error(format!("{setting}: {unknown}")))
}

/// Reads the name of a window.
pub(crate) fn window(text: &str) -> PyResult<Window> {
    Window::of_name(text).map_err(|unknown| value_error(format!("window: {unknown}")))
}

/// Every entry, as the JSON of `GET /v1/registry`.
#[pyfunction]
pub(crate) fn registry() -> PyResult<String> {
    serde_json::to_string(&graph_bandit::spec::registry()).map_err(value_error)
}

/// The number that Student's t with this many degrees of freedom exceeds in magnitude with
/// probability `1 - confidence`.
#[pyfunction]
pub(crate) fn student(freedom: usize, confidence: f64) -> PyResult<f64> {
    if freedom == 0 || !(confidence > 0.0 && confidence < 1.0) {
        return Err(PyValueError::new_err(format!(
            "confidence {confidence} of {freedom} degrees of freedom: give a level between 0 and \
             1, such as 0.95, and at least two runs"
        )));
    }
    Ok(graph_bandit_lab::statistics::student(freedom, confidence))
}

/// The agent's name and the parameters that differ from the preset's; also checks the text.
#[pyfunction]
#[pyo3(signature = (text, preset="paper"))]
pub(crate) fn agent_label(text: &str, preset: &str) -> PyResult<String> {
    let preset = named("preset", preset)?;
    Ok(AgentSpec::parse(text, preset).map_err(value_error)?.label(preset))
}

/// Why an agent with its default parameters cannot walk a graph; `None` if it can.
#[pyfunction]
pub(crate) fn cannot_walk(agent: &str, graph: &Graph) -> PyResult<Option<String>> {
    let spec = AgentSpec::parse(agent, Preset::Paper).map_err(value_error)?;
    Ok(spec.build(&graph.core).err().map(|error| error.to_string()))
}

/// As `agent_label`, for an agent that leads teams.
#[pyfunction]
#[pyo3(signature = (text, preset="paper"))]
pub(crate) fn team_label(text: &str, preset: &str) -> PyResult<String> {
    let preset = named("preset", preset)?;
    Ok(TeamSpec::parse(text, preset).map_err(value_error)?.label(preset))
}

/// Refuses a text that is not a noise.
#[pyfunction]
pub(crate) fn check_noise(text: &str) -> PyResult<()> {
    text.parse::<NoiseSource>().map(|_| ()).map_err(|error| value_error(format!("noise: {error}")))
}

/// Refuses a text that is not a rule for means, or names a file without means.
#[pyfunction]
pub(crate) fn check_means(text: &str) -> PyResult<()> {
    MeansSource::parse(text, Path::new("")).map(|_| ()).map_err(|error| of_lab(&error))
}
