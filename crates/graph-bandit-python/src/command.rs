//! The command line for users of the Python package.

use gbandit::Called;
use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs `gbandit` with these arguments and returns its exit code. To start itself again, it runs the
/// program `host`, whose first arguments are `before`.
#[pyfunction]
pub(crate) fn command(
    py: Python<'_>,
    host: OsString,
    before: Vec<OsString>,
    arguments: Vec<OsString>,
) -> u8 {
    let called = Called::within(host, before, arguments);
    py.detach(|| gbandit::run(&called))
}
