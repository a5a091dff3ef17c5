//! The fleet over HTTP: routes, authentication, and refusals.
//!
//! One table (`routes.rs`) has the scope, the handler and the purpose of each route. The router, the
//! guard's scopes and the description are made from it.

mod best;
mod body;
mod dashboard;
mod describe;
mod estimates;
mod events;
mod guard;
mod handlers;
mod history;
pub(crate) mod kind;
mod large;
mod map_pieces;
mod maps;
mod page_file;
mod pieces;
mod problem;
mod rates;
mod read_maps;
mod readiness;
mod remarks;
mod reports;
mod rewards;
mod room;
mod route;
mod routes;
mod simulations;
mod site;
mod stamp;
mod teams;
mod tokens;

pub use dashboard::dashboard_file;
pub use page_file::{HTML, PageFile, SCRIPT, STYLE};
pub use problem::Problem;
pub use rates::Rate;
pub use read_maps::{MapLimits, MapReader, ReadMap, read_map};
pub use route::Access;
pub use site::admit_local;
pub use tokens::{Scope, Tokens, TokensError, check_name, new_token};

use crate::fleet::Fleet;
use crate::metrics::{Metrics, write_gauges};
use crate::simulation::Simulations;
use axum::body::Bytes;
use axum::extract::State;
use axum::{Json, Router};
use rates::Rates;
use readiness::Readiness;
use room::Room;
use routes::routes;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::{Semaphore, watch};

/// The description of all routes, in OpenAPI 3.1.
pub fn openapi() -> serde_json::Value {
    describe::document(&routes())
}

/// Who may use the service.
#[derive(Debug, Clone, Default)]
pub enum Authentication {
    /// Clients on this machine that use a name of this machine. A page of another site whose name points
    /// here is refused.
    #[default]
    Local,
    /// Clients with a token.
    Tokens(Tokens),
}

/// The limits of clients.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HttpLimits {
    /// The longest body of a request, in bytes.
    pub body: usize,
    /// How long a request may take.
    pub time: Duration,
    /// How many requests a client may make.
    pub rate: Rate,
    /// How many event streams may be open.
    pub streams: usize,
    /// How many agents may be simulated at once; 0 for none.
    pub simulations: usize,
    /// How many bytes the large bodies that are read at once may have in total; at least twice the longest
    /// body.
    pub memory_for_bodies: usize,
    /// How many bytes the large answers that are sent at once may have in total.
    pub memory_for_answers: usize,
}

impl Default for HttpLimits {
    fn default() -> Self {
        let (body, time) = (16 << 20, Duration::from_secs(30));
        let (memory_for_bodies, memory_for_answers) = (64 << 20, 256 << 20);
        let (rate, streams, simulations) = (Rate::default(), 500, 8);
        Self { body, time, rate, streams, simulations, memory_for_bodies, memory_for_answers }
    }
}

/// How many uploaded maps are read at the same time.
const READ_AT_ONCE: usize = 1;

type Shared = State<Arc<Service>>;
type Answer<T> = Result<Json<T>, Problem>;

/// The state that all requests share.
pub struct Service {
    fleet: Arc<Fleet>,
    metrics: Arc<Metrics>,
    authentication: Authentication,
    limits: HttpLimits,
    rates: Rates,
    readiness: Readiness,
    simulations: Simulations,
    uploads: Arc<Semaphore>,
    bodies: Room,
    answers: Room,
    stopping: watch::Sender<bool>,
    description: OnceLock<Bytes>,
}

impl Service {
    /// A service for these agents.
    pub fn new(
        fleet: Arc<Fleet>,
        metrics: Arc<Metrics>,
        authentication: Authentication,
        limits: HttpLimits,
    ) -> Arc<Self> {
        let rates = Rates::new(limits.rate);
        let uploads = Arc::new(Semaphore::new(READ_AT_ONCE));
        // A client may have half of it, so twice the longest body lets every allowed body find room.
        let bodies = Room::new(limits.memory_for_bodies.max(limits.body.saturating_mul(2)));
        let answers = Room::new(limits.memory_for_answers);
        let simulations = Simulations::new(Arc::clone(&fleet), limits.simulations);
        let stopping = watch::Sender::new(false);
        let (readiness, description) = (Readiness::default(), OnceLock::new());
        Arc::new(Self {
            fleet,
            metrics,
            authentication,
            limits,
            rates,
            readiness,
            simulations,
            uploads,
            bodies,
            answers,
            stopping,
            description,
        })
    }

    /// Its metrics.
    pub(crate) fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }

    /// Checks that reports can be stored, as of the last second, and planned in time.
    pub(crate) async fn ready(&self) -> Result<(), Problem> {
        self.fleet.check_work()?;
        self.readiness.of(&self.fleet).await
    }

    fn write_room(&self, text: &mut String) {
        let (bodies, answers) = (&self.bodies, &self.answers);
        let gauges = [
            ("gbandit_body_bytes", "Bytes of large bodies being read.", bodies.bytes()),
            ("gbandit_bodies_waiting", "Large bodies that wait for room.", bodies.waiting()),
            ("gbandit_answer_bytes", "Bytes of large answers being sent.", answers.bytes()),
            ("gbandit_answers_waiting", "Large answers that wait for room.", answers.waiting()),
        ];
        write_gauges(text, &gauges);
    }

    /// Ends event streams and simulations, which would never end. Other requests are answered as before.
    pub fn stop(&self) {
        self.simulations.stop_all();
        self.stopping.send_replace(true);
    }
}

/// The router of all routes.
pub fn router(service: &Arc<Service>) -> Router {
    let mut router = Router::new();
    for route in routes() {
        router = router.route(route.path, route.handler);
    }
    router
        .fallback(handlers::not_found)
        .method_not_allowed_fallback(handlers::method_not_allowed)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(service), guard::guard))
        .with_state(Arc::clone(service))
}
