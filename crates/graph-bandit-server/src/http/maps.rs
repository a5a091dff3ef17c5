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

/// A graph with its nodes and edges, or its nodes and roads, as in the request that creates an agent. If
/// requested, it also has `blocked`, `learned` and `positions`.
#[derive(JsonSchema)]
#[schemars(with = "Members<'static>", rename = "Map")]
pub(super) struct DrawnMap {
    pub(super) graph: Arc<Graph>,
    pub(super) visit_time: Option<f64>,
    pub(super) positions: Option<Arc<Positions>>,
    pub(super) blocked: Option<Vec<Edge>>,
    pub(super) learned: Option<Vec<Learned>>,
}

/// The members of a map.
#[derive(Serialize, JsonSchema)]
struct Members<'a> {
    /// The number of nodes.
    #[schemars(range(min = 1))]
    nodes: usize,
    /// Pairs of nodes; each edge leads both ways.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<[NodeId; 2]>>")]
    edges: Option<Edges<'a>>,
    /// Instead of edges, if roads run one way or take time. Each road has the node where it begins, the node where it
    /// ends, and its travel time in units of one visit, without the visit at its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<(NodeId, NodeId, f64)>>")]
    roads: Option<AllRoads<'a>>,
    /// How many seconds a visit takes; absent if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    visit_time: Option<f64>,
    /// One name per node, if nodes have names.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<&'a [String]>,
    /// The coordinates of each node, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    coordinates: Option<&'a [[f64; 2]]>,
    /// Where to draw each node, if requested. Positions are in a square of side 1 around the origin, with y upwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<&'a [[f64; 2]]>,
    /// The blocked edges, if requested, each with its lower node number first. On a graph of roads: the blocked
    /// roads, each in its direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<[NodeId; 2]>>")]
    blocked: Option<&'a [Edge]>,
    /// The roads with reported times, if requested.
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

/// Further members of a map. Unknown parameters are ignored, for compatibility.
#[derive(Deserialize, JsonSchema)]
pub(super) struct MapQuery {
    /// Also return where to draw each node.
    #[serde(default)]
    positions: bool,
    /// Also list which edges or roads are blocked.
    #[serde(default)]
    blocked: bool,
    /// Also return the roads with reported times, and how long each is expected to take.
    #[serde(default)]
    learned: bool,
}

pub(super) async fn map(
    State(service): Shared,
    Id(id): Id,
    Page(wanted): Page<MapQuery>,
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
