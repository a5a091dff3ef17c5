//! What an agent collected over time.

use super::body::Id;
use super::{Answer, Shared};
use axum::Json;
use axum::extract::State;
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Rewards {
    sequence: u64,
    visits: u64,
    reward: f64,
    /// The sum of rewards after so many visits.
    points: Vec<(u64, f64)>,
}

pub(super) async fn rewards(State(service): Shared, Id(id): Id) -> Answer<Rewards> {
    let seen = service.fleet.look(&id, |live| (live.sequence(), live.rewards().clone()));
    let (sequence, curve) = seen.await?;
    let (visits, reward, points) = (curve.visits(), curve.reward(), curve.points());
    Ok(Json(Rewards { sequence, visits, reward, points }))
}
