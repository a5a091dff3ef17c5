//! The best node so far.

use super::body::{Id, Page};
use super::{Answer, Problem, Shared, kind};
use crate::agent::{Best, BestQuery};
use axum::Json;
use axum::extract::State;

pub(super) async fn best(
    State(service): Shared,
    Id(id): Id,
    Page(wanted): Page<BestQuery>,
) -> Answer<Best> {
    let best = service.fleet.look(&id, move |live| live.best(wanted)).await?;
    Ok(Json(best.map_err(|error| Problem::new(kind::QUERY, error.to_string()))?))
}
