//! Which formats there are, and how to tell them apart.

use crate::error::Problem;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A file format of maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `GraphML`, as networkx, `OSMnx` and Gephi write it.
    GraphMl,
    /// `GeoJSON`: lines and points.
    GeoJson,
    /// `GeoJSON` for the route server of Nav2: each edge once per direction. Read like any other.
    Nav2,
    /// One edge per line.
    EdgeList,
    /// The language of Graphviz.
    Dot,
    /// An extract of `OpenStreetMap`, `.osm.pbf`. Only read.
    Osm,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::GraphMl, Self::GeoJson, Self::Nav2, Self::EdgeList, Self::Dot, Self::Osm];

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::GraphMl => "graphml",
            Self::GeoJson => "geojson",
            Self::Nav2 => "nav2",
            Self::EdgeList => "edge-list",
            Self::Dot => "dot",
            Self::Osm => "osm",
        }
    }

    /// The format that a file name ends with.
    pub fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "graphml" => Self::GraphMl,
            "geojson" => Self::GeoJson,
            "csv" | "tsv" | "edgelist" | "edges" => Self::EdgeList,
            "dot" | "gv" => Self::Dot,
            "pbf" => Self::Osm,
            _ => return None,
        })
    }

    /// The format that a file begins like; an edge list may begin with anything.
    ///
    /// # Errors
    /// When it begins like something that is known and not read.
    pub fn of_content(bytes: &[u8]) -> Result<Self, Problem> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        if bytes.get(4..15) == Some(b"\x0a\x09OSMHeader") {
            return Ok(Self::Osm);
        }
        let text = bytes.trim_ascii_start();
        match text.first() {
            Some(b'<') => match not_graphml(text) {
                Some(what) => Err(Problem::whole(what)),
                None => Ok(Self::GraphMl),
            },
            Some(b'{') => Ok(Self::GeoJson),
            _ if begins_like_dot(text) => Ok(Self::Dot),
            _ => Ok(Self::EdgeList),
        }
    }
}

fn not_graphml(text: &[u8]) -> Option<&'static str> {
    let head = &text[..text.len().min(1000)];
    let has = |tag: &[u8]| head.windows(tag.len()).any(|window| window == tag);
    if has(b"<osm ") || has(b"<osm>") {
        return Some(
            "this is OpenStreetMap XML; convert it to .osm.pbf first, as with \
             `osmium cat map.osm -o map.osm.pbf`",
        );
    }
    if has(b"<gexf") {
        return Some("this is GEXF; export it as GraphML instead");
    }
    None
}

fn begins_like_dot(text: &[u8]) -> bool {
    if text.starts_with(b"//") || text.starts_with(b"/*") {
        return true;
    }
    let word = |text: &[u8], word: &[u8]| {
        let is_word = text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
        let next = text.get(word.len()).copied().unwrap_or(b' ');
        is_word && (next.is_ascii_whitespace() || next == b'{' || next == b'"')
    };
    let text =
        if word(text, b"strict") { text[b"strict".len()..].trim_ascii_start() } else { text };
    (word(text, b"graph") || word(text, b"digraph")) && text.contains(&b'{')
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("{text:?} is no format of maps; there are {names}")
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_endings() {
        for format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(format));
        }
        assert!("shp".parse::<Format>().unwrap_err().contains("graphml"));
        for (name, format) in [
            ("a/b.GraphML", Some(Format::GraphMl)),
            ("town.osm.pbf", Some(Format::Osm)),
            ("x.gv", Some(Format::Dot)),
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
            ("\u{feff}<?xml version='1.0'?><graphml>", Format::GraphMl),
            (" {\"type\": ", Format::GeoJson),
            ("strict digraph \"\" {", Format::Dot),
            ("// a comment\ngraph {", Format::Dot),
            ("graph{a--b}", Format::Dot),
            ("graph,b\n", Format::EdgeList),
            ("graph b\n", Format::EdgeList),
            ("", Format::EdgeList),
            ("\0\0\0\x0d\x0a\x09OSMHeader", Format::Osm),
        ] {
            assert_eq!(Format::of_content(text.as_bytes()), Ok(format), "{text:?}");
        }
        assert!(Format::of_content(b"<?xml?><osm version='0.6'>").is_err());
    }
}
