//! One place that turns errors into messages and exit codes.

use crate::campaign::Interrupted;
use crate::graph::Refused;
use crate::progress::tell;
use graph_bandit_lab::LabError;
use std::io;
use std::process::ExitCode;

/// Something failed at run time.
const FAILED: u8 = 1;
/// A flag's own text is wrong.
const USAGE: u8 = 2;
/// A file is wrong.
const FILE: u8 = 3;

/// The user stopped it, and what was finished is on disk.
pub(crate) const INTERRUPTED: u8 = 130;

/// Reports the error, if any, and answers the code to exit with.
pub(crate) fn code(result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else {
        return ExitCode::SUCCESS;
    };
    if is_closed_pipe(&error) {
        // Whoever read our output has seen enough.
        return ExitCode::SUCCESS;
    }
    let (code, message) = match error.downcast_ref::<LabError>() {
        None if error.is::<Interrupted>() => (INTERRUPTED, error.to_string()),
        None if error.is::<Refused>() => (FILE, error.to_string()),
        Some(LabError::Setting { setting, reason }) => (USAGE, format!("--{setting}: {reason}")),
        Some(LabError::File(file)) => (FILE, file.to_string()),
        _ => (FAILED, format!("{error:#}")),
    };
    tell(&format!("error: {message}"));
    ExitCode::from(code)
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
