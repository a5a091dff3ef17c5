//! The library's errors as Python exceptions, with the library's own messages and the argument that
//! helps.

use crate::graph::Graph;
use crate::labels::Labels;
use graph_bandit::team::{BestStaticError, SessionError, SetupError, TeamError, TeamRunError};
use graph_bandit::{ChangeError, EdgeError, FieldError, LegError, NodeId, Raised, TellError};
use graph_bandit_lab::LabError;
use graph_bandit_lab::output::Occupied;
use graph_bandit_maps::{Helps, MapError, Reason, Ways};
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

pyo3::create_exception!(
    graph_bandit,
    IllegalMoveError,
    PyValueError,
    "One step cannot reach that node: no open edge or road leads there."
);
pyo3::create_exception!(
    graph_bandit,
    UnknownNodeError,
    PyValueError,
    "The graph has no such node."
);

/// A `ValueError` with the library's message.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The exception depends on whose mistake it was.
pub(crate) fn of_lab(error: &LabError) -> PyErr {
    match error {
        LabError::Interrupted => PyKeyboardInterrupt::new_err("interrupted"),
        LabError::Run { error: raised, .. } => {
            of_python(raised).unwrap_or_else(|| PyRuntimeError::new_err(error.to_string()))
        }
        LabError::Threads { .. } => PyRuntimeError::new_err(error.to_string()),
        LabError::File(file) if file.line.is_none() => {
            unreadable(&file.path, &file.reason).unwrap_or_else(|| value_error(file))
        }
        LabError::Map(map) => unreadable(&map.path, "").unwrap_or_else(|| of_map(map)),
        LabError::Occupied { by, .. } => PyValueError::new_err(format!("{error}; {}", remedy(by))),
        LabError::Store { .. } => PyOSError::new_err(error.to_string()),
        other => value_error(other),
    }
}

/// As [`of_lab`], with the user's node labels where the error names a node.
pub(crate) fn of_study(py: Python<'_>, labels: &Labels, error: &LabError) -> PyErr {
    let named = |error: &BestStaticError| error.clone().named(|node| labels.repr(py, node), None);
    match error {
        LabError::BestStatic(error) => value_error(LabError::BestStatic(named(error))),
        LabError::Run { agent, run, error: raised } => match raised.downcast_ref() {
            Some(TeamRunError::Best(error)) => {
                value_error(format!("run {run} of {agent}: {}", named(error)))
            }
            _ => of_lab(error),
        },
        other => of_lab(other),
    }
}

/// The system's own exception, such as `FileNotFoundError`, if a file cannot be read; a remedy in
/// `reason` becomes a note of it.
fn unreadable(path: &Path, reason: &str) -> Option<PyErr> {
    let cause = read_again(path).err()?;
    let code = cause.raw_os_error()?;
    let text = cause.to_string();
    let text = text.trim_end_matches(&format!(" (os error {code})")).to_owned();
    // Python chooses the class by the number. On Windows it reads the last part, elsewhere the first.
    let error = PyOSError::new_err((code, text, path.as_os_str().to_owned(), code));
    if let Some((_, remedy)) = reason.split_once("; ")
        && let Err(failed) = Python::attach(|py| error.add_note(py, remedy))
    {
        return Some(failed);
    }
    Some(error)
}

/// Reads the beginning of a file: the library's errors hold only the text of the system's error.
fn read_again(path: &Path) -> io::Result<()> {
    let kind = fs::metadata(path)?.file_type();
    // A pipe may have nobody who writes into it a second time.
    if !(kind.is_file() || kind.is_dir()) {
        return Ok(());
    }
    File::open(path)?.read(&mut [0]).map(|_| ())
}

/// What to do about a directory that must not be overwritten.
fn remedy(by: &Occupied) -> &'static str {
    match by {
        Occupied::OtherResult => "give another directory as `out`, or force=True to overwrite it",
        Occupied::OtherUnfinished => "give another directory as `out`, or force=True to start over",
        Occupied::ShowsOther => "give another directory as `out`, or force=True to make it again",
        Occupied::NotMeasured(_) => {
            "give another directory as `out`, or force=True to measure them again"
        }
        _ => "give another directory as `out`",
    }
}

/// What is wrong with a map, and the argument of `read_map` that helps, if there is one.
fn of_map(error: &MapError) -> PyErr {
    let argument = match error.reason {
        Reason::Disconnected { .. } | Reason::OneWayTrap { .. } => {
            " (largest_component=True of read_map)"
        }
        Reason::Travel { helps: Some(helps), .. } => match helps {
            Helps::Times => " (times=.. of read_map)",
            Helps::Speed => " (speed=.. of read_map)",
            Helps::VisitTime => " (visit_time=.. of read_map)",
            Helps::OneWay => " (directed=True of read_map)",
            Helps::Closures => " (closures=(0.01, 0.1))",
            _ => "",
        },
        Reason::NoWays { wanted: Ways::Walkable } => " (ways=\"drive\" of read_map)",
        Reason::NoWays { wanted: Ways::Drivable } => " (ways=\"walk\" of read_map)",
        _ => "",
    };
    PyValueError::new_err(format!("{error}{argument}"))
}

