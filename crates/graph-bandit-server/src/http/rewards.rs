//! What an agent collected over time.

use super::body::Id;
use super::{Answer, Shared};
use crate::agent::{LAST_SEQUENCE, MOST_POINTS};
use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;

/// The sum of rewards over time.
#[derive(Serialize, JsonSchema)]
pub(super) struct Rewards {
    /// The number of the next report.
    #[schemars(range(max = LAST_SEQUENCE))]
    sequence: u64,
    /// Rewards of its own visits so far; what others observed is not among them.
    visits: u64,
    /// All of them added up, in the order in which they came.
    reward: f64,
    /// A number of visits, and what their rewards came to: from none to all of them, evenly thinned.
    #[schemars(length(min = 1, max = MOST_POINTS), with = "Vec<[f64; 2]>")]
    points: Vec<(u64, f64)>,
}

pub(super) async fn rewards(State(service): Shared, Id(id): Id) -> Answer<Rewards> {
    let seen = service.fleet.look(&id, |live| (live.sequence(), live.rewards().clone()));
    let (sequence, curve) = seen.await?;
    let (visits, reward, points) = (curve.visits(), curve.reward(), curve.points());
    Ok(Json(Rewards { sequence, visits, reward, points }))
}
