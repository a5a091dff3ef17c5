//! The command line for users of the Python package.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs `gbandit` with these arguments and returns its exit code.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| gbandit::run(arguments))
}
