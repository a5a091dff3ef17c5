//! Maps: that of an agent, and those in files, as graphs that an agent can be created with.

use super::body::{Id, Page, Raw};
use super::large::{Large, bytes_of, bytes_of_numbers, large, room_for};
use super::map_pieces::MapPieces;
use super::pieces::InPieces;
use super::room::Client;
use super::{Problem, Shared, kind};
use crate::agent::{GraphLimits, Positions};
use crate::fleet::{AgentMap, FleetError, Holding};
use axum::extract::State;
use graph_bandit::{Edge, Graph, NodeId};
use graph_bandit_figures::positions_of;
use graph_bandit_maps::{Component, Format, Limits, ReadOptions, Reason, Ways, read_bytes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use std::path::Path;
use std::sync::Arc;

/// How deep a file may be nested.
const DEPTH: usize = 64;
/// What names and attributes of a file may take in memory, per byte that a body may have: a file
/// may be packed, or say the same of every node with one word.
const HELD_PER_BYTE: usize = 8;

/// A graph by its nodes and edges or roads, the form in which an agent is created; and what else is wanted of it.
#[derive(JsonSchema)]
#[schemars(with = "Members<'static>", rename = "Map")]
pub(super) struct Drawn {
    pub(super) graph: Arc<Graph>,
    pub(super) visit_time: Option<f64>,
    pub(super) positions: Option<Arc<Positions>>,
    pub(super) blocked: Option<Vec<Edge>>,
}

/// What is said of a graph.
#[derive(Serialize, JsonSchema)]
struct Members<'a> {
    /// How many nodes.
    #[schemars(range(min = 1))]
    nodes: usize,
    /// Pairs of nodes; each edge leads both ways.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<[NodeId; 2]>>")]
    edges: Option<Edges<'a>>,
    /// Instead of edges where they run one way or take time: where each road begins, where it leads, and how long it
    /// takes beyond the visit at its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<(NodeId, NodeId, f64)>>")]
    roads: Option<AllRoads<'a>>,
    /// How many seconds a visit takes, where that was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    visit_time: Option<f64>,
    /// One per node, where nodes have names.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<&'a [String]>,
    /// One per node, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    coordinates: Option<&'a [[f64; 2]]>,
    /// Where each node is drawn, if that was asked for: y upwards, around the origin, in a square of
    /// side 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<&'a [[f64; 2]]>,
    /// What is blocked now, if that was asked for: edges, the lower number first, or roads, as they run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<[NodeId; 2]>>")]
    blocked: Option<&'a [Edge]>,
}

struct Edges<'a>(&'a Graph);

impl Serialize for Edges<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.edges())
    }
}

struct AllRoads<'a>(&'a Graph);

impl Serialize for AllRoads<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.all_roads().map(|road| (road.from, road.to, road.time)))
    }
}

impl Serialize for Drawn {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { graph, visit_time, positions, blocked } = self;
        let has_roads = graph.roads().is_some();
        let members = Members {
            nodes: graph.len(),
            edges: (!has_roads).then_some(Edges(graph)),
            roads: has_roads.then_some(AllRoads(graph)),
            visit_time: *visit_time,
            names: graph.names(),
            coordinates: graph.coordinates(),
            positions: positions.as_ref().map(|positions| positions.as_slice()),
            blocked: blocked.as_deref(),
        };
        members.serialize(to)
    }
}

/// What to say of a map. Whatever else the query holds means nothing, as it always has.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Wanted {
    /// Say where nodes are drawn, too.
    #[serde(default)]
    positions: bool,
    /// Say which edges or roads are blocked, too.
    #[serde(default)]
    blocked: bool,
}

pub(super) async fn map(
    State(service): Shared,
    Id(id): Id,
    Page(wanted): Page<Wanted>,
) -> Result<InPieces<Drawn>, Problem> {
    let (map, positions) = if wanted.positions {
        let (map, positions) = service.fleet.drawn_map(&id).await?;
        (map, Some(positions))
    } else {
        (service.fleet.map(&id).await?, None)
    };
    let AgentMap { graph, visit_time, blocked } = map;
    let blocked = wanted.blocked.then_some(blocked);
    Ok(InPieces::of(MapPieces::new(Drawn { graph, visit_time, positions, blocked })))
}

/// Which ways of an extract of OpenStreetMap to take.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum WaysAsked {
    /// Those that people walk on.
    #[default]
    Walk,
    /// Those that cars drive on.
    Drive,
}

