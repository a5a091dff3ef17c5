//! What each route answers.

use super::body::{Body, Id, Named, Numbered, Page, Raw};
use super::large::large;
use super::{Answer, OPENAPI, Problem, Service, Shared};
use crate::agent::whole::whole;
use crate::agent::{Definition, Event, NodeName, Place, Receipt, Snapshot, Why, Wish};
use crate::fleet::{Creation, Report, Told, VisitTold};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use graph_bandit::{AgentSpec, Init, NodeId, Phase};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The format of exported agents.
const FORMAT: u32 = 1;
/// The longest reason a robot may give.
const LONGEST_REASON: usize = 1_000;

#[derive(Serialize)]
pub(super) struct Status {
    status: &'static str,
}

pub(super) async fn health() -> Json<Status> {
    Json(Status { status: "alive" })
}

pub(super) async fn ready(State(service): Shared) -> Answer<Status> {
    service.fleet.check().await?;
    Ok(Json(Status { status: "ready" }))
}

pub(super) async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}

pub(super) async fn metrics(State(service): Shared) -> impl IntoResponse {
    let text = service.metrics.text(service.fleet.in_memory(), service.fleet.commits());
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
}

/// What there is to write in a wish: agents, graph families and their parameters.
pub(super) async fn registry() -> Json<serde_json::Value> {
    Json(graph_bandit::spec::registry())
}

pub(super) async fn nowhere() -> Problem {
    let kind = ("nowhere", "There is nothing here");
    let detail = "there is no such path; /openapi.json lists those there are".to_owned();
    Problem::new(StatusCode::NOT_FOUND, kind, detail)
}

pub(super) async fn not_so() -> Problem {
    let kind = ("method", "Not with this method");
    let detail = "the path has other methods; the header Allow lists them".to_owned();
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, kind, detail)
}

#[derive(Serialize)]
pub(super) struct Listed {
    id: String,
    agent: String,
    sequence: u64,
}

#[derive(Serialize)]
pub(super) struct List {
    agents: Vec<Listed>,
    /// What to list after, when there is more.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

pub(super) async fn list(State(service): Shared, Page(page): Page<Named>) -> Answer<List> {
    let limit = page.limit()? as usize;
    let mut listed = service.fleet.list(&page.after, limit + 1).await?;
    let more = listed.len() > limit;
    listed.truncate(limit);
    let next = listed.last().filter(|_| more).map(|agent| agent.id.clone());
    let agents = listed.into_iter().map(|listed| {
        let agent = listed.agent.unwrap_or_else(|| "damaged".to_owned());
        Listed { id: listed.id, agent, sequence: listed.sequence }
    });
    Ok(Json(List { agents: agents.collect(), next }))
}

#[derive(Serialize)]
pub(super) struct Shown {
    id: String,
    agent: AgentSpec,
    nodes: usize,
    edges: usize,
    seed: u64,
    init: Init,
    sequence: u64,
    at: Place,
    visits: u64,
    reward: f64,
    phase: Phase,
    blocked: Vec<(NodeId, NodeId)>,
}

async fn shown(service: &Arc<Service>, id: String) -> Result<Shown, Problem> {
    let name = id.clone();
    let shown = service.fleet.look(&id, |live| Shown {
        id: name,
        agent: live.definition().agent.clone(),
        nodes: live.graph().len(),
        edges: live.graph().edge_count(),
        seed: live.definition().seed.0,
        init: live.definition().init,
        sequence: live.sequence(),
        at: Place::of(live.graph(), live.place()),
        visits: live.estimates().visits(),
        reward: live.rewards().reward(),
        phase: live.orders().phase,
        blocked: live.blocked().iter().copied().collect(),
    });
    Ok(shown.await?)
}

pub(super) async fn show(State(service): Shared, Id(id): Id) -> Answer<Shown> {
    Ok(Json(shown(&service, id).await?))
}

async fn created(
    service: &Arc<Service>,
    (id, creation): (String, Creation),
) -> Result<Response, Problem> {
    let location = format!("/v1/agents/{id}");
    let status = match creation {
        Creation::New => StatusCode::CREATED,
        Creation::Repeated => StatusCode::OK,
    };
    let shown = Json(shown(service, id).await?);
    Ok((status, [(header::LOCATION, location)], shown).into_response())
}

pub(super) async fn create(
    State(service): Shared,
    Body(wish): Body<Wish>,
) -> Result<Response, Problem> {
    let agent = service.fleet.create(wish).await?;
    created(&service, agent).await
}

/// An agent put into a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Export {
    format: u32,
    definition: Definition,
    snapshot: Snapshot,
}

