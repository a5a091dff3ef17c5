//! Result directories: their content, when one may be written, and how it is completed.
//!
//! ```text
//! DIR/runs/            finished blocks while a campaign is unfinished; gone when it is complete
//! DIR/studies/*.toml   the studies, every default spelled out
//! DIR/curves.parquet   one row per run and checkpoint      DIR/runs.parquet   one row per run
//! DIR/summary.json     means, deviations, intervals, verdicts
//! DIR/figures/*        each figure's data (JSON), SVG and PNG
//! DIR/timings.json     measured times, never compared for equality
//! DIR/index.html       the page
//! DIR/manifest.json    written last, with the sizes and checksums of all files above: its presence
//!                      means that they are complete and on disk
//! ```

mod directory;
mod finish;
mod manifest;
mod merge;
mod read_back;
mod written;

pub use directory::{Mode, Occupied, Start, start};
pub use finish::{finish, redraw, summary};
pub use manifest::Manifest;
pub use merge::{Joined, merge};
pub use read_back::{StoredCurves, StoredResult, read_back};
pub use written::{Damage, Files, Written};

/// The file names of a result directory.
pub(crate) mod names {
    pub(crate) const RUNS: &str = "runs";
    pub(crate) const STUDIES: &str = "studies";
    pub(crate) const FIGURES: &str = "figures";
    pub(crate) const CURVES_TABLE: &str = "curves.parquet";
    pub(crate) const RUNS_TABLE: &str = "runs.parquet";
    pub(crate) const SUMMARY: &str = "summary.json";
    pub(crate) const TIMINGS: &str = "timings.json";
    pub(crate) const PAGE: &str = "index.html";
    pub(crate) const MANIFEST: &str = "manifest.json";
    pub(crate) const STAGING: &str = ".staging";
}
