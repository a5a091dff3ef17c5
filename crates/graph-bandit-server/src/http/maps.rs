//! The map of an agent, in the form in which an agent is created.

use super::body::{Id, Page};
use super::map_pieces::MapPieces;
use super::pieces::InPieces;
use super::{Problem, Shared};
use crate::agent::Positions;
use crate::fleet::{AgentMap, Learned};
use axum::extract::State;
use graph_bandit::{Edge, Graph, NodeId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use std::sync::Arc;

/// A graph by its nodes and edges or roads, the form in which an agent is created; and what else is wanted of it.
#[derive(JsonSchema)]
#[schemars(with = "Members<'static>", rename = "Map")]
pub(super) struct DrawnMap {
    pub(super) graph: Arc<Graph>,
    pub(super) visit_time: Option<f64>,
    pub(super) positions: Option<Arc<Positions>>,
    pub(super) blocked: Option<Vec<Edge>>,
    pub(super) learned: Option<Vec<Learned>>,
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
    /// The roads of which was told how long they took, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    learned: Option<&'a [Learned]>,
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

impl Serialize for DrawnMap {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { graph, visit_time, positions, blocked, learned } = self;
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
            learned: learned.as_deref(),
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
    /// Say what roads are expected to take of which was told how long they took, too.
    #[serde(default)]
    learned: bool,
}

pub(super) async fn map(
    State(service): Shared,
    Id(id): Id,
    Page(wanted): Page<Wanted>,
) -> Result<InPieces<DrawnMap>, Problem> {
    let (map, positions) = if wanted.positions {
        let (map, positions) = service.fleet.drawn_map(&id).await?;
        (map, Some(positions))
    } else {
        (service.fleet.map(&id).await?, None)
    };
    let AgentMap { graph, visit_time, blocked, learned } = map;
    let blocked = wanted.blocked.then_some(blocked);
    let learned = wanted.learned.then_some(learned);
    Ok(InPieces::of(MapPieces::new(DrawnMap { graph, visit_time, positions, blocked, learned })))
}
