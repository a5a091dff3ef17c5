//! The one place that turns errors into messages and exit codes and names the flag that helps:
//! library errors say what is wrong and do not know flags.

#[cfg(feature = "report")]
use crate::campaign::Interrupted;
use crate::graph::Refused;
use crate::list;
use crate::progress::tell_last;
use graph_bandit_lab::LabError;
#[cfg(feature = "report")]
use graph_bandit_lab::output::Occupied;
use graph_bandit_maps::{Helps, Reason};
use std::fmt;
use std::io;

/// Success.
const SUCCEEDED: u8 = 0;
/// Something failed at run time.
const FAILED: u8 = 1;
/// A flag is wrong.
const USAGE: u8 = 2;
/// A file is wrong.
const FILE: u8 = 3;

/// The user stopped the program; finished work is on disk.
#[cfg(feature = "report")]
pub(crate) const INTERRUPTED: u8 = 130;

/// A command that this build leaves out; the feature of this name adds it.
#[derive(Debug)]
#[cfg_attr(
    all(feature = "play", feature = "report", feature = "serve"),
    allow(dead_code, reason = "nothing is left out")
)]
pub(crate) struct LeftOut(pub(crate) &'static str);

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(feature) = self;
        write!(f, "gbandit was built without `{feature}`; build it with `--features {feature}`")
    }
}

impl std::error::Error for LeftOut {}

/// Reports the error, if any, and returns the exit code.
pub(crate) fn code(result: anyhow::Result<()>) -> u8 {
    let Err(error) = result else {
        return SUCCEEDED;
    };
    if is_closed_pipe(&error) {
        // The reader of our output has closed it.
        return SUCCEEDED;
    }
    let (code, message) = match error.downcast_ref::<LabError>() {
        None if error.is::<LeftOut>() || error.is::<list::Unknown>() => (USAGE, error.to_string()),
        #[cfg(feature = "report")]
        None if error.is::<Interrupted>() => (INTERRUPTED, error.to_string()),
        None if error.is::<Refused>() => (FILE, error.to_string()),
        Some(LabError::Setting { setting, reason }) => (USAGE, format!("--{setting}: {reason}")),
        Some(LabError::BestStatic(error)) => (USAGE, format!("--walkers: {error}")),
        Some(LabError::File(file)) => (FILE, file.to_string()),
        Some(LabError::Map(map)) => (FILE, with_flag(map.to_string(), &map.reason)),
        #[cfg(feature = "report")]
        Some(occupied @ LabError::Occupied { by, .. }) => {
            (USAGE, format!("--out: {occupied}; {}", remedy(by)))
        }
        _ => (FAILED, format!("{error:#}")),
    };
    tell_last(format!("error: {message}"));
    code
}

/// The message about a map, with the flag that helps, if any.
pub(crate) fn with_flag(said: String, reason: &Reason) -> String {
    let flag = match reason {
        Reason::Disconnected { .. } | Reason::OneWayTrap { .. } => "--largest-component",
        Reason::Travel { helps: Some(helps), .. } => match helps {
            Helps::Times => "--times FIELD",
            Helps::Speed => "--speed",
            Helps::VisitTime => "--visit-time",
            Helps::OneWay => "--directed",
            Helps::Closures => "--closures RATE,RATE",
            _ => return said,
        },
        Reason::NoWays { .. } => "--ways",
        Reason::NoFormat { .. } => "--to",
        _ => return said,
    };
    format!("{said} ({flag})")
}

/// What to do about a directory that cannot be written.
#[cfg(feature = "report")]
fn remedy(by: &Occupied) -> &'static str {
    match by {
        Occupied::OtherResult => "choose another directory, or --force to overwrite it",
        Occupied::Unfinished => "--resume continues it, --force starts over",
        Occupied::OtherUnfinished => "choose another directory, or --force to start over",
        Occupied::ShowsOther => "choose another directory, or --force to make it again",
        Occupied::Damaged(_) => {
            "--resume makes it again; if you changed a file, keep a copy elsewhere first"
        }
        Occupied::NotMeasured(_) => "choose another directory, or --force to measure them again",
        _ => "choose another directory",
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
