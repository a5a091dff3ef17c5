//! Watches an agent: server-sent events, one at once and one after every change.
//!
//! Nothing is looked up until the reader has taken the event before. So a slow reader takes no memory
//! and sees fewer events, never old ones, and a reader that leaves frees everything.

use super::body::Id;
use super::describe::{Answers, Operation};
use super::tokens::TokenChanges;
use super::{Authentication, Problem, Service, Shared, kind};
use crate::agent::{LAST_SEQUENCE, Order, Served, TeamSummary};
use crate::fleet::{Fleet, FleetError, Glance, Version, Watcher};
use crate::metrics::{Counted, Metrics};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use graph_bandit::NodeId;
use schemars::JsonSchema;
use serde::Serialize;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// Changes that follow each other faster than this are one event.
const AT_MOST_EVERY: Duration = Duration::from_millis(100);
/// How soon a change by another process is seen.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// After this much silence a comment shows that the stream is alive.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The state of an agent or a team: the data of a `state` event.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Watched {
    /// An agent that leads one robot.
    Alone(Box<WatchedAgent>),
    /// A team.
    Team(Box<WatchedTeam>),
}

/// An agent that leads one robot, as its watchers see it.
#[derive(Serialize, JsonSchema)]
struct WatchedAgent {
    /// Its present order.
    #[serde(flatten)]
    order: Order,
    /// How many rewards are known so far, including those that others observed.
    visits: u64,
    /// The number of known rewards that others observed.
    observed: u64,
    /// The sum of the rewards of its own visits.
    reward: f64,
    /// The blocked edges, each with its lower node number first. On a graph of roads: the blocked roads, each in its
    /// direction.
    #[schemars(with = "Vec<[NodeId; 2]>")]
    blocked: Vec<(NodeId, NodeId)>,
}

/// A team, as its watchers see it.
#[derive(Serialize, JsonSchema)]
struct WatchedTeam {
    /// The number of the agent. A later agent of the same name has another number.
    #[schemars(range(max = LAST_SEQUENCE))]
    number: u64,
    /// The number of the next report without a walker.
    #[schemars(range(max = LAST_SEQUENCE))]
    sequence: u64,
    /// The team and its walkers.
    team: TeamSummary,
    /// How many rewards are known so far, including those that others observed.
    visits: u64,
    /// How many of the known rewards were observed by others.
    observed: u64,
    /// The sum of the rewards of all walkers' visits.
    reward: f64,
    /// The blocked edges, each with its lower node number first; roads in their direction.
    #[schemars(with = "Vec<[NodeId; 2]>")]
    blocked: Vec<(NodeId, NodeId)>,
}

/// What a watcher sees, and of which version of the agent.
struct Seen {
    version: Version,
    /// How many records the history has.
    records: u64,
    state: Watched,
}

impl Watched {
    fn of(live: &mut Served, version: Version, seal: &str) -> Self {
        let (visits, observed) = (live.estimates().visits(), live.rewards().observed());
        let (reward, blocked) = (live.rewards().reward(), live.blocked().iter().copied().collect());
        match live {
            Served::Alone(live) => {
                let order = live.ask(version.number, seal);
                Self::Alone(Box::new(WatchedAgent { order, visits, observed, reward, blocked }))
            }
            Served::Team(team) => {
                let (number, sequence) = (version.number, team.numbers().next(None));
                let team = team.summary();
                let seen =
                    WatchedTeam { number, sequence, team, visits, observed, reward, blocked };
                Self::Team(Box::new(seen))
            }
        }
    }
}

/// The agent, unless it is unchanged.
async fn look(
    fleet: &Arc<Fleet>,
    id: &str,
    last: Option<Version>,
) -> Result<Option<Seen>, FleetError> {
    let seen = fleet.look_at_version(id, move |live, version, seal| {
        let state = || Watched::of(live, version, seal);
        let state = (last != Some(version)).then(state)?;
        Some(Seen { version, records: version.sequence, state })
    });
    seen.await
}

fn state_event(seen: &Seen) -> Result<Arc<[u8]>, FleetError> {
    let data = serde_json::to_string(&seen.state).map_err(|error| {
        tracing::error!(%error, "an event cannot be written as JSON");
        FleetError::Defect
    })?;
    let text = format!("event: state\nid: {}\ndata: {data}\n\n", seen.records);
    Ok(text.into_bytes().into())
}

const GONE: &[u8] = b"event: gone\ndata: {}\n\n";
const STILL_HERE: &[u8] = b": still here\n\n";

/// A stream of events.
pub(super) struct Events(Response);

impl IntoResponse for Events {
    fn into_response(self) -> Response {
        self.0
    }
}

impl Answers for Events {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers_events::<Watched>(
            "Server-sent events. A `state` event has the number of reports as its id, and an \
             object of type `Watched` as its data. A `gone` event says that the agent was \
             deleted; it is the last one.",
        );
    }
}

