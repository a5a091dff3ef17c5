//! Simulated agents, for trials and demonstrations.

use super::body::{Id, Unread};
use super::handlers::Removed;
use super::{Answer, Problem, Shared, kind};
use crate::simulation::{REPORTS_PER_SECOND, SimulationError};
use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;

/// The agents that this process simulates.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Simulations")]
pub(super) struct Running {
    /// Their names, sorted.
    agents: Vec<String>,
    /// How many agents this process may simulate at a time; 0 if the service does not simulate agents.
    most: usize,
    /// How many visits per second the simulation reports to each agent; in a team, for each walker.
    reports_per_second: u32,
}

pub(super) async fn list(State(service): Shared) -> Json<Running> {
    let simulations = &service.simulations;
    Json(Running {
        agents: simulations.agents(),
        most: simulations.most(),
        reports_per_second: REPORTS_PER_SECOND,
    })
}

pub(super) async fn start(state: Shared, Id(id): Id, _: Unread) -> Answer<Running> {
    state.simulations.start(&id).await?;
    Ok(list(state).await)
}

pub(super) async fn stop(State(service): Shared, Id(id): Id) -> Result<Removed, Problem> {
    service.simulations.stop(&id).await?;
    Ok(Removed)
}

impl From<SimulationError> for Problem {
    fn from(error: SimulationError) -> Self {
        match error {
            SimulationError::Off => Self::new(kind::NOT_SIMULATED, error.to_string()),
            SimulationError::TooMany { .. } => Self::new(kind::SIMULATIONS, error.to_string()),
            SimulationError::Fleet(error) => error.into(),
        }
    }
}
