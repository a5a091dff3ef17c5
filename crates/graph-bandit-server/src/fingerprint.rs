//! Fingerprints of texts, and unique names.

use crate::fleet::FleetError;
use graph_bandit::{Graph, Road};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// How many bytes of a fingerprint are kept.
const KEPT: usize = 16;

/// A short fingerprint of a text.
pub(crate) fn fingerprint(text: &str) -> String {
    hexadecimal(&sha256(text.as_bytes())[..KEPT])
}

/// A fingerprint that two graphs share only if they are equal: nodes, edges, names, coordinates, and roads if
/// they run one way or take time.
pub(crate) fn fingerprint_of(graph: &Graph) -> String {
    let mut hash = Sha256::new();
    hash.update((graph.len() as u64).to_le_bytes());
    for (a, b) in graph.edges() {
        hash.update(a.to_le_bytes());
        hash.update(b.to_le_bytes());
    }
    for name in graph.names().unwrap_or_default() {
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name);
    }
    for [x, y] in graph.coordinates().unwrap_or_default() {
        hash.update(x.to_le_bytes());
        hash.update(y.to_le_bytes());
    }
    if graph.roads().is_some() {
        hash.update(b"roads");
        for Road { from, to, time } in graph.all_roads() {
            hash.update(from.to_le_bytes());
            hash.update(to.to_le_bytes());
            hash.update(time.to_le_bytes());
        }
    }
    hexadecimal(&hash.finalize()[..KEPT])
}

pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// A name for an agent whose client gave none.
pub(crate) fn random_name() -> Result<String, FleetError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| {
        tracing::error!(%error, "the system could not provide random numbers");
        FleetError::Defect
    })?;
    Ok(hexadecimal(&bytes))
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
