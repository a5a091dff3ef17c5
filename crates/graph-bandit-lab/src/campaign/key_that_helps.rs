//! Map errors of a case, with the key of the case that helps.

use crate::error::LabError;
use graph_bandit_maps::{Helps, Reason};

/// The error message, with the key that helps, if any.
pub(super) fn with_key(error: &LabError) -> String {
    let LabError::Map(map) = error else { return error.to_string() };
    let key = match map.reason {
        Reason::Disconnected { .. } | Reason::OneWayTrap { .. } => "largest-component = true",
        Reason::Travel { helps: Some(helps), .. } => match helps {
            Helps::Times => "times = \"FIELD\"",
            Helps::Speed => "speed = METRES_PER_SECOND",
            Helps::VisitTime => "visit-time = SECONDS",
            Helps::OneWay => "directed = true",
            Helps::Closures => "closures = \"RATE,RATE\"",
            _ => return error.to_string(),
        },
        _ => return error.to_string(),
    };
    format!("{error} ({key})")
}
