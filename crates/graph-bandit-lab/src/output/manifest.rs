//! The manifest: what made a result, so that it can be told from another and made again.

use super::names::MANIFEST;
use crate::campaign::Campaign;
use crate::error::LabError;
use graph_bandit::Graph;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// What made a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of this program.
    pub version: String,
    /// The seeds of the studies, by name.
    pub seeds: BTreeMap<String, u64>,
    /// A fingerprint of each graph, by its text.
    pub graphs: BTreeMap<String, String>,
    /// A fingerprint of all that decides the results.
    pub plan: String,
    /// What was carried out, as data.
    pub spec: serde_json::Value,
}

impl Manifest {
    /// The manifest of a campaign.
    ///
    /// # Errors
    /// When a graph cannot be loaded.
    pub fn of(campaign: &Campaign) -> Result<Self, LabError> {
        let mut graphs = BTreeMap::new();
        for cell in &campaign.cells {
            let graph = cell.prepare(&campaign.base, &campaign.graphs)?.graph;
            graphs.insert(cell.graph.clone(), graph_fingerprint(&graph));
        }
        let seeds = campaign.studies.iter().map(|study| (study.name.clone(), study.seed)).collect();
        let spec = serde_json::to_value(campaign).unwrap_or_default();
        let version = campaign.version.clone();
        let mut manifest = Self { version, seeds, graphs, plan: String::new(), spec };
        manifest.plan = fingerprint(serde_json::to_string(&manifest).unwrap_or_default().bytes());
        Ok(manifest)
    }

    /// The manifest of a complete result, `None` where there is none.
    ///
    /// # Errors
    /// When it is there but cannot be read.
    pub fn read(directory: &Path) -> Result<Option<Self>, LabError> {
        let path = directory.join(MANIFEST);
        let unreadable =
            |reason: String| LabError::Store { reason: format!("{}: {reason}", path.display()) };
        match fs::read_to_string(&path) {
            Ok(text) => {
                serde_json::from_str(&text).map(Some).map_err(|cause| unreadable(cause.to_string()))
            }
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(unreadable(cause.to_string())),
        }
    }
}

fn graph_fingerprint(graph: &Graph) -> String {
    let edges = graph.edges().flat_map(|(a, b)| [a, b]);
    let numbers = std::iter::once(graph.len() as u32).chain(edges);
    fingerprint(numbers.flat_map(u32::to_le_bytes))
}

/// FNV-1a of 64 bits: enough to notice a difference, not meant against forgery.
fn fingerprint(bytes: impl Iterator<Item = u8>) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", bytes.fold(0xcbf2_9ce4_8422_2325, step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_match_the_published_function() {
        // Test vectors of FNV-1a, 64 bits.
        assert_eq!(fingerprint(b"".iter().copied()), "cbf29ce484222325");
        assert_eq!(fingerprint(b"foobar".iter().copied()), "85944171f73967e8");
    }
}
