//! Reads map files into graphs for agents.

use super::body::{Page, Raw};
use super::large::{Large, bytes_of, bytes_of_numbers, large, room_for};
use super::maps::DrawnMap;
use super::room::Client;
use super::{Problem, Shared, kind};
use crate::agent::{GraphLimits, Positions};
use crate::fleet::{FleetError, Holding};
use axum::extract::State;
use graph_bandit_figures::positions_of;
use graph_bandit_maps::{
    Component, Directions, Format, Helps, LeftOutOfTravel, Limits, ReadOptions, Reason, Travel,
    TravelReport, Ways, read_bytes,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// The deepest nesting of a file.
const DEPTH: usize = 64;
/// The memory for names and attributes of a file, per byte of the longest body: a file may be packed, or
/// set an attribute of every node with one word.
const HELD_PER_BYTE: usize = 8;

/// Which ways of an OpenStreetMap extract to use.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum WaysAsked {
    /// Ways for pedestrians.
    #[default]
    Walk,
    /// Ways for cars.
    Drive,
}

/// How to read a file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapReader {
    /// The format of the file. By default, the service recognizes it by the file's name, or else by its first bytes.
    #[schemars(with = "Option<FormatName>")]
    format: Option<String>,
    /// If the map is not connected, use its largest part instead of refusing it. In a map of one-way roads, it is the
    /// largest part in which every node can be reached from every other.
    #[serde(default)]
    largest_component: bool,
    /// Use the directions that the file declares. In an edge list, each line then leads one way.
    #[serde(default)]
    directed: bool,
    /// The edge field from which the service computes the travel time of a road, not counting the visit at its end.
    /// The field may hold a time, a length or a speed. With `times`, the service also uses the directions that the
    /// file declares.
    #[schemars(example = &"travel_time")]
    times: Option<String>,
    /// The speed that turns lengths into times, in metres per second.
    #[schemars(extend("exclusiveMinimum" = 0))]
    speed: Option<f64>,
    /// How many seconds a visit takes. The service uses it to convert seconds to units of one visit. Without it,
    /// times in the file count as units of one visit; for times computed from a speed, one second counts as one
    /// visit.
    #[schemars(extend("exclusiveMinimum" = 0))]
    visit_time: Option<f64>,
    /// Which ways of an OpenStreetMap extract to use.
    #[serde(default)]
    ways: WaysAsked,
    /// The name of the file. Its extension may indicate the format.
    #[schemars(example = "streets.graphml")]
    name: Option<String>,
    /// Also return where to draw each node.
    #[serde(default)]
    positions: bool,
}

