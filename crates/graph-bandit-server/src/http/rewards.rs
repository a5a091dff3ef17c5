//! The rewards of an agent over time.

use super::body::Id;
use super::{Answer, Shared};
use crate::agent::{FoundChange, LAST_SEQUENCE, MOST_CHANGES, MOST_POINTS};
use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;

/// The sum of rewards over time.
#[derive(Serialize, JsonSchema)]
pub(super) struct Rewards {
    /// The number of the next report; in a team, of the next report without a walker.
    #[schemars(range(max = LAST_SEQUENCE))]
    sequence: u64,
    /// How many visits the agent has made itself. Rewards that others observed do not count.
    visits: u64,
    /// The sum of the rewards of the agent's own visits.
    reward: f64,
    /// Pairs `[visits, sum]`: a number of visits, and the sum of their rewards. They go from no visits to all visits.
    /// If there are many visits, only some are listed, at even intervals.
    #[schemars(length(min = 1, max = MOST_POINTS), with = "Vec<[f64; 2]>")]
    points: Vec<(u64, f64)>,
    /// How many changes of rewards the agent has found; absent if it has found none. Only agents with a detector look
    /// for changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes_found: Option<u64>,
    /// The latest changes that the agent has found, oldest first; absent if it has found none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = MOST_CHANGES))]
    changes: Vec<FoundChange>,
}

pub(super) async fn rewards(State(service): Shared, Id(id): Id) -> Answer<Rewards> {
    let seen =
        service.fleet.look(&id, |live| (live.next_report(), live.rewards().clone(), live.found()));
    let (sequence, curve, found) = seen.await?;
    let (visits, reward, points) = (curve.visits(), curve.reward(), curve.points());
    let (changes_found, changes) =
        (Some(found.count()).filter(|count| *count > 0), found.newest().to_vec());
    Ok(Json(Rewards { sequence, visits, reward, points, changes_found, changes }))
}
