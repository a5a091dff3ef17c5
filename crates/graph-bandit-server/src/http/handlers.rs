//! The handlers of the routes.

use super::body::{Body, Id, Named, Page};
use super::describe::{Answers, Operation};
use super::guard::methods_of;
use super::large::{Large, bytes_of, bytes_of_numbers, large, room_for};
use super::room::Client;
use super::{Answer, Problem, Service, Shared, kind};
use crate::agent::{
    AgentRequest, ClockKind, Definition, Format, LAST_SEQUENCE, Live, Name, Place, Reopening,
    Snapshot, TeamSummary,
};
use crate::fleet::Creation;
use crate::metrics::{Seen, write_gauges};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{MatchedPath, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use graph_bandit::spec::Registry;
use graph_bandit::{AgentSpec, Init, NodeId, Phase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;

/// The status of the service.
#[derive(Serialize, JsonSchema)]
pub(super) struct Status {
    /// The status.
    status: Word,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum Word {
    /// The process answers.
    Alive,
    /// Reports can be stored.
    Ready,
}

pub(super) async fn health() -> Json<Status> {
    Json(Status { status: Word::Alive })
}

pub(super) async fn ready(State(service): Shared) -> Answer<Status> {
    service.ready().await?;
    Ok(Json(Status { status: Word::Ready }))
}

/// The description of all routes, as JSON.
pub(super) struct Description(Bytes);

impl IntoResponse for Description {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}

impl Answers for Description {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers_json::<Map<String, Value>>(200, "OpenAPI 3.1.");
    }
}

pub(super) async fn openapi(State(service): Shared) -> Description {
    // Made once: everything is registered before the service starts.
    let made = service.description.get_or_init(|| super::openapi().to_string().into());
    Description(made.clone())
}

/// How long `/metrics` waits for the readiness check.
const READY_WITHIN: Duration = Duration::from_secs(2);

/// The text format of Prometheus.
pub(super) struct Exposition(String);

impl IntoResponse for Exposition {
    fn into_response(self) -> Response {
        let kind = "text/plain; version=0.0.4; charset=utf-8";
        ([(header::CONTENT_TYPE, kind)], self.0).into_response()
    }
}

impl Answers for Exposition {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers_text("The text format of Prometheus.", &["text/plain"]);
    }
}

pub(super) async fn metrics(State(service): Shared) -> Exposition {
    let fleet = &service.fleet;
    let mut text = service.metrics.text(&Seen {
        agents_in_memory: fleet.in_memory(),
        memory_of_agents: fleet.memory(),
        commits: fleet.commits(),
        sizes: fleet.sizes(),
    });
    service.write_room(&mut text);
    fleet.write_work(&mut text);
    // A store that does not answer must not hide the other metrics.
    let ready = tokio::time::timeout(READY_WITHIN, service.ready()).await;
    let ready = usize::from(matches!(ready, Ok(Ok(()))));
    let help = "Whether /readyz answers 200: 1 or 0.";
    write_gauges(&mut text, &[("gbandit_ready", help, ready)]);
    Exposition(text)
}

/// The choices for a request: agents, graph families and their parameters.
pub(super) async fn registry() -> Json<Registry> {
    Json(graph_bandit::spec::registry())
}

pub(super) async fn not_found() -> Problem {
    let detail = "there is no such path; /openapi.json lists all paths".to_owned();
    Problem::new(kind::NO_SUCH_PATH, detail)
}

pub(super) async fn method_not_allowed(method: Method, path: Option<MatchedPath>) -> Problem {
    let methods = path.map(|path| methods_of(path.as_str())).unwrap_or_default();
    let instead = match &methods[..] {
        [] => "the header Allow lists its methods".to_owned(),
        methods => format!("use {}", methods.join(" or ")),
    };
    // A method may be any text; only its beginning is repeated.
    let method: String = method.as_str().chars().take(20).collect();
    Problem::new(kind::METHOD, format!("the path does not have the method {method}; {instead}"))
}

/// An agent in brief.
#[derive(Serialize, JsonSchema)]
pub(super) struct ListedAgent {
    /// Its name.
    id: String,
    /// Its kind and parameters, or `damaged` if the service cannot load it.
    agent: String,
    /// How many walkers it has; absent if it is not a team.
    #[serde(skip_serializing_if = "Option::is_none")]
    walkers: Option<usize>,
    /// The number of its records, which is the number of the next report if it is not a team.
    #[schemars(range(max = LAST_SEQUENCE))]
    sequence: u64,
}

/// A page of agents, sorted by name.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "AgentList")]
pub(super) struct List {
    /// The agents.
    agents: Vec<ListedAgent>,
    /// The value of `after` for the next page; absent on the last page.
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
        ListedAgent { id: listed.id, agent, walkers: listed.walkers, sequence: listed.sequence }
    });
    Ok(Json(List { agents: agents.collect(), next }))
}

