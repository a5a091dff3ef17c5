//! Maps: graphs in files, with names, coordinates, lengths and all other attributes.
//!
//! It embodies one decision: **every reader makes a [`Draft`], and one place turns drafts into
//! maps**. That place handles and reports oddities of a file (loops, repeats, directions, separate
//! parts, `3.0` for `3`) in the same way for all formats; a reader only knows its format. A writer
//! reports what it cannot put into its format ([`LeftOut`]): if it reports nothing, reading gives
//! an equal map. The rejected alternative was readers that build graphs themselves: each would be
//! tolerant in its own way.
//!
//! ```
//! use graph_bandit_maps::{Format, ReadOptions, read_bytes, write_bytes};
//! let text = b"source,target,length\nharbour,market,120.0\n";
//! let reading = read_bytes(text, &ReadOptions::default())?;
//! assert_eq!(reading.map.edge(0, 1).unwrap().length, Some(120.0));
//! let csv = write_bytes(&reading.map, Format::EDGE_LIST)?;
//! assert_eq!(csv.bytes, text);
//! assert!(csv.left_out.is_empty());
//! # Ok::<(), graph_bandit_maps::Problem>(())
//! ```

mod assemble;
mod assemble_roads;
mod columns;
mod distance;
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
pub use note::Note;
pub use osm::Ways;
pub use read::{ReadOptions, read_bytes, read_file, text_of};
pub use summary::{AttributeSummary, Summary};
pub use travel::{
    ClosingRoads, Direction, Directions, Field, Guess, Helps, LeftOutOfTravel, Rates, RoadRates,
    Rule, TimesUsed, Travel, TravelReport,
};
pub use write::{LeftOut, Losses, Written, write_bytes, write_file};
