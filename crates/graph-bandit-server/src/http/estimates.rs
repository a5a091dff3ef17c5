//! What is known of the nodes, page by page; a page may hold all of a large graph.

use super::body::{Id, Numbered, Page};
use super::large::large;
use super::{Problem, Shared};
use crate::agent::{NodeEstimate, Place};
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;

/// As many as a graph may have nodes.
const LARGEST_PAGE: u32 = 100_000;

#[derive(Serialize)]
struct Known {
    #[serde(flatten)]
    place: Place,
    #[serde(flatten)]
    estimate: NodeEstimate,
}

#[derive(Serialize)]
struct Estimates {
    sequence: u64,
    nodes: u32,
    #[serde(rename = "estimates")]
    known: Vec<Known>,
    /// Where to go on, when there is more.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<u32>,
}

pub(super) async fn estimates(
    State(service): Shared,
    Id(id): Id,
    Page(page): Page<Numbered>,
) -> Result<Response, Problem> {
    let end = page.from.saturating_add(page.limit_up_to(LARGEST_PAGE)?);
    let page = service.fleet.estimates(&id, page.from..end).await?;
    let known = page.estimates.into_iter().map(|(place, estimate)| Known { place, estimate });
    large(Estimates {
        sequence: page.sequence,
        nodes: page.nodes,
        known: known.collect(),
        next: (end < page.nodes).then_some(end),
    })
    .await
}
