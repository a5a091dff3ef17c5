//! Where in a JSON text something does not fit.

use serde_path_to_error::{Path, Segment};

/// The error of a reading, after the member that it is about: `walkers[1].speed: ..`.
pub(crate) fn in_member(path: &Path, said: &str, error: String) -> String {
    let mut parts: Vec<&Segment> =
        path.iter().filter(|part| !matches!(part, Segment::Unknown)).collect();
    let unknown = said.strip_prefix("unknown field `").and_then(|rest| rest.split('`').next());
    if let (Some(Segment::Map { key }), Some(unknown)) = (parts.last(), unknown)
        && key == unknown
    {
        // Its name is in the message. If the member was read as a whole, the path ends before that name.
        parts.pop();
    }
    let parts: Vec<String> = parts.into_iter().map(ToString::to_string).collect();
    match parts.join(".").replace(".[", "[") {
        place if place.is_empty() => error,
        place => format!("{place}: {error}"),
    }
}
