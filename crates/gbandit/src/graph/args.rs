//! Flags for reading and writing maps.

use crate::args::positive;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use graph_bandit_lab::{GraphSource, LabError};
use graph_bandit_maps::{Component, Directions, Format, Limits, Rates, ReadOptions, Travel, Ways};
use std::path::PathBuf;

/// How to read a map file.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct MapArgs {
    /// If a map has several parts, take the one with the most nodes. With one-way roads, a part is
    /// a set of nodes that can all reach each other.
    #[arg(long)]
    pub(crate) largest_component: bool,

    /// The format of the file, if neither its name nor its content shows it: graphml, geojson,
    /// edge-list or osm.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,

    /// Which ways of an OpenStreetMap extract become edges.
    #[arg(long, value_enum, default_value_t = WaysArg::Walk)]
    pub(crate) ways: WaysArg,

    #[command(flatten)]
    pub(crate) travel: TravelArgs,
}

const HEADING: &str = "Roads of a map";

/// Which directions and times of a map count. Without these flags, every edge leads both ways and
/// takes one step.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct TravelArgs {
    /// Use the directions in the file; each line of an edge list leads one way.
    #[arg(long, help_heading = HEADING)]
    pub(crate) directed: bool,

    /// The edge field that says how long a road takes, not counting the visit at its end: a time
    /// such as `travel_time`, a length, or a speed such as maxspeed. The directions that the file
    /// declares then count, too.
    #[arg(
        long,
        value_name = "FIELD",
        value_parser = NonEmptyStringValueParser::new(),
        help_heading = HEADING
    )]
    pub(crate) times: Option<String>,

    /// The speed that turns lengths into times; also used for edges that lack the field of --times.
    #[arg(
        long,
        value_name = "METRES_PER_SECOND",
        value_parser = positive(),
        help_heading = HEADING
    )]
    pub(crate) speed: Option<f64>,

    /// How long a visit takes: converts seconds in the file to units of one visit. Default: the
    /// numbers in the file are already in units of one visit; if times are computed from a speed, a
    /// second counts as one visit.
    #[arg(long, value_name = "SECONDS", value_parser = positive(), help_heading = HEADING)]
    pub(crate) visit_time: Option<f64>,
}

impl TravelArgs {
    pub(crate) fn travel(&self) -> Travel {
        Travel {
            directions: if self.directed { Directions::OneWay } else { Directions::LeftOut },
            times: self.times.clone(),
            speed: self.speed,
            visit_time: self.visit_time,
        }
    }
}

/// Whether to read a map's closing rates.
#[derive(Debug, Clone, Copy, ClapArgs)]
pub(crate) struct RatesArgs {
    /// Read the rates at which roads close and reopen from the map, as `run --closures map` does:
    /// `closing_rate` and `reopening_rate` of edges, per unit of time.
    #[arg(long, value_name = "map", value_enum, help_heading = HEADING)]
    pub(crate) closures: Option<RatesArg>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RatesArg {
    /// Use the rates in the map.
    Map,
}

impl RatesArgs {
    pub(crate) fn rates(self) -> Rates {
        self.closures.map_or(Rates::LeftOut, |RatesArg::Map| Rates::Used)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WaysArg {
    /// Ways for pedestrians.
    Walk,
    /// Ways for cars.
    Drive,
}

impl MapArgs {
    /// The options these flags select.
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            format: self.format,
            component: if self.largest_component { Component::Largest } else { Component::Only },
            ways: match self.ways {
                WaysArg::Walk => Ways::Walkable,
                WaysArg::Drive => Ways::Drivable,
            },
            travel: self.travel.travel(),
            rates: Rates::LeftOut,
            limits: Limits::default(),
        }
    }

    /// The graph that `graph` names, read with these flags.
    pub(crate) fn source(&self, graph: &str) -> Result<GraphSource, LabError> {
        source(graph, self.options())
    }
}

/// The graph that `graph` names, read with `options`.
pub(crate) fn source(graph: &str, options: ReadOptions) -> Result<GraphSource, LabError> {
    let travel = options.travel.clone();
    graph.parse::<GraphSource>()?.with_options(options).with_travel(travel)
}

#[derive(Debug, Subcommand)]
pub(crate) enum GraphCommand {
    /// Show what a map has: nodes, edges, degrees, diameter, parts, coordinates, attributes,
    /// directions and times, and what was left out.
    Info(InfoArgs),
    /// Check a map: a list of findings, and exit code 3 if it cannot be used as it is.
    Validate(ValidateArgs),
    /// Write a map in another format, with all its edges and their directions; notes say what that
    /// format cannot hold. With --times, each edge has its time in units of one visit, as `time`.
    Convert(ConvertArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct InfoArgs {
    /// The map: a file, or FAMILY:SIZE such as grid:10x10.
    #[arg(value_name = "FILE|FAMILY:SIZE")]
    pub(crate) graph: String,

    #[command(flatten)]
    pub(crate) map: MapArgs,

    #[command(flatten)]
    pub(crate) rates: RatesArgs,

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

    #[command(flatten)]
    pub(crate) rates: RatesArgs,

    /// Also refuse a map if anything was left out or changed.
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

    /// The file to write; its name decides the format: .graphml, .geojson, .csv.
    pub(crate) out: PathBuf,

    #[command(flatten)]
    pub(crate) map: MapArgs,

    /// The format to write, whatever the file's name: graphml, geojson, nav2 or edge-list.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<Format>,
}
