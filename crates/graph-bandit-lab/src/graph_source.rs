//! The source of a graph: a family of the registry, or a file.

use crate::closure_source::ClosureSource;
use crate::error::{FileError, LabError};
use graph_bandit::spec::Entry;
use graph_bandit::{Graph, GraphSpec, Preset, Seed, SelfPlace};
use graph_bandit_maps::{
    Map, MapError, Note, Rates, ReadOptions, Reading, RoadRates, Travel, TravelReport, read_file,
};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A family with its size, or a map file.
#[derive(Debug, Clone, PartialEq)]
pub enum GraphSource {
    /// A graph of the registry.
    Family(GraphSpec),
    /// A map in any supported format.
    File(MapFile),
}

/// A map file, and how to read it.
#[derive(Debug, Clone, PartialEq)]
pub struct MapFile {
    /// Its path.
    pub path: PathBuf,
    /// How to read it.
    pub options: ReadOptions,
}

/// A graph that was built or read, with notes about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// The graph.
    pub graph: Graph,
    /// What the reader left out or changed.
    pub notes: Vec<Note>,
    /// What happened to the directions and times of a file.
    pub travel: Option<TravelReport>,
    /// How often roads close and reopen, if requested from the file.
    pub rates: RoadRates,
}

impl MapFile {
    /// Reads the map.
    ///
    /// # Errors
    /// When the file is not a connected map. If the file does not exist, the message lists the
    /// families.
    pub fn read(&self) -> Result<Reading, LabError> {
        let reading = read_file(&self.path, &self.options);
        reading.map_err(|error| if self.path.exists() { error.into() } else { or_family(error) })
    }
}

impl GraphSource {
    /// Builds or reads the graph; random families use `seed`. In preset `program`, neighbours are
    /// in the order of the authors' program.
    ///
    /// # Errors
    /// When the family refuses its size, or the file is not a connected map.
    pub fn load(&self, seed: Seed, preset: Preset) -> Result<Graph, LabError> {
        self.load_noted(seed, preset).map(|(graph, _)| graph)
    }

    /// Like [`GraphSource::load`], with the reader's notes about a file.
    ///
    /// # Errors
    /// As [`GraphSource::load`].
    pub fn load_noted(&self, seed: Seed, preset: Preset) -> Result<(Graph, Vec<Note>), LabError> {
        self.load_with_travel(seed, preset).map(|loaded| (loaded.graph, loaded.notes))
    }

    /// Like [`GraphSource::load_noted`], with what happened to the directions and times of a file.
    ///
    /// # Errors
    /// As [`GraphSource::load`].
    pub fn load_with_travel(&self, seed: Seed, preset: Preset) -> Result<Loaded, LabError> {
        let (mut loaded, place) = match self {
            Self::Family(spec) => {
                let graph = built(spec, seed)?;
                let loaded =
                    Loaded { graph, notes: Vec::new(), travel: None, rates: RoadRates::new() };
                (loaded, spec.program_self_place())
            }
            Self::File(file) => {
                let Reading { map, notes, travel, rates, .. } = file.read()?;
                let loaded = Loaded { graph: map.into_graph(), notes, travel: Some(travel), rates };
                (loaded, SelfPlace::Ascending)
            }
        };
        if preset == Preset::Program {
            loaded.graph = loaded.graph.with_self_place(place);
        }
        Ok(loaded)
    }

    /// Builds or reads the graph as a map, with the reader's notes.
    ///
    /// # Errors
    /// As [`GraphSource::load`].
    pub fn read(&self, seed: Seed) -> Result<Reading, LabError> {
        match self {
            Self::Family(spec) => Ok(Reading::of(Map::from(built(spec, seed)?))),
            Self::File(file) => file.read(),
        }
    }

    /// The same source; a file is read with `options`.
    #[must_use]
    pub fn with_options(mut self, options: ReadOptions) -> Self {
        if let Self::File(file) = &mut self {
            file.options = options;
        }
        self
    }

