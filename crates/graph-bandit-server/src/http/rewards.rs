//! The rewards of an agent over time.

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
    /// How many visits of its own the agent has made; rewards that others observed do not count.
    visits: u64,
    /// The sum of the rewards of these visits.
    reward: f64,
    /// Pairs of a number of visits and the sum of their rewards, from no visits to all of them. If there are
    /// many, some are left out at even intervals.
    #[schemars(length(min = 1, max = MOST_POINTS), with = "Vec<[f64; 2]>")]
    points: Vec<(u64, f64)>,
}

pub(super) async fn rewards(State(service): Shared, Id(id): Id) -> Answer<Rewards> {
    let seen = service.fleet.look(&id, |live| (live.sequence(), live.rewards().clone()));
    let (sequence, curve) = seen.await?;
    let (visits, reward, points) = (curve.visits(), curve.reward(), curve.points());
    Ok(Json(Rewards { sequence, visits, reward, points }))
}
