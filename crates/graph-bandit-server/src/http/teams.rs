//! The walkers of a team: who they are, who joins, who leaves.

use super::body::{Body, Id};
use super::reports::{LONGEST_REASON, check_reason, report};
use super::{Answer, Shared};
use crate::agent::whole_number::optional_whole_number;
use crate::agent::{
    EventError, LAST_SEQUENCE, Name, NodeName, Receipt, TeamSummary, WalkerInput, WalkerName,
};
use crate::fleet::{FleetError, Report, Reported};
use axum::Json;
use axum::extract::State;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::json;

pub(super) async fn walkers(State(service): Shared, Id(id): Id) -> Answer<TeamSummary> {
    let team = service.fleet.look(&id, |live| live.summary()).await?;
    Ok(Json(team.ok_or(FleetError::Event(EventError::NotATeam))?))
}

/// A walker joins a team.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = needs_name)]
pub(super) struct Joined {
    /// Its name: one that no walker of the team had before, and that does not consist of digits alone. The service
    /// recognizes a repeat of the request by this name.
    #[schemars(with = "Name")]
    name: Option<String>,
    /// The node where it starts. Default: `start` of the team, whose own default is node 0.
    start: Option<NodeName>,
    /// How fast it is: a road takes its time on the map divided by this number. Default: 1.
    #[schemars(extend("exclusiveMinimum" = 0))]
    speed: Option<f64>,
    /// The nodes where it may be. Default: all nodes.
    nodes: Option<Vec<NodeName>>,
    /// The `number` of the team. With it, the service refuses the request if another agent now has the team's name.
    #[serde(default, deserialize_with = "optional_whole_number")]
    #[schemars(range(max = LAST_SEQUENCE))]
    number: Option<u64>,
}

/// The name is read as optional only because the service has a better message if it is missing.
fn needs_name(schema: &mut Schema) {
    schema.insert("required".to_owned(), json!(["name"]));
}

pub(super) async fn joined(
    State(service): Shared,
    Id(id): Id,
    Body(Joined { name, start, speed, nodes, number }): Body<Joined>,
) -> Answer<Receipt> {
    let joined = Report::Joined(WalkerInput { name, start, speed, nodes });
    report(&service, &id, Reported { number, ..Reported::new(0, joined) }).await
}

/// A walker leaves its team.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Left {
    /// The walker, by number or name.
    walker: WalkerName,
    /// The reason.
    #[schemars(length(max = LONGEST_REASON))]
    reason: Option<String>,
    /// The `number` of the team. With it, the service refuses the request if another agent now has the team's name.
    #[serde(default, deserialize_with = "optional_whole_number")]
    #[schemars(range(max = LAST_SEQUENCE))]
    number: Option<u64>,
}

pub(super) async fn left(
    State(service): Shared,
    Id(id): Id,
    Body(Left { walker, reason, number }): Body<Left>,
) -> Answer<Receipt> {
    check_reason(reason.as_deref())?;
    let left = Reported::new(0, Report::Left { reason });
    report(&service, &id, Reported { walker: Some(walker), number, ..left }).await
}