/// An agent and its current state.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Agent")]
pub(super) struct AgentState {
    /// Its name.
    #[schemars(with = "Name")]
    id: String,
    /// Its number. A later agent of the same name has a different number.
    #[schemars(range(max = LAST_SEQUENCE))]
    number: u64,
    /// Its kind and parameters.
    agent: AgentSpec,
    /// The number of nodes.
    nodes: usize,
    /// The number of edges, including blocked edges.
    edges: usize,
    /// The number of roads, where a two-way street counts as two; absent if no road of the map runs one way or takes
    /// time.
    #[serde(skip_serializing_if = "Option::is_none")]
    roads: Option<usize>,
    /// The seed of all randomness.
    seed: u64,
    /// The order in which initialization visits the nodes; absent if the agent is a team, whose walkers cover the graph
    /// together.
    #[serde(skip_serializing_if = "Option::is_none")]
    init: Option<Init>,
    /// The number of the next report; in a team, of the next report without a walker.
    #[schemars(range(max = LAST_SEQUENCE))]
    sequence: u64,
    /// The walker's node; absent if the agent is a team.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Place>,
    /// How many rewards are known so far, including those that others observed.
    visits: u64,
    /// The number of known rewards that others observed.
    observed: u64,
    /// The sum of the rewards of its own visits.
    reward: f64,
    /// Whether its clock counts visits or follows the `time` of reports; absent if the agent is a team, in which every
    /// walker has its own clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<ClockKind>,
    /// The `time` at which its last visit ended. Present only if its clock is `stamps`, from the first reported
    /// visit on.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_time: Option<f64>,
    /// The agent's clock, in units of one visit: how much time its visits and its travel have taken. Present only if
    /// roads run one way, if roads take time (by the map or by reports), if a blocked edge is expected to reopen, if
    /// the graph has a visit time, or if the clock is `stamps`.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
    /// Whether initialization is under way, or the agent decides.
    phase: Phase,
    /// The blocked edges, each with its lower node number first. On a graph of roads: the blocked roads, each in its
    /// direction.
    #[schemars(with = "Vec<[NodeId; 2]>")]
    blocked: Vec<(NodeId, NodeId)>,
    /// The blocked edges that are expected to reopen; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    reopening: Vec<Reopening>,
    /// How many nodes are out of reach now because edges are blocked; in a team, out of reach of all walkers.
    set_aside_nodes: u64,
    /// The team and its walkers; absent if the agent leads one robot.
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<TeamSummary>,
}

async fn shown(service: &Arc<Service>, id: String) -> Result<AgentState, Problem> {
    let name = id.clone();
    let shown = service.fleet.look_at_version(&id, |live, version, _| AgentState {
        id: name,
        number: version.number,
        agent: live.definition().agent.clone(),
        nodes: live.graph().len(),
        edges: live.graph().edge_count(),
        roads: live.graph().roads().map(|_| live.graph().road_count()),
        seed: live.definition().seed.0,
        init: live.alone().ok().map(|live| live.definition().init),
        sequence: live.next_report(),
        at: live.alone().ok().map(|live| Place::of(live.graph(), live.place())),
        visits: live.estimates().visits(),
        observed: live.rewards().observed(),
        reward: live.rewards().reward(),
        clock: live.alone().ok().map(|live| live.definition().clock),
        last_time: live.alone().ok().and_then(Live::last_time),
        time: live.alone().ok().filter(|live| has_time(live)).map(Live::time),
        phase: live.phase(),
        blocked: live.blocked().iter().copied().collect(),
        reopening: live.reopening(),
        set_aside_nodes: live.set_aside().count(),
        team: live.summary(),
    });
    Ok(shown.await?)
}

