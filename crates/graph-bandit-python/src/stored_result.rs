//! Complete results of studies in TOML, read back as arrays.

use crate::errors::of_lab;
use graph_bandit_lab::output;
use graph_bandit_lab::study_file::StudyFile;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use std::path::PathBuf;

/// All runs of one agent on one case in one window.
#[pyclass(frozen, get_all, module = "graph_bandit._core")]
pub(crate) struct StoredCurves {
    study: String,
    case: String,
    graph: String,
    agent: String,
    preset: &'static str,
    window: &'static str,
    /// Whether preset and window are those shown in the study's figures.
    shown: bool,
    /// Whether `t` counts units of time.
    on_roads: bool,
    steps: u64,
    t: Py<PyArray1<i64>>,
    regret: Py<PyArray2<f64>>,
    realized_regret: Py<PyArray2<f64>>,
    reward: Py<PyArray2<f64>>,
    legs: Py<PyArray2<i64>>,
    init_steps: Py<PyArray1<f64>>,
    init_regret: Py<PyArray1<f64>>,
}

/// Reads a complete result from its directory.
#[pyfunction]
pub(crate) fn read_back(py: Python<'_>, directory: PathBuf) -> PyResult<Vec<StoredCurves>> {
    let read = py.detach(|| output::read_back(&directory)).map_err(|error| of_lab(&error))?;
    let output::StoredResult { campaign, curves } = read;
    let study = |name: &str| campaign.studies.iter().find(|study| study.name == name);
    curves.into_iter().map(|stored| StoredCurves::of(py, study(&stored.study), stored)).collect()
}

impl StoredCurves {
    fn of(
        py: Python<'_>,
        study: Option<&StudyFile>,
        stored: output::StoredCurves,
    ) -> PyResult<Self> {
        let case =
            study.and_then(|study| study.cases.iter().find(|case| case.title() == stored.case));
        let shape = [stored.init_steps.len(), stored.t.len()];
        let floats = |values: Vec<f64>| -> PyResult<Py<PyArray2<f64>>> {
            Ok(values.into_pyarray(py).reshape(shape)?.unbind())
        };
        #[allow(clippy::cast_possible_truncation)] // Legs are counts below 2^53.
        let legs: Vec<i64> = stored.legs.iter().map(|&legs| legs as i64).collect();
        Ok(Self {
            shown: study.is_some_and(|study| {
                study.preset == stored.preset && study.window == stored.window
            }),
            on_roads: case.is_some_and(|case| case.directed || case.times.is_some()),
            graph: case.map(|case| case.graph.clone()).unwrap_or_default(),
            steps: stored.t.last().copied().unwrap_or(0),
            t: stored.t.iter().map(|&t| t as i64).collect::<Vec<_>>().into_pyarray(py).unbind(),
            regret: floats(stored.regret)?,
            realized_regret: floats(stored.realized_regret)?,
            reward: floats(stored.reward)?,
            legs: legs.into_pyarray(py).reshape(shape)?.unbind(),
            init_steps: stored.init_steps.into_pyarray(py).unbind(),
            init_regret: stored.init_regret.into_pyarray(py).unbind(),
            study: stored.study,
            case: stored.case,
            agent: stored.agent,
            preset: graph_bandit::spec::Named::name(stored.preset),
            window: stored.window.name(),
        })
    }
}
