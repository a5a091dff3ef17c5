//! Where a graph comes from: a family of the registry, or a file.

use crate::edge_list::read_edge_list;
use crate::error::{FileError, LabError};
use graph_bandit::{Graph, GraphSpec, Preset, Seed, SelfPlace};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A family with its size, or an edge-list file.
#[derive(Debug, Clone, PartialEq)]
pub enum GraphSource {
    /// A graph of the registry.
    Family(GraphSpec),
    /// An edge list.
    File(PathBuf),
}

impl GraphSource {
    /// Builds or reads the graph; random families are drawn from `seed`. In preset `program` the
    /// neighbourhoods are listed as the authors' program lists them.
    ///
    /// # Errors
    /// When the family refuses its size, or the file is no connected graph.
    pub fn load(&self, seed: Seed, preset: Preset) -> Result<Graph, LabError> {
        let (graph, place) = match self {
            Self::Family(spec) => {
                let graph = spec.build(seed).map_err(|error| LabError::setting("graph", error))?;
                (graph, spec.program_self_place())
            }
            Self::File(path) => {
                let graph = read_edge_list(path).map_err(|error| or_family(path, error))?;
                (graph, SelfPlace::Ascending)
            }
        };
        Ok(match preset {
            Preset::Paper => graph,
            Preset::Program => graph.with_self_place(place),
        })
    }
}

/// Where there is no such file, a family may have been meant.
fn or_family(path: &Path, mut error: FileError) -> FileError {
    if !path.exists() {
        let families = GraphSpec::families().iter().map(|family| family.usage);
        let families = families.collect::<Vec<_>>().join(" ");
        error.reason = format!("{}; give a file, or a family: {families}", error.reason);
    }
    error
}

impl GraphSource {
    /// The same source with a relative path starting at `base`.
    #[must_use]
    pub fn below(self, base: &Path) -> Self {
        match self {
            Self::Family(spec) => Self::Family(spec),
            Self::File(path) => Self::File(base.join(path)),
        }
    }
}

impl FromStr for GraphSource {
    type Err = LabError;

    /// `FAMILY:SIZE` or the name of a family is that family; other text without a colon is a path.
    fn from_str(text: &str) -> Result<Self, LabError> {
        let is_family = GraphSpec::families().iter().any(|family| family.name == text);
        if text.contains(':') || is_family {
            let spec = text.parse().map_err(|error| LabError::setting("graph", error))?;
            Ok(Self::Family(spec))
        } else {
            Ok(Self::File(PathBuf::from(text)))
        }
    }
}

impl fmt::Display for GraphSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Family(spec) => spec.fmt(f),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_files_and_mistakes_are_told_apart() {
        assert!(matches!("grid:3x4".parse(), Ok(GraphSource::Family(_))));
        assert!(matches!("arkansas".parse(), Ok(GraphSource::Family(_))));
        assert_eq!("roads.csv".parse(), Ok(GraphSource::File("roads.csv".into())));
        let unknown = "gird:3x4".parse::<GraphSource>().unwrap_err().to_string();
        assert!(unknown.contains("gird") && unknown.contains("grid"), "{unknown}");
        assert!("grid".parse::<GraphSource>().is_err());
    }
}