/// The schema of the name of a format.
#[derive(JsonSchema)]
#[schemars(inline, extend("enum" = Format::all().into_iter().map(Format::name).collect::<Vec<_>>()))]
struct FormatName(#[allow(dead_code)] String);

/// A map read from a file.
#[derive(Serialize, JsonSchema)]
pub struct ReadMap {
    /// Its format.
    #[schemars(with = "FormatName")]
    format: &'static str,
    /// Its graph.
    graph: DrawnMap,
    /// What the service left out, merged or guessed.
    notes: Vec<String>,
    /// Where to draw each node, if requested. Positions are not part of `graph`, so you can create an agent with
    /// `graph` as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<Positions>,
}

pub(super) async fn read(
    State(service): Shared,
    Page(reader): Page<MapReader>,
    client: Client,
    Raw(bytes): Raw,
) -> Result<Large<ReadMap>, Problem> {
    reader.format()?;
    let limits = MapLimits { graph: service.fleet.graph_limits(), bytes: service.limits.body };
    // One at a time: a file takes many times its size while it is read.
    let turn = Arc::clone(&service.uploads).acquire_owned().await;
    let holding = Holding::of_this_task();
    let found = tokio::task::spawn_blocking(move || {
        let _holding = holding;
        let found = found(&bytes, &reader, limits);
        // Nodes are placed without holding the turn: that takes long, but little memory.
        drop(turn);
        found.map(|found| found.placed(&reader))
    });
    let found = found.await.map_err(|error| {
        tracing::error!(%error, "reading a map panicked");
        FleetError::Defect
    })?;
    let found = found?;
    let numbers = bytes_of_numbers(found.positions.as_ref().map_or(0, |all| 2 * all.len()));
    let room = room_for(bytes_of(&found.graph.graph) + numbers, &service, &client).await?;
    large(room, found).await
}

/// Reads a map.
///
/// # Errors
/// When the file is not a connected map, or too large; names the parameter that helps.
pub fn read_map(bytes: &[u8], reader: &MapReader, limits: MapLimits) -> Result<ReadMap, Problem> {
    found(bytes, reader, limits).map(|found| found.placed(reader))
}

/// How large a map may be.
#[derive(Debug, Clone, Copy)]
pub struct MapLimits {
    /// Its graph.
    pub graph: GraphLimits,
    /// Its file, in bytes.
    pub bytes: usize,
}

impl MapReader {
    /// The requested format.
    fn format(&self) -> Result<Option<Format>, Problem> {
        let format = self.format.as_deref().map(str::parse::<Format>).transpose();
        format.map_err(|reason| Problem::new(kind::QUERY, reason))
    }
}

impl ReadMap {
    /// Adds the positions of the nodes, if requested.
    fn placed(mut self, reader: &MapReader) -> Self {
        self.positions = reader.positions.then(|| positions_of(&self.graph.graph));
        self
    }
}

fn found(bytes: &[u8], reader: &MapReader, most: MapLimits) -> Result<ReadMap, Problem> {
    let size = most.graph;
    let limits = Limits {
        file_bytes: most.bytes as u64,
        depth: DEPTH,
        // An edge may be given once per direction.
        elements: size.edges.saturating_mul(2).saturating_add(size.nodes),
        held_bytes: most.bytes.saturating_mul(HELD_PER_BYTE),
    };
    let format = reader.format()?;
    let name = reader.name.as_deref().map(Path::new);
    let format = format.or_else(|| name.and_then(Format::of_name));
    let format =
        format.map_or_else(|| Format::of_content(bytes), Ok).map_err(|error| unreadable(&error))?;
    let options = ReadOptions {
        format: Some(format),
        component: if reader.largest_component { Component::Largest } else { Component::Only },
        ways: match reader.ways {
            WaysAsked::Walk => Ways::Walkable,
            WaysAsked::Drive => Ways::Drivable,
        },
        travel: Travel {
            directions: if reader.directed { Directions::OneWay } else { Directions::LeftOut },
            times: reader.times.clone(),
            speed: reader.speed,
            visit_time: reader.visit_time,
        },
        limits,
        ..ReadOptions::default()
    };
    let reading = read_bytes(bytes, &options).map_err(|error| {
        if has_lost_its_lines(format, bytes) {
            return map_problem(format!("{error}. {ONE_LINE}"));
        }
        if let Reason::TooMany { nodes, edges, .. } = error.reason {
            return too_large(nodes, edges, size);
        }
        unreadable(&error)
    })?;
    let notes = reading.notes.iter().map(ToString::to_string);
    let notes = notes.chain(notes_of_travel(&reading.travel)).collect();
    let graph = Arc::new(reading.map.into_graph());
    let visit_time = reader.visit_time.filter(|_| graph.roads().is_some());
    let graph = DrawnMap { graph, visit_time, positions: None, blocked: None, learned: None };
    fitting(ReadMap { format: format.name(), graph, notes, positions: None }, size)
}

/// Notes on guessed times, and on directions and times that were left out.
fn notes_of_travel(report: &TravelReport) -> Vec<String> {
    let guessed = report.guessed.iter().map(|guess| {
        let edges = if guess.count == 1 { "edge" } else { "edges" };
        format!("times of {} {edges} guessed from {}", guess.count, guess.rule.text())
    });
    let mut notes: Vec<String> = guessed.collect();
    let LeftOutOfTravel { rates, .. } = report.left_out;
    if rates > 0 {
        let edges = if rates == 1 { "edge" } else { "edges" };
        notes.push(format!(
            "closing_rate of {rates} {edges} left out: report closures as they happen"
        ));
    }
    let left_out = LeftOutOfTravel { rates: 0, ..report.left_out.clone() };
    if !left_out.is_empty() {
        let help = "(keep them with directed=true, times=FIELD or speed=METRES_PER_SECOND)";
        notes.push(format!("left out: {} {help}", left_out.text()));
    }
    notes
}

/// Refuses a graph that no agent may have.
fn fitting(found: ReadMap, limits: GraphLimits) -> Result<ReadMap, Problem> {
    let graph = &found.graph.graph;
    let (nodes, edges) = (graph.len(), graph.edge_count());
    limits.check(nodes, edges).map_err(|_| too_large(nodes, edges, limits))?;
    Ok(found)
}

fn too_large(nodes: usize, edges: usize, limits: GraphLimits) -> Problem {
    map_problem(format!(
        "the map has {nodes} nodes and {edges} edges, and the limits are {} nodes and {} edges; \
         cut it to a smaller area",
        limits.nodes, limits.edges
    ))
}

/// What to do about a file that has lost the ends of its lines.
const ONE_LINE: &str = "The body is a single line; if curl sends a file, use --data-binary @FILE, because -d \
    removes the ends of lines";

/// Whether a file of lines has one long line only. `curl -d @FILE` removes the ends of lines.
fn has_lost_its_lines(format: Format, bytes: &[u8]) -> bool {
    let is_one_line = !bytes.iter().any(|byte| matches!(byte, b'\n' | b'\r'));
    format == Format::EDGE_LIST
        && is_one_line
        && bytes.iter().any(|byte| !byte.is_ascii_whitespace())
}

/// The problem with a file, and the query parameter that helps, if any.
fn unreadable(problem: &graph_bandit_maps::Problem) -> Problem {
    let parameter = match problem.reason {
        Reason::Disconnected { .. } | Reason::OneWayTrap { .. } => " (largest_component=true)",
        Reason::Travel { helps: Some(helps), .. } => match helps {
            Helps::Times => " (times=FIELD)",
            Helps::Speed => " (speed=METRES_PER_SECOND)",
            Helps::VisitTime => " (visit_time=SECONDS)",
            Helps::OneWay => " (directed=true)",
            _ => "",
        },
        Reason::NoWays { wanted: Ways::Walkable } => " (ways=drive)",
        Reason::NoWays { wanted: Ways::Drivable } => " (ways=walk)",
        _ => "",
    };
    map_problem(format!("{problem}{parameter}"))
}

fn map_problem(detail: String) -> Problem {
    Problem::new(kind::MAP, detail)
}
