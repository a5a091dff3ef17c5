//! What there is: agents with their parameters.

use crate::errors::{of_lab, value_error};
use graph_bandit::{AgentSpec, Origin, Preset};
use graph_bandit_lab::{MeansSource, NoiseSource};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::Path;

/// Reads the name of a setting's value, as JSON and TOML spell it.
pub(crate) fn named<T: serde::de::DeserializeOwned>(setting: &str, text: &str) -> PyResult<T> {
    let value = serde_json::Value::String(text.to_owned());
    serde_json::from_value(value).map_err(|error| {
        let error = error.to_string();
        let known = error.split_once("expected ").map_or(error.as_str(), |(_, known)| known);
        let known = known.trim_start_matches("one of ").replace('`', "");
        PyValueError::new_err(format!("{setting}: there is no {text:?}; there are {known}"))
    })
}

/// The names of all agents.
#[pyfunction]
pub(crate) fn agent_names() -> Vec<&'static str> {
    AgentSpec::NAMES.to_vec()
}

/// What the agent of that name is, in one line.
#[pyfunction]
pub(crate) fn agent_summary(name: &str) -> PyResult<&'static str> {
    Ok(AgentSpec::parse(name, Preset::Paper).map_err(value_error)?.summary())
}

/// Where the agent of that name comes from: `"paper"` or `"frontier"`.
#[pyfunction]
pub(crate) fn agent_origin(name: &str) -> PyResult<&'static str> {
    let spec = AgentSpec::parse(name, Preset::Paper).map_err(value_error)?;
    Ok(match spec.origin() {
        Origin::Paper => "paper",
        Origin::Frontier => "frontier",
    })
}

/// The number that Student's t of so many degrees of freedom exceeds in magnitude with probability
/// `1 - confidence`.
#[pyfunction]
pub(crate) fn student(freedom: usize, confidence: f64) -> PyResult<f64> {
    if freedom == 0 || !(confidence > 0.0 && confidence < 1.0) {
        return Err(PyValueError::new_err(format!(
            "confidence {confidence} of {freedom} degrees of freedom: give a level between 0 and 1, \
             such as 0.95, and at least two runs"
        )));
    }
    Ok(graph_bandit_lab::statistics::student(freedom, confidence))
}

/// The parameters of an agent with the preset's values, named as on the command line.
#[pyfunction]
#[pyo3(signature = (name, preset="paper"))]
pub(crate) fn agent_parameters<'py>(
    py: Python<'py>,
    name: &str,
    preset: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let spec = AgentSpec::parse(name, named("preset", preset)?).map_err(value_error)?;
    let parameters = PyDict::new(py);
    for (key, value) in spec.parameters() {
        match value.as_f64() {
            Some(number) => parameters.set_item(key, number)?,
            None => parameters.set_item(key, value.as_str().unwrap_or_default())?,
        }
    }
    Ok(parameters)
}

/// The agent's name and the parameters that differ from the preset's; checks the text on the way.
#[pyfunction]
#[pyo3(signature = (text, preset="paper"))]
pub(crate) fn agent_label(text: &str, preset: &str) -> PyResult<String> {
    let preset = named("preset", preset)?;
    Ok(AgentSpec::parse(text, preset).map_err(value_error)?.label(preset))
}

/// Refuses a text that names no noise.
#[pyfunction]
pub(crate) fn check_noise(text: &str) -> PyResult<()> {
    text.parse::<NoiseSource>().map(|_| ()).map_err(|error| value_error(format!("noise: {error}")))
}

/// Refuses a text that is no rule for means, or names a file that is none of means.
#[pyfunction]
pub(crate) fn check_means(text: &str) -> PyResult<()> {
    MeansSource::parse(text, Path::new("")).map(|_| ()).map_err(|error| of_lab(&error))
}