    /// The same source; the directions and times of a file are read as `travel` says.
    ///
    /// # Errors
    /// When `travel` asks for directions or times of a family, which has neither.
    pub fn with_travel(mut self, travel: Travel) -> Result<Self, LabError> {
        match &mut self {
            Self::File(file) => file.options.travel = travel,
            Self::Family(spec) if travel.is_asked() => {
                let setting = match &travel {
                    Travel { times: Some(_), .. } => "times",
                    Travel { speed: Some(_), .. } => "speed",
                    Travel { visit_time: Some(_), .. } => "visit-time",
                    _ => "directed",
                };
                let reason = format!(
                    "the roads of {spec} lead both ways and take no time; give a map file, or \
                     leave this out"
                );
                return Err(LabError::setting(setting, reason));
            }
            Self::Family(_) => {}
        }
        Ok(self)
    }

    /// The same source; a file's closing rates are read if roads close at these.
    ///
    /// # Errors
    /// When that is asked of a family, which has no rates.
    pub fn with_closures(mut self, closures: Option<ClosureSource>) -> Result<Self, LabError> {
        match &mut self {
            _ if closures != Some(ClosureSource::Map) => {}
            Self::File(file) => file.options.rates = Rates::Used,
            Self::Family(spec) => {
                let reason = format!(
                    "the roads of {spec} have no rates of their own; give a map file, or rates for all \
                     roads, such as 0.01,0.1"
                );
                return Err(LabError::setting("closures", reason));
            }
        }
        Ok(self)
    }

    /// The same source; a relative path starts at `base`.
    #[must_use]
    pub fn below(mut self, base: &Path) -> Self {
        if let Self::File(file) = &mut self {
            file.path = base.join(&file.path);
        }
        self
    }
}

fn built(spec: &GraphSpec, seed: Seed) -> Result<Graph, LabError> {
    spec.build(seed).map_err(|error| LabError::setting("graph", error))
}

/// If the file does not exist, the user may have meant a family.
fn or_family(MapError { path, line, reason }: MapError) -> LabError {
    let families = GraphSpec::entries().into_iter().map(Entry::usage);
    let families = families.collect::<Vec<_>>().join(" ");
    let reason = format!("{reason}; give a file, or a family: {families}");
    FileError { path, line, reason }.into()
}

impl From<PathBuf> for MapFile {
    fn from(path: PathBuf) -> Self {
        Self { path, options: ReadOptions::default() }
    }
}

impl FromStr for GraphSource {
    type Err = LabError;

    /// `FAMILY:SIZE` or the name of a family is that family. Other text without a colon is a path;
    /// so is text that begins with a drive, as in `C:\town.csv`.
    fn from_str(text: &str) -> Result<Self, LabError> {
        let is_family = text.contains(':') && !begins_with_drive(text);
        if is_family || GraphSpec::names().contains(&text) {
            let spec = text.parse().map_err(|error| LabError::setting("graph", error))?;
            Ok(Self::Family(spec))
        } else {
            Ok(Self::File(PathBuf::from(text).into()))
        }
    }
}

/// Whether it is an absolute Windows path: no family has a name of one letter.
fn begins_with_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic())
}

impl fmt::Display for GraphSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Family(spec) => spec.fmt(f),
            Self::File(file) => file.path.display().fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_files_and_mistakes_are_distinguished() {
        assert!(matches!("grid:3x4".parse(), Ok(GraphSource::Family(_))));
        assert!(matches!("arkansas".parse(), Ok(GraphSource::Family(_))));
        let file = MapFile::from(PathBuf::from("roads.csv"));
        assert_eq!("roads.csv".parse(), Ok(GraphSource::File(file)));
        for path in ["C:\\maps\\roads.csv", "d:/roads.csv"] {
            assert_eq!(path.parse(), Ok(GraphSource::File(PathBuf::from(path).into())));
        }
        let unknown = "gird:3x4".parse::<GraphSource>().unwrap_err().to_string();
        assert!(unknown.contains("gird") && unknown.contains("grid"), "{unknown}");
        assert!("grid".parse::<GraphSource>().is_err());
    }
}
