//! Estimates of the nodes, page by page; a page may hold all of a large graph.

use super::body::{Id, Numbered, Page};
use super::large::{AnswerRoom, Large, bytes_of, bytes_of_numbers, large, room_for};
use super::room::Client;
use super::{Problem, Shared};
use crate::agent::{LAST_SEQUENCE, NodeEstimate, RunnerUp};
use crate::fleet;
use axum::extract::State;
use graph_bandit::NodeId;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// The largest page: as many nodes as a graph may have.
const LARGEST_PAGE: u32 = 100_000;
/// A page this small needs no room.
const SMALL_PAGE: u32 = 1_000;
/// The estimate of a node takes as much memory as this many numbers, as values and as text.
const NUMBERS: usize = 11;

/// A node and what is known of it, borrowed, since it is written up to a hundred thousand times.
#[derive(Serialize)]
struct Known<'a> {
    node: NodeId,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coordinates: Option<[f64; 2]>,
    visits: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    remembered: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    radius: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    set_aside: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    age: Option<f64>,
}

struct Nodes(fleet::Estimates);

impl Serialize for Nodes {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(page) = self;
        let (names, coordinates) = (page.graph.names(), page.graph.coordinates());
        to.collect_seq(page.nodes.clone().zip(page.estimates.iter().zip(&page.ages)).map(
            |(node, (known, age))| {
                let NodeEstimate { visits, remembered, estimate, radius, bound, score, set_aside } =
                    *known;
                let name = names.map(|names| names[node as usize].as_str());
                let coordinates = coordinates.map(|all| all[node as usize]);
                Known {
                    node,
                    name,
                    coordinates,
                    visits,
                    remembered,
                    estimate,
                    radius,
                    bound,
                    score,
                    set_aside,
                    age: *age,
                }
            },
        ))
    }
}

/// A node, what the agent knows about it, and how old that is; describes what [`Nodes`] writes.
#[derive(JsonSchema)]
#[schemars(
    rename = "NodeWithAge",
    description = "A node, what the agent knows about it, and how old that is."
)]
struct NodeWithAge {
    #[schemars(flatten)]
    #[expect(dead_code, reason = "only its schema is used")]
    known: RunnerUp,
    /// How long ago the node was last visited, in units of one visit. A reward that others observed counts as a visit.
    /// In a team, the present time is that of the walker whose time is furthest ahead. Absent if the node was never
    /// visited; present only if the agent is for changing rewards or has the clock `stamps`.
    #[schemars(skip_serializing_if = "Option::is_none")]
    #[expect(dead_code, reason = "only its schema is used")]
    age: Option<f64>,
}

/// A page of estimates, by node number. They rest on the rewards that the agent remembers. Most agents for changing
/// rewards forget old rewards. All other agents remember every reward.
#[derive(Serialize, JsonSchema)]
pub(super) struct Estimates {
    /// The number of the next report; in a team, of the next report without a walker.
    #[schemars(range(max = LAST_SEQUENCE))]
    sequence: u64,
    /// How many nodes the graph has.
    nodes: usize,
    /// The estimate of each node.
    #[serde(rename = "estimates")]
    #[schemars(with = "Vec<NodeWithAge>")]
    known: Nodes,
    /// The first node of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<NodeId>,
}

pub(super) async fn estimates(
    State(service): Shared,
    Id(id): Id,
    Page(page): Page<Numbered<LARGEST_PAGE>>,
    client: Client,
) -> Result<Large<Estimates>, Problem> {
    let limit = page.limit()?;
    let end = page.from.saturating_add(limit);
    let room = if limit <= SMALL_PAGE {
        AnswerRoom::default()
    } else {
        let graph = service.fleet.graph(&id).await?;
        let count = graph.len().min(limit as usize);
        room_for(bytes_of(&graph) + bytes_of_numbers(count * NUMBERS), &service, &client).await?
    };
    let page = service.fleet.estimates(&id, page.from..end).await?;
    let (sequence, nodes) = (page.sequence, page.graph.len());
    let next = ((end as usize) < nodes).then_some(end);
    large(room, Estimates { sequence, nodes, known: Nodes(page), next }).await
}
