//! The formats, and how to tell them apart.

use crate::draft::Draft;
use crate::error::Problem;
use crate::map::Map;
use crate::read::ReadOptions;
use crate::write::Losses;
use crate::{edge_list, geojson, graphml, osm};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::{PoisonError, RwLock};

/// Whether a file begins like a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beginning {
    /// It does.
    Like,
    /// It may, if no other format is certain.
    Perhaps,
    /// It does not.
    Unlike,
    /// It begins like a known format that cannot be read; says what to do instead.
    NotRead(&'static str),
}

/// Writes a map as text, and reports what the format cannot hold.
pub type WriteText = fn(&Map, &mut Losses) -> String;

/// The definition of a map format.
#[derive(Debug, Clone, Copy)]
pub struct FormatEntry {
    /// Its name on the command line.
    pub name: &'static str,
    /// The endings of its files, in lower case and without the dot.
    pub extensions: &'static [&'static str],
    /// Recognizes it by the beginning of a file, without a byte-order mark.
    pub begins: fn(&[u8]) -> Beginning,
    /// Reads the bytes of a file.
    pub read: fn(&[u8], &ReadOptions) -> Result<Draft, Problem>,
    /// Writes a map; for a read-only format, says what to write instead.
    pub write: Result<WriteText, &'static str>,
}

/// A file format for maps.
#[derive(Clone, Copy)]
pub struct Format(&'static FormatEntry);

static ADDED: RwLock<Vec<Format>> = RwLock::new(Vec::new());

impl Format {
    /// `GraphML`, as networkx, `OSMnx` and Gephi write it.
    pub const GRAPHML: Self = Self(&graphml::FORMAT);
    /// `GeoJSON`: lines and points.
    pub const GEOJSON: Self = Self(&geojson::FORMAT);
    /// `GeoJSON` for the route server of Nav2: each edge once per direction. Read like any other
    /// `GeoJSON`.
    pub const NAV2: Self = Self(&geojson::NAV2);
    /// One edge per line.
    pub const EDGE_LIST: Self = Self(&edge_list::FORMAT);
    /// An `OpenStreetMap` extract, `.osm.pbf`. Read-only.
    pub const OSM: Self = Self(&osm::FORMAT);

    const BUILT_IN: [Self; 5] =
        [Self::GRAPHML, Self::GEOJSON, Self::NAV2, Self::EDGE_LIST, Self::OSM];

    /// All formats; added ones come last.
    pub fn all() -> Vec<Self> {
        let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
        Self::BUILT_IN.iter().chain(added.iter()).copied().collect()
    }

    /// Adds a format for the rest of the process: every reader and writer knows it from now on.
    ///
    /// # Errors
    /// When another format has its name or one of its endings.
    pub fn register(entry: &'static FormatEntry) -> Result<Self, Problem> {
        let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
        let alike = |other: &&Self| {
            other.name() == entry.name
                || other.0.extensions.iter().any(|ending| entry.extensions.contains(ending))
        };
        if let Some(other) = Self::BUILT_IN.iter().chain(added.iter()).find(alike) {
            let name = entry.name;
            return Err(Problem::in_file(format!(
                "format {name:?} cannot be added: {other} has its name or one of its endings"
            )));
        }
        added.push(Self(entry));
        Ok(Self(entry))
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Its definition.
    pub fn entry(self) -> &'static FormatEntry {
        self.0
    }

    /// The format of a file name's ending.
    pub fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::all().into_iter().find(|format| format.0.extensions.contains(&&*extension))
    }

    /// The format that a file begins like; an edge list may begin with anything.
    ///
    /// # Errors
    /// When it begins like a known format that cannot be read.
    pub fn of_content(bytes: &[u8]) -> Result<Self, Problem> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut perhaps = Self::EDGE_LIST;
        for format in Self::all() {
            match (format.0.begins)(bytes) {
                Beginning::Like => return Ok(format),
                Beginning::Perhaps => perhaps = format,
                Beginning::Unlike => {}
                Beginning::NotRead(instead) => return Err(Problem::in_file(instead)),
            }
        }
        Ok(perhaps)
    }

    /// The names of all formats, for messages.
    pub(crate) fn names() -> Vec<&'static str> {
        Self::all().into_iter().map(Self::name).collect()
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Format {}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::all().into_iter().find(|format| format.name() == text).ok_or_else(|| {
            let names = Self::names().join(", ");
            format!("{text:?} is not a map format; the formats are {names}")
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_endings() {
        for format in Format::all() {
            assert_eq!(format.name().parse(), Ok(format));
        }
        assert!("shp".parse::<Format>().unwrap_err().contains("graphml"));
        for (name, format) in [
            ("a/b.GraphML", Some(Format::GRAPHML)),
            ("town.osm.pbf", Some(Format::OSM)),
            ("x.json", None),
            ("x.txt", None),
            ("graphml", None),
        ] {
            assert_eq!(Format::of_name(Path::new(name)), format, "{name}");
        }
    }

    #[test]
    fn beginnings() {
        for (text, format) in [
            ("\u{feff}<?xml version='1.0'?><graphml>", Format::GRAPHML),
            (" {\"type\": ", Format::GEOJSON),
            ("graph,b\n", Format::EDGE_LIST),
            ("graph b {'weight': 3}\n", Format::EDGE_LIST),
            ("", Format::EDGE_LIST),
            ("\0\0\0\x0d\x0a\x09OSMHeader", Format::OSM),
        ] {
            assert_eq!(Format::of_content(text.as_bytes()), Ok(format), "{text:?}");
        }
        for text in ["<?xml?><osm version='0.6'>", "strict digraph \"\" {a -> b}", "graph{a--b}"] {
            assert!(Format::of_content(text.as_bytes()).is_err(), "{text:?}");
        }
    }
}
