//! Maps: graphs as files have them, with names, coordinates, lengths and whatever else is said.
//!
//! It embodies one decision: **every reader makes a [`Draft`], and one place makes maps of drafts**.
//! What is odd about a file (loops, repeats, directions, loose parts, `3.0` for `3`) is dealt with
//! and said there, the same way for all formats; a reader knows its format and nothing else. What a
//! writer cannot put into its format it names ([`LeftOut`]): if it names nothing, reading gives an
//! equal map. The alternative, readers that build graphs themselves, was rejected: each would be
//! tolerant in its own way.
//!
//! ```
//! use graph_bandit_maps::{Format, ReadOptions, read_bytes, write_bytes};
//! let reading = read_bytes(b"graph { harbour -- market [length=120] }", &ReadOptions::default())?;
//! assert_eq!(reading.map.edge(0, 1).unwrap().length, Some(120.0));
//! let csv = write_bytes(&reading.map, Format::EDGE_LIST)?;
//! assert_eq!(csv.bytes, b"source,target,length\nharbour,market,120.0\n");
//! assert!(csv.left_out.is_empty());
//! # Ok::<(), graph_bandit_maps::Problem>(())
//! ```

mod assemble;
mod assemble_roads;
mod columns;
mod distance;
mod dot;
mod draft;
mod edge_list;
mod error;
mod finish;
mod format;
mod geojson;
mod graphml;
mod limits;
mod lines;
mod map;
mod near;
mod note;
mod osm;
mod parts;
mod read;
mod reading;
mod spelling;
mod summary;
mod travel;
mod wkt;
mod write;

pub use assemble::{Component, Part, Reading};
pub use draft::{Draft, DraftEdge, DraftNode};
pub use error::{MapError, Problem, Reason};
pub use format::{Beginning, Format, FormatEntry, WriteText};
pub use limits::Limits;
pub use map::{Attributes, Edge, Map, System};
pub use near::nearest_name;
pub use note::Note;
pub use osm::Ways;
pub use read::{ReadOptions, read_bytes, read_file, text_of};
pub use summary::{AttributeSummary, Summary};
pub use travel::{
    ClosingRoads, Direction, Directions, Field, Guess, Helps, LeftOutOfTravel, Rates, RoadRates,
    Rule, TimesUsed, Travel, TravelReport,
};
pub use write::{LeftOut, Losses, Written, write_bytes, write_file};