/// Whether the clock of an agent shows more than its visits.
fn has_time(live: &Live) -> bool {
    live.has_roads() || live.clock() == ClockKind::Stamps
}

pub(super) async fn show(State(service): Shared, Id(id): Id) -> Answer<AgentState> {
    Ok(Json(shown(&service, id).await?))
}

/// An agent that was created or existed before.
pub(super) struct Created {
    creation: Creation,
    shown: AgentState,
}

impl IntoResponse for Created {
    fn into_response(self) -> Response {
        let status = match self.creation {
            Creation::New => StatusCode::CREATED,
            Creation::Repeated => StatusCode::OK,
        };
        let location = format!("/v1/agents/{}", self.shown.id);
        (status, [(header::LOCATION, location)], Json(self.shown)).into_response()
    }
}

impl Answers for Created {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers_json::<AgentState>(200, "The same agent existed before.");
        operation.answers_json::<AgentState>(201, "Created.");
        operation.with_header(200, "Location");
        operation.with_header(201, "Location");
    }
}

async fn created(
    service: &Arc<Service>,
    (id, creation): (String, Creation),
) -> Result<Created, Problem> {
    let shown = shown(service, id).await?;
    Ok(Created { creation, shown })
}

pub(super) async fn create(
    State(service): Shared,
    Body(request): Body<AgentRequest>,
) -> Result<Created, Problem> {
    let agent = service.fleet.create(request).await?;
    created(&service, agent).await
}

/// An agent as a file. Only the service interprets its content.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Export {
    /// The format of the file.
    #[schemars(with = "u32", range(min = 1, max = 1))]
    format: Format,
    /// Its definition.
    #[schemars(with = "Map<String, Value>")]
    definition: Definition,
    /// Its state.
    #[schemars(with = "Map<String, Value>")]
    snapshot: Snapshot,
}

/// Numbers that a snapshot has of each node.
const NUMBERS_PER_NODE: usize = 8;
/// An export is in memory both as values and as text while it is written.
const FORMS: usize = 2;

pub(super) async fn snapshot(
    State(service): Shared,
    Id(id): Id,
    client: Client,
) -> Result<Large<Export>, Problem> {
    let graph = service.fleet.graph(&id).await?;
    let numbers = bytes_of_numbers(graph.len() * NUMBERS_PER_NODE + graph.edge_count());
    let room = room_for((bytes_of(&graph) + numbers) * FORMS, &service, &client).await?;
    let export = service.fleet.look(&id, |live| Export {
        format: Format::CURRENT,
        // The snapshot includes its state before it was imported here.
        definition: Definition { origin: None, first: None, ..live.definition().clone() },
        snapshot: live.snapshot(),
    });
    large(room, export.await?).await
}

/// An exported agent, under a new name. Its history starts empty.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Import {
    /// The name of the new agent. By default, the service makes one up.
    #[schemars(with = "Option<Name>")]
    id: Option<String>,
    /// The file.
    export: Export,
}

pub(super) async fn import(
    State(service): Shared,
    Body(Import { id, export }): Body<Import>,
) -> Result<Created, Problem> {
    let agent = service.fleet.import(id, export.definition, export.snapshot).await?;
    created(&service, agent).await
}

/// The agent was removed.
pub(super) struct Removed;

impl IntoResponse for Removed {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

impl Answers for Removed {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers_nothing(204, "Done.");
    }
}

pub(super) async fn delete(State(service): Shared, Id(id): Id) -> Result<Removed, Problem> {
    service.fleet.delete(&id).await?;
    Ok(Removed)
}