/// How to read a file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Reader {
    /// The format; default: as the name tells, then as the file begins.
    #[serde(default)]
    #[schemars(with = "Option<FormatName>")]
    format: Option<String>,
    /// Take the largest part of a map that is not connected, instead of none.
    #[serde(default)]
    largest_component: bool,
    /// Which ways of an extract of OpenStreetMap to take.
    #[serde(default)]
    ways: WaysAsked,
    /// What the file is called; its ending may tell the format.
    #[serde(default)]
    #[schemars(example = "streets.graphml")]
    name: Option<String>,
    /// Say where nodes are drawn, too.
    #[serde(default)]
    positions: bool,
}

/// The schema of the name of a format.
#[derive(JsonSchema)]
#[schemars(inline, extend("enum" = Format::all().into_iter().map(Format::name).collect::<Vec<_>>()))]
struct FormatName(#[allow(dead_code)] String);

/// A map as it was read.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ReadMap")]
pub(super) struct Found {
    /// Its format.
    #[schemars(with = "FormatName")]
    format: &'static str,
    /// Its graph.
    graph: Drawn,
    /// What was left out or taken otherwise.
    notes: Vec<String>,
    /// Where each node is drawn, if that was asked for: beside the graph, which can be sent back as it is
    /// to create an agent with.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<Positions>,
}

pub(super) async fn read(
    State(service): Shared,
    Page(reader): Page<Reader>,
    client: Client,
    Raw(bytes): Raw,
) -> Result<Large<Found>, Problem> {
    let format = reader.format.as_deref().map(str::parse::<Format>).transpose();
    let format = format.map_err(|reason| Problem::new(kind::QUERY, reason))?;
    let (graph, body) = (service.fleet.graph_limits(), service.limits.body);
    // One at a time: a file takes many times its size while it is read.
    let turn = Arc::clone(&service.uploads).acquire_owned().await;
    let holding = Holding::of_this_task();
    let found = tokio::task::spawn_blocking(move || {
        let _holding = holding;
        let limits = Limits {
            file_bytes: body as u64,
            depth: DEPTH,
            // An edge may be given once per direction.
            elements: graph.edges.saturating_mul(2).saturating_add(graph.nodes),
            held_bytes: body.saturating_mul(HELD_PER_BYTE),
        };
        let found = found(&bytes, format, &reader, limits).and_then(|found| fitting(found, graph));
        // Nodes are placed out of turn: that takes long, and little memory.
        drop(turn);
        let positions = |found: &Found| reader.positions.then(|| positions_of(&found.graph.graph));
        found.map(|found| Found { positions: positions(&found), ..found })
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

fn found(
    bytes: &[u8],
    format: Option<Format>,
    reader: &Reader,
    limits: Limits,
) -> Result<Found, Problem> {
    let name = reader.name.as_deref().map(Path::new);
    let format = format.or_else(|| name.and_then(Format::of_name));
    let format =
        format.map_or_else(|| Format::of_content(bytes), Ok).map_err(|error| unreadable(&error))?;
    let options = ReadOptions {
        format: Some(format),
        component: if reader.largest_component { Component::Largest } else { Component::Whole },
        ways: match reader.ways {
            WaysAsked::Walk => Ways::Walkable,
            WaysAsked::Drive => Ways::Drivable,
        },
        limits,
        ..ReadOptions::default()
    };
    let reading = read_bytes(bytes, &options).map_err(|error| unreadable(&error))?;
    let notes = reading.notes.iter().map(ToString::to_string).collect();
    let graph = Arc::new(reading.map.into_graph());
    let graph = Drawn { graph, visit_time: None, positions: None, blocked: None };
    Ok(Found { format: format.name(), graph, notes, positions: None })
}

/// A graph that no agent may have is better refused now.
fn fitting(found: Found, limits: GraphLimits) -> Result<Found, Problem> {
    let graph = &found.graph.graph;
    limits.check(graph.len(), graph.edge_count()).map_err(|error| no_map(error.to_string()))?;
    Ok(found)
}

/// What is wrong with a file, and the parameter of the query that helps, if any does.
fn unreadable(problem: &graph_bandit_maps::Problem) -> Problem {
    let parameter = match problem.reason {
        Reason::Disconnected { .. } | Reason::OneWayTrap { .. } => " (largest_component=true)",
        Reason::NoWays { wanted: Ways::Walkable } => " (ways=drive)",
        Reason::NoWays { wanted: Ways::Drivable } => " (ways=walk)",
        _ => "",
    };
    no_map(format!("{problem}{parameter}"))
}

fn no_map(detail: String) -> Problem {
    Problem::new(kind::MAP, detail)
}
