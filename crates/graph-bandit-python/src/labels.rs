//! Node labels: any hashable Python objects, or the node numbers.

use crate::errors::UnknownNodeError;
use graph_bandit::{NodeId, nearest_name};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

/// The labels of all nodes.
pub(crate) enum Labels {
    /// Node `s` has the label `s`.
    Numbers {
        /// The number of nodes.
        nodes: usize,
    },
    /// The user's own labels.
    Own {
        /// By node number.
        list: Vec<Py<PyAny>>,
        /// From label to number.
        numbers: Py<PyDict>,
    },
}

impl Labels {
    /// The labels of a list, by node number; `None` means the numbers themselves.
    pub(crate) fn new(
        py: Python<'_>,
        nodes: usize,
        labels: Option<&Bound<'_, PyList>>,
    ) -> PyResult<Self> {
        let Some(labels) = labels else { return Ok(Self::Numbers { nodes }) };
        if labels.len() != nodes {
            return Err(PyValueError::new_err(format!(
                "{} labels for {nodes} nodes; give exactly one per node",
                labels.len()
            )));
        }
        let numbers = PyDict::new(py);
        for (number, label) in labels.iter().enumerate() {
            if let Some(other) = numbers.get_item(&label)? {
                return Err(PyValueError::new_err(format!(
                    "nodes {other} and {number} are both labelled {}; labels must differ",
                    label.repr()?
                )));
            }
            numbers.set_item(label, number)?;
        }
        let list = labels.iter().map(Bound::unbind).collect();
        Ok(Self::Own { list, numbers: numbers.unbind() })
    }

    /// The number of the node with this label.
    pub(crate) fn number(&self, label: &Bound<'_, PyAny>) -> PyResult<NodeId> {
        let unknown = |remedy: String| {
            UnknownNodeError::new_err(format!(
                "there is no node {}; {remedy}",
                label.repr().map_or_else(|_| "of that label".to_owned(), |text| text.to_string())
            ))
        };
        match self {
            Self::Numbers { nodes } => label
                .extract::<NodeId>()
                .ok()
                .filter(|&node| (node as usize) < *nodes)
                .ok_or_else(|| unknown(format!("the nodes are 0 to {}", nodes - 1))),
            Self::Own { list, numbers } => {
                let py = label.py();
                let found = numbers.bind(py).get_item(label).map_err(|error| {
                    // Unhashable objects cannot be labels.
                    if error.is_instance_of::<PyTypeError>(py) {
                        unknown("labels must be hashable".to_owned())
                    } else {
                        error
                    }
                })?;
                let example = || {
                    if let Some(near) = nearest(label, list) {
                        return unknown(format!("did you mean {near}?"));
                    }
                    let first = list.first().map_or_else(String::new, |first| {
                        first.bind(py).repr().map_or_else(|_| String::new(), |r| r.to_string())
                    });
                    unknown(format!("use the labels of your graph, such as {first}"))
                };
                found.ok_or_else(example)?.extract()
            }
        }
    }

    /// The label of a node.
    #[inline]
    pub(crate) fn label<'py>(&self, py: Python<'py>, node: NodeId) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Numbers { .. } => Ok(node.into_pyobject(py)?.into_any()),
            Self::Own { list, .. } => Ok(list[node as usize].bind(py).clone()),
        }
    }

    /// The labels of some nodes.
    pub(crate) fn tuple<'py>(
        &self,
        py: Python<'py>,
        nodes: &[NodeId],
    ) -> PyResult<Bound<'py, PyTuple>> {
        let labels: Vec<Bound<'py, PyAny>> =
            nodes.iter().map(|&node| self.label(py, node)).collect::<PyResult<_>>()?;
        PyTuple::new(py, labels)
    }

    /// The node as Python code.
    pub(crate) fn repr(&self, py: Python<'_>, node: NodeId) -> String {
        let text = self.label(py, node).and_then(|label| Ok(label.repr()?.to_string()));
        text.unwrap_or_else(|_| node.to_string())
    }

    /// The labels as texts, by node number; `None` if they are the numbers.
    pub(crate) fn texts(&self, py: Python<'_>) -> PyResult<Option<Vec<String>>> {
        match self {
            Self::Numbers { .. } => Ok(None),
            Self::Own { list, .. } => {
                let texts = list.iter().map(|label| Ok(label.bind(py).str()?.to_string()));
                texts.collect::<PyResult<_>>().map(Some)
            }
        }
    }

    /// The labels by node number; `None` if they are the numbers.
    pub(crate) fn own<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        match self {
            Self::Numbers { .. } => Ok(None),
            Self::Own { list, .. } => {
                PyList::new(py, list.iter().map(|label| label.bind(py))).map(Some)
            }
        }
    }
}

/// The label that was probably meant, as Python code; only texts are compared.
fn nearest(given: &Bound<'_, PyAny>, labels: &[Py<PyAny>]) -> Option<String> {
    let py = given.py();
    let given = given.extract::<String>().ok()?;
    let texts: Vec<String> =
        labels.iter().filter_map(|label| label.bind(py).extract::<String>().ok()).collect();
    let near = nearest_name(&given, texts.iter().map(String::as_str))?;
    near.into_pyobject(py).ok()?.repr().ok().map(|text| text.to_string())
}
