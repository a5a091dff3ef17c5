//! Agents and rewards that studies in TOML name by import path, imported by
//! `graph_bandit.imported`.

use crate::graph::Graph;
use crate::own_agent::own_entrant;
use crate::own_rewards::Drawer;
use graph_bandit::Graph as CoreGraph;
use graph_bandit_lab::imported::{ImportPath, Importer};
use graph_bandit_lab::{Entrant, NoiseSource};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Imports as Python does.
pub(crate) struct PythonImporter;

impl Importer for PythonImporter {
    fn agent(&self, path: &ImportPath, graph: &Arc<CoreGraph>) -> Result<Entrant, String> {
        Python::attach(|py| {
            let make = called(py, "agent", path)?.unbind();
            let graph = Py::new(py, Graph::of_lab(py, graph)?)?;
            Ok(own_entrant(path.to_string(), make, graph))
        })
        .map_err(message_of)
    }

    fn rewards(&self, path: &ImportPath, graph: &Arc<CoreGraph>) -> Result<NoiseSource, String> {
        Python::attach(|py| {
            let graph = Py::new(py, Graph::of_lab(py, graph)?)?;
            let (draw, scale) = called(py, "rewards", path)?.call1((graph,))?.extract()?;
            Ok(Drawer { draw, scale }.into_noise(&path.to_string()))
        })
        .map_err(message_of)
    }

    fn fingerprint(&self, path: &ImportPath) -> Result<String, String> {
        Python::attach(|py| called(py, "fingerprint", path)?.extract()).map_err(message_of)
    }
}

/// Calls a function of `graph_bandit.imported` on a path.
fn called<'py>(py: Python<'py>, function: &str, path: &ImportPath) -> PyResult<Bound<'py, PyAny>> {
    let ImportPath { module, name, parameters } = path;
    let functions = py.import("graph_bandit.imported")?;
    functions.getattr(function)?.call1((path.to_string(), module, name, parameters.clone()))
}

/// The module's own errors are complete; for others the type is worth knowing.
fn message_of(error: PyErr) -> String {
    Python::attach(|py| {
        let is_refusal = error.is_instance_of::<PyValueError>(py);
        if is_refusal { error.value(py).to_string() } else { error.to_string() }
    })
}
