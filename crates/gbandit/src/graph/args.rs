//! The flags that say how a map is read and written.

use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use graph_bandit_maps::{Component, Format, Limits, ReadOptions, Ways};
use std::path::PathBuf;

/// How to read the file of a map.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct MapArgs {
    /// Of a map in several parts, take the one with the most nodes.
    #[arg(long)]
    pub(crate) largest_component: bool,

    /// The format of the file, where neither its name nor its beginning tells: graphml, geojson,
    /// edge-list, dot or osm.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,

    /// Which ways of an OpenStreetMap extract become edges.
    #[arg(long, value_enum, default_value_t = WaysArg::Walk)]
    pub(crate) ways: WaysArg,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WaysArg {
    /// Where one may walk.
    Walk,
    /// Where one may drive a car.
    Drive,
}

impl MapArgs {
    /// What these flags ask for.
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            format: self.format,
            component: if self.largest_component { Component::Largest } else { Component::Whole },
            ways: match self.ways {
                WaysArg::Walk => Ways::Walkable,
                WaysArg::Drive => Ways::Drivable,
            },
            limits: Limits::default(),
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum GraphCommand {
    /// Show what a map has: nodes, edges, degrees, diameter, parts, coordinates, attributes, and what
    /// was left out while reading.
    Info(InfoArgs),
    /// Check a map: a list of findings, and exit code 3 if it cannot be used as it is.
    Validate(ValidateArgs),
    /// Write a map in another format; what that format cannot hold is said.
    Convert(ConvertArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct InfoArgs {
    /// The map: a file, or FAMILY:SIZE such as grid:10x10.
    #[arg(value_name = "FILE|FAMILY:SIZE")]
    pub(crate) graph: String,

    #[command(flatten)]
    pub(crate) map: MapArgs,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ValidateArgs {
    /// The map: a file, or FAMILY:SIZE such as grid:10x10.
    #[arg(value_name = "FILE|FAMILY:SIZE")]
    pub(crate) graph: String,

    #[command(flatten)]
    pub(crate) map: MapArgs,

    /// Refuse a map as well of which anything was left out or taken otherwise.
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ConvertArgs {
    /// The map to read: a file, or FAMILY:SIZE such as grid:10x10.
    #[arg(value_name = "IN")]
    pub(crate) graph: String,

    /// The file to write, its format told by its name: .graphml, .geojson, .csv, .dot.
    pub(crate) out: PathBuf,

    #[command(flatten)]
    pub(crate) map: MapArgs,

    /// The format to write, whatever the name: graphml, geojson, nav2, edge-list or dot.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<Format>,
}