pub(super) async fn snapshot(State(service): Shared, Id(id): Id) -> Result<Response, Problem> {
    let export = service.fleet.look(&id, |live| Export {
        format: FORMAT,
        // What it was before it came here is in the snapshot.
        definition: Definition { origin: None, ..live.definition().clone() },
        snapshot: live.snapshot(),
    });
    large(export.await?).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Import {
    #[serde(default)]
    id: Option<String>,
    export: Export,
}

pub(super) async fn import(
    State(service): Shared,
    Body(Import { id, export }): Body<Import>,
) -> Result<Response, Problem> {
    if export.format != FORMAT {
        let detail = format!("format {}; this service reads {FORMAT}", export.format);
        return Err(wrong(detail));
    }
    let agent = service.fleet.import(id, export.definition, export.snapshot).await?;
    created(&service, agent).await
}

pub(super) async fn delete(State(service): Shared, Id(id): Id) -> Result<StatusCode, Problem> {
    service.fleet.delete(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// An order.
#[derive(Serialize)]
pub(super) struct Order {
    /// The number that the report of it must bear.
    sequence: u64,
    at: Place,
    path: Vec<Place>,
    stay: u64,
    phase: Phase,
    why: Why,
}

// Whatever the body says, it is read: a connection on which something is left unread must be closed.
pub(super) async fn ask(State(service): Shared, Id(id): Id, _: Raw) -> Answer<Order> {
    let answer = service.fleet.ask(&id).await?;
    Ok(Json(Order {
        sequence: answer.sequence,
        at: answer.at,
        path: answer.path,
        stay: answer.orders.stay,
        phase: answer.orders.phase,
        why: answer.why,
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tell {
    #[serde(deserialize_with = "whole")]
    sequence: u64,
    #[serde(default)]
    reward: Option<f64>,
    #[serde(default)]
    at: Option<NodeName>,
    #[serde(default)]
    rewards: Option<Vec<f64>>,
    #[serde(default)]
    visits: Option<Vec<VisitTold>>,
}

pub(super) async fn tell(
    State(service): Shared,
    Id(id): Id,
    Body(tell): Body<Tell>,
) -> Answer<Receipt> {
    let told = match (tell.reward, tell.rewards, tell.visits) {
        (Some(reward), None, None) => Told::One { reward, at: tell.at },
        (None, Some(rewards), None) if tell.at.is_none() => Told::Leg { rewards },
        (None, None, Some(visits)) if tell.at.is_none() => Told::Visits { visits },
        _ => {
            let forms = "tell `reward` (and `at`), or `rewards` of the leg, or `visits`: just one";
            return Err(wrong(forms.to_owned()));
        }
    };
    report(&service, &id, tell.sequence, Report::Told(told)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Failed {
    #[serde(deserialize_with = "whole")]
    sequence: u64,
    #[serde(default)]
    at: Option<NodeName>,
    #[serde(default)]
    reason: Option<String>,
}

pub(super) async fn failed(
    State(service): Shared,
    Id(id): Id,
    Body(Failed { sequence, at, reason }): Body<Failed>,
) -> Answer<Receipt> {
    if reason.as_ref().is_some_and(|reason| reason.len() > LONGEST_REASON) {
        return Err(wrong(format!("a reason may have {LONGEST_REASON} bytes at most")));
    }
    report(&service, &id, sequence, Report::LegFailed { at, reason }).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Blocked {
    #[serde(deserialize_with = "whole")]
    sequence: u64,
    edge: [NodeName; 2],
    #[serde(default)]
    at: Option<NodeName>,
}

pub(super) async fn blocked(
    State(service): Shared,
    Id(id): Id,
    Body(Blocked { sequence, edge, at }): Body<Blocked>,
) -> Answer<Receipt> {
    report(&service, &id, sequence, Report::EdgeBlocked { edge, at }).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Opened {
    #[serde(deserialize_with = "whole")]
    sequence: u64,
    edge: [NodeName; 2],
}

pub(super) async fn opened(
    State(service): Shared,
    Id(id): Id,
    Body(Opened { sequence, edge }): Body<Opened>,
) -> Answer<Receipt> {
    report(&service, &id, sequence, Report::EdgeOpened { edge }).await
}

async fn report(
    service: &Arc<Service>,
    id: &str,
    sequence: u64,
    report: Report,
) -> Answer<Receipt> {
    Ok(Json(service.fleet.report(id, sequence, report).await?))
}

fn wrong(detail: String) -> Problem {
    let kind = ("content", "The body says something else than it should");
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, kind, detail)
}

#[derive(Serialize)]
pub(super) struct Happened {
    #[serde(flatten)]
    event: Event,
    receipt: Receipt,
}

#[derive(Serialize)]
pub(super) struct History {
    /// How many records there are in all.
    end: u64,
    records: Vec<Happened>,
    /// Where to go on, when there is more.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<u64>,
}

pub(super) async fn history(
    State(service): Shared,
    Id(id): Id,
    Page(page): Page<Numbered>,
) -> Answer<History> {
    let limit = page.limit()? as usize;
    let (records, end) = service.fleet.history(&id, page.from.into(), limit).await?;
    let next = u64::from(page.from) + records.len() as u64;
    let records = records.into_iter();
    let records = records.map(|record| Happened { event: record.event, receipt: record.receipt });
    Ok(Json(History { end, records: records.collect(), next: (next < end).then_some(next) }))
}