/// The original exception of a Python agent or reward.
fn of_python(raised: &Raised) -> Option<PyErr> {
    let error = raised.downcast_ref::<PyErr>()?;
    Some(Python::attach(|py| error.clone_ref(py)))
}

/// Why a walker cannot continue.
pub(crate) fn of_leg(error: &LegError) -> PyErr {
    let raised = match error {
        LegError::Agent(raised) | LegError::Payer(raised) => of_python(raised),
        _ => None,
    };
    raised.unwrap_or_else(|| PyRuntimeError::new_err(error.to_string()))
}

/// Why a team cannot continue.
pub(crate) fn of_team(error: &TeamError) -> PyErr {
    let raised = match error {
        TeamError::Agent(raised) | TeamError::Payer(raised) => of_python(raised),
        _ => None,
    };
    raised.unwrap_or_else(|| PyRuntimeError::new_err(error.to_string()))
}

/// The refusal of a team, with the user's node labels.
pub(crate) fn of_team_session(py: Python<'_>, graph: &Graph, error: &SessionError) -> PyErr {
    let labels = &graph.labels;
    match error {
        SessionError::Field(error) => of_tell(py, labels, &TellError::Field(error.clone())),
        SessionError::Agent(raised) => {
            of_python(raised).unwrap_or_else(|| PyRuntimeError::new_err(error.to_string()))
        }
        SessionError::Member(error) => of_setup(py, labels, error),
        SessionError::Edge(error) => of_change(py, graph, &ChangeError::Edge(error.clone())),
        SessionError::Forbidden { walker, node } => value_error(format!(
            "walker {walker} may not be on node {}; name one of its nodes, or let it leave and join \
             again with other nodes",
            labels.repr(py, *node)
        )),
        other => value_error(other),
    }
}

/// Why a walker cannot join, with the user's node labels.
fn of_setup(py: Python<'_>, labels: &Labels, error: &SetupError) -> PyErr {
    let name = |node: NodeId| labels.repr(py, node);
    PyValueError::new_err(match error {
        SetupError::StartForbidden { start, .. } => {
            format!(
                "the walker starts on node {}, where it may not be; allow it there",
                name(*start)
            )
        }
        SetupError::CutOff { node, start, .. } => {
            let (node, start) = (name(*node), name(*start));
            format!(
                "the walker may be on node {node}, but its allowed nodes do not connect node {node} \
                 with its start {start}; allow a way between them, or leave node {node} out"
            )
        }
        SetupError::Speed { speed, .. } => {
            format!("the walker has speed {speed}; give a positive number")
        }
        other => other.to_string(),
    })
}

/// The refusal of a tell, with the user's node labels.
pub(crate) fn of_tell(py: Python<'_>, labels: &Labels, error: &TellError) -> PyErr {
    let name = |node: NodeId| labels.repr(py, node);
    match error {
        TellError::IllegalMove { from, to } => IllegalMoveError::new_err(format!(
            "one step cannot get from node {} to node {}; \
             if the walker was carried there, call `move_to` first",
            name(*from),
            name(*to)
        )),
        TellError::Field(FieldError::UnknownNode { .. }) => {
            UnknownNodeError::new_err(error.to_string())
        }
        TellError::Field(FieldError::NonFiniteReward { node, reward }) => {
            PyValueError::new_err(format!(
                "reward {reward} at node {} is out of range; give a number from -1e100 to 1e100",
                name(*node)
            ))
        }
        TellError::Leg(error) => of_leg(error),
        other => value_error(other),
    }
}

/// Why an edge cannot be blocked or opened, with the user's node labels.
pub(crate) fn of_change(py: Python<'_>, graph: &Graph, error: &ChangeError) -> PyErr {
    let labels = &graph.labels;
    let ends = |(a, b): (NodeId, NodeId)| {
        let (a, b) = (labels.repr(py, a), labels.repr(py, b));
        match graph.core.roads() {
            None => format!("edge between node {a} and node {b}"),
            Some(_) => format!("road from node {a} to node {b}"),
        }
    };
    let text = match error {
        ChangeError::Edge(EdgeError::NoSuchEdge { edge }) => {
            format!("there is no {}", ends(*edge))
        }
        ChangeError::Edge(EdgeError::AlreadyClosed { edge }) => {
            format!("the {} is blocked already", ends(*edge))
        }
        ChangeError::Edge(EdgeError::AlreadyOpen { edge }) => {
            format!("the {} is open already", ends(*edge))
        }
        ChangeError::Edge(EdgeError::CutsOff { edge, cut_off }) => format!(
            "without the {} the graph falls apart: node {} is cut off, and this agent cannot go on \
             without it; use an agent that plans, such as g-star",
            ends(*edge),
            labels.repr(py, *cut_off)
        ),
        other => other.to_string(),
    };
    PyValueError::new_err(text)
}
