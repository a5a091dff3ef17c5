//! The requests of the page.

use super::problem::Problem;
use super::{LONGEST_BODY, PageState};
use crate::answer::{GraphShown, Opening, Progress};
use crate::change::{Change, RoadChange};
use crate::race::Race;
use crate::races::MOST_RACES;
use crate::setup::{GRAPH_LIMITS, MOST_AGENTS, MOST_STEPS, Setup};
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, JsonRejection, PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use graph_bandit::spec::{Registry, registry};
use graph_bandit::{Graph, NodeId};
use graph_bandit_figures::positions_of;
use graph_bandit_server::http::{MapLimits, MapReader, ReadMap};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long one request may advance a race; for more, the page sends another request.
const LONGEST_TURN: Duration = Duration::from_millis(120);

type Shared = State<Arc<PageState>>;
type Answer<T> = Result<Json<T>, Problem>;

/// The positions of the nodes of the last graph: consecutive races often share their graph.
#[derive(Default)]
pub(super) struct Layouts(Mutex<Option<Layout>>);

type Layout = (Arc<Graph>, Arc<Vec<[f64; 2]>>);

impl Layouts {
    fn of(&self, graph: &Arc<Graph>) -> Arc<Vec<[f64; 2]>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, positions)) = known.filter(|(known, _)| known == graph) {
            return positions;
        }
        let positions = Arc::new(positions_of(graph));
        let fresh = (Arc::clone(graph), Arc::clone(&positions));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(fresh);
        positions
    }
}

/// The choices for a set-up, and its limits.
#[derive(Serialize)]
pub(super) struct Choices {
    #[serde(flatten)]
    registry: Registry,
    limits: Limits,
}

#[derive(Serialize)]
struct Limits {
    nodes: usize,
    edges: usize,
    agents: usize,
    steps: u64,
    races: usize,
}

pub(super) async fn choices() -> Json<Choices> {
    let limits = Limits {
        nodes: GRAPH_LIMITS.nodes,
        edges: GRAPH_LIMITS.edges,
        agents: MOST_AGENTS,
        steps: MOST_STEPS,
        races: MOST_RACES,
    };
    Json(Choices { registry: registry(), limits })
}

/// Runs long work on a thread that may block.
async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(Problem::Defect))
}

pub(super) async fn open_race(
    State(state): Shared,
    setup: Result<Json<Setup>, JsonRejection>,
) -> Answer<Opening> {
    let Json(setup) = setup?;
    let opening = in_background(move || {
        let mut race = Race::new(&setup)?;
        let graph = race.world().shared_graph();
        let positions = state.layouts.of(&graph);
        let progress = race.tell();
        let opening = Opening {
            id: 0,
            graph: GraphShown { graph, positions },
            means: race.world().means().to_vec(),
            agents: race.agents().to_vec(),
            init_steps: race.init_steps(),
            steps: race.steps(),
            points: race.points().to_vec(),
            progress,
        };
        let id = state.races.add(race);
        Ok(Opening { id, ..opening })
    });
    Ok(Json(opening.await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Until {
    until: u64,
}

/// Advances to a moment, or to an earlier one if that would take long.
pub(super) async fn advance(
    State(state): Shared,
    id: Result<Path<u64>, PathRejection>,
    until: Result<Json<Until>, JsonRejection>,
) -> Answer<Progress> {
    let (Path(id), Json(Until { until })) = (id?, until?);
    let progress = in_background(move || {
        let race = state.races.find(id)?;
        let mut race = race.lock().unwrap_or_else(PoisonError::into_inner);
        let start = Instant::now();
        race.advance(until, || start.elapsed() < LONGEST_TURN);
        Ok(race.tell())
    });
    Ok(Json(progress.await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Road {
    from: NodeId,
    to: NodeId,
    t: u64,
}

pub(super) async fn close(
    state: Shared,
    id: Result<Path<u64>, PathRejection>,
    road: Result<Json<Road>, JsonRejection>,
) -> Answer<Progress> {
    change(state, id, road, RoadChange::Close).await
}

pub(super) async fn open(
    state: Shared,
    id: Result<Path<u64>, PathRejection>,
    road: Result<Json<Road>, JsonRejection>,
) -> Answer<Progress> {
    change(state, id, road, RoadChange::Open).await
}

async fn change(
    State(state): Shared,
    id: Result<Path<u64>, PathRejection>,
    road: Result<Json<Road>, JsonRejection>,
    what: fn([NodeId; 2]) -> RoadChange,
) -> Answer<Progress> {
    let (Path(id), Json(Road { from, to, t })) = (id?, road?);
    let progress = in_background(move || {
        let race = state.races.find(id)?;
        let mut race = race.lock().unwrap_or_else(PoisonError::into_inner);
        race.change(Change { t, what: what([from, to]) })?;
        Ok(race.tell())
    });
    Ok(Json(progress.await?))
}

pub(super) async fn read_map(
    reader: Result<Query<MapReader>, QueryRejection>,
    bytes: Result<Bytes, BytesRejection>,
) -> Answer<ReadMap> {
    let (Query(reader), bytes) = (reader?, bytes?);
    let limits = MapLimits { graph: GRAPH_LIMITS, bytes: LONGEST_BODY };
    let read = move || {
        graph_bandit_server::http::read_map(&bytes, &reader, limits)
            .map_err(|problem| Problem::Map(Box::new(problem)))
    };
    Ok(Json(in_background(read).await?))
}
