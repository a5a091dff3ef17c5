//! Maps: that of an agent, and those in files, as graphs that an agent can be created with.

use super::body::{Id, Page, Raw};
use super::large::large;
use super::{Problem, Shared};
use crate::agent::GraphLimits;
use crate::fleet::FleetError;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use graph_bandit::Graph;
use graph_bandit_maps::{Component, Format, Limits, ReadOptions, Reason, Ways, read_bytes};
use serde::{Deserialize, Serialize, Serializer};
use std::path::Path;
use std::sync::Arc;

/// How deep a file may be nested.
const DEPTH: usize = 64;
/// What names and attributes of a file may take in memory, per byte that a body may have: a file
/// may be packed, or say the same of every node with one word.
const HELD_PER_BYTE: usize = 8;

/// A graph by its nodes and edges, the form in which an agent is created.
struct Drawn(Arc<Graph>);

struct Edges<'a>(&'a Graph);

impl Serialize for Edges<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.edges())
    }
}

impl Serialize for Drawn {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Members<'a> {
            nodes: usize,
            edges: Edges<'a>,
            #[serde(skip_serializing_if = "Option::is_none")]
            names: Option<&'a [String]>,
            #[serde(skip_serializing_if = "Option::is_none")]
            coordinates: Option<&'a [[f64; 2]]>,
        }
        let Self(graph) = self;
        let (names, coordinates) = (graph.names(), graph.coordinates());
        Members { nodes: graph.len(), edges: Edges(graph), names, coordinates }.serialize(to)
    }
}

pub(super) async fn map(State(service): Shared, Id(id): Id) -> Result<Response, Problem> {
    let graph = service.fleet.look(&id, |live| Arc::clone(live.graph())).await?;
    large(Drawn(graph)).await
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WaysAsked {
    #[default]
    Walk,
    Drive,
}

/// How to read a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reader {
    #[serde(default)]
    format: Option<String>,
    #[serde(default)]
    largest_component: bool,
    #[serde(default)]
    ways: WaysAsked,
    /// What the file is called; its ending may tell the format.
    #[serde(default)]
    name: Option<String>,
}

#[derive(Serialize)]
struct Found {
    format: &'static str,
    graph: Drawn,
    notes: Vec<String>,
}

pub(super) async fn read(
    State(service): Shared,
    Page(reader): Page<Reader>,
    Raw(bytes): Raw,
) -> Result<Response, Problem> {
    let format = reader.format.as_deref().map(str::parse::<Format>).transpose();
    let format = format.map_err(|reason| {
        Problem::new(StatusCode::BAD_REQUEST, ("query", "The query is wrong"), reason)
    })?;
    let (graph, body) = (service.fleet.graph_limits(), service.limits.body);
    // One at a time: a file takes many times its size while it is read.
    let turn = Arc::clone(&service.uploads).acquire_owned().await;
    let found = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        let limits = Limits {
            file_bytes: body as u64,
            depth: DEPTH,
            // An edge may be given once per direction.
            elements: graph.edges.saturating_mul(2).saturating_add(graph.nodes),
            held_bytes: body.saturating_mul(HELD_PER_BYTE),
        };
        found(&bytes, format, &reader, limits).and_then(|found| fitting(found, graph))
    });
    let found = found.await.map_err(|error| {
        tracing::error!(%error, "reading a map panicked");
        FleetError::Defect
    })?;
    large(found?).await
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
    };
    let reading = read_bytes(bytes, &options).map_err(|error| unreadable(&error))?;
    let notes = reading.notes.iter().map(ToString::to_string).collect();
    let graph = Drawn(Arc::new(reading.map.into_graph()));
    Ok(Found { format: format.name(), graph, notes })
}

/// A graph that no agent may have is better refused now.
fn fitting(found: Found, limits: GraphLimits) -> Result<Found, Problem> {
    let Drawn(graph) = &found.graph;
    limits.check(graph.len(), graph.edge_count()).map_err(|error| no_map(error.to_string()))?;
    Ok(found)
}

/// What is wrong with a file, and the parameter of the query that helps, if any does.
fn unreadable(problem: &graph_bandit_maps::Problem) -> Problem {
    let parameter = match problem.reason {
        Reason::Disconnected { .. } => " (largest_component=true)",
        Reason::NoWays { wanted: Ways::Walkable } => " (ways=drive)",
        Reason::NoWays { wanted: Ways::Drivable } => " (ways=walk)",
        _ => "",
    };
    no_map(format!("{problem}{parameter}"))
}

fn no_map(detail: String) -> Problem {
    let kind = ("map", "The map cannot be read");
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, kind, detail)
}