pub(super) async fn events(State(service): Shared, Id(id): Id) -> Result<Events, Problem> {
    let counted = Metrics::count_stream(&service.metrics, service.limits.streams);
    let counted = counted.ok_or_else(|| too_many(service.limits.streams))?;
    // Watch before the first look, so that no change is missed.
    let watcher = service.fleet.watch(&id);
    let missing = || FleetError::NoSuchAgent { id: id.clone() };
    let seen = look(&service.fleet, &id, None).await?.ok_or_else(missing)?;
    let stream = Stream {
        sent: seen.version,
        next: Next::Write(state_event(&seen)?),
        stopping: service.stopping.subscribe(),
        tokens: match &service.authentication {
            Authentication::Local => None,
            Authentication::Tokens(tokens) => Some(tokens.changes()),
        },
        service: Arc::clone(&service),
        id,
        watcher,
        written: Instant::now(),
        looked: Instant::now(),
        _counted: counted,
    };
    let body = Body::from_stream(unfold(stream, Stream::go_on));
    // Ask proxies not to buffer the answer.
    let unbuffered = (HeaderName::from_static("x-accel-buffering"), "no");
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), unbuffered];
    Ok(Events((headers, body).into_response()))
}

fn too_many(limit: usize) -> Problem {
    let detail =
        format!("all {limit} event streams that the service allows are open; try again later");
    Problem::new(kind::STREAMS, detail).with(header::RETRY_AFTER, "10")
}

/// What a stream does when its reader is ready.
enum Next {
    Write(Arc<[u8]>),
    Wait,
    End,
}

impl Next {
    /// The end of the stream.
    fn end_with(&mut self, text: &[u8]) -> Arc<[u8]> {
        *self = Self::End;
        text.into()
    }
}

struct Stream {
    service: Arc<Service>,
    id: String,
    watcher: Watcher,
    stopping: watch::Receiver<bool>,
    tokens: Option<TokenChanges>,
    next: Next,
    /// The version of the agent in the event before.
    sent: Version,
    written: Instant,
    looked: Instant,
    _counted: Counted,
}

impl Stream {
    async fn go_on(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        let mut stopping = self.stopping.clone();
        let tokens = self.tokens.clone();
        let other_tokens = async {
            match tokens {
                Some(tokens) => tokens.changed().await,
                None => std::future::pending().await,
            }
        };
        let text = tokio::select! {
            biased;
            // Also when the sender is gone.
            _ = stopping.wait_for(|stop| *stop) => None,
            // Clients that may still watch will reconnect.
            () = other_tokens => None,
            text = self.text() => text,
        };
        self.written = Instant::now();
        // Not copied: all watchers of the agent get the same text.
        text.map(|text| (Ok(Bytes::from_owner(text)), self))
    }

    async fn text(&mut self) -> Option<Arc<[u8]>> {
        match std::mem::replace(&mut self.next, Next::Wait) {
            Next::Write(text) => return Some(text),
            Next::End => return None,
            Next::Wait => {}
        }
        sleep_until(self.written + AT_MOST_EVERY).await;
        let quiet = self.written + KEEP_ALIVE;
        loop {
            let look = (self.looked + LOOK_EVERY).min(quiet);
            tokio::select! {
                () = self.watcher.changed() => {}
                () = sleep_until(look) => {}
            }
            match self.look().await {
                Ok(Some(text)) => return Some(text),
                Ok(None) if Instant::now() >= quiet => return Some(STILL_HERE.into()),
                Ok(None) => {}
                Err(error) => {
                    // A client that reconnects gets the error.
                    tracing::warn!(agent = self.id, %error, "a stream of events ends");
                    return None;
                }
            }
        }
    }

    /// The event that is due, if any.
    async fn look(&mut self) -> Result<Option<Arc<[u8]>>, FleetError> {
        self.looked = Instant::now();
        let awaited = match self.watcher.glance().await {
            Glance::Deleted => return Ok(Some(self.next.end_with(GONE))),
            Glance::Known { version, text } if self.sent.is_before(version) => {
                self.sent = version;
                return Ok(Some(text));
            }
            Glance::Known { .. } => None,
            Glance::Unknown(look) => Some(look),
        };
        match look(&self.service.fleet, &self.id, Some(self.sent)).await {
            Err(FleetError::NoSuchAgent { .. }) => Ok(Some(self.next.end_with(GONE))),
            // Another agent has the name.
            Ok(Some(seen)) if seen.version.number != self.sent.number => {
                Ok(Some(self.next.end_with(GONE)))
            }
            Ok(Some(seen)) => {
                self.sent = seen.version;
                let text = state_event(&seen)?;
                if let Some(look) = awaited {
                    look.show(seen.version, Arc::clone(&text));
                }
                Ok(Some(text))
            }
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
