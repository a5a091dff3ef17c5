//! The fleet over HTTP: routes, who may use them, and how refusals look.
//!
//! One table says which route wants which scope and is answered by what; the router is built from
//! it, and a test holds `openapi.json` against it.

mod body;
mod dashboard;
mod estimates;
mod events;
mod guard;
mod handlers;
mod large;
mod maps;
mod problem;
mod rates;
mod rewards;
mod tokens;

pub use problem::Problem;
pub use rates::Rate;
pub use tokens::{Scope, Tokens, TokensError, new_token};

use crate::fleet::Fleet;
use crate::metrics::Metrics;
use axum::extract::State;
use axum::http::Method;
use axum::routing::{MethodRouter, delete, get, post};
use axum::{Json, Router};
use rates::Rates;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, watch};

/// The description of everything below, in OpenAPI 3.1.
pub const OPENAPI: &str = include_str!("openapi.json");

/// Who may come in.
#[derive(Debug, Clone, Default)]
pub enum Door {
    /// Whoever is on this machine, by a name of this machine: a page of another site that had its
    /// name point here is turned away.
    #[default]
    Local,
    /// Whoever has a token.
    Tokens(Tokens),
}

/// How much one client may ask for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HttpLimits {
    /// The longest body of a request, in bytes.
    pub body: usize,
    /// How long a request may take.
    pub time: Duration,
    /// How many requests a client may make.
    pub rate: Rate,
    /// How many streams of events there may be.
    pub streams: usize,
}

impl Default for HttpLimits {
    fn default() -> Self {
        let (body, time) = (16 << 20, Duration::from_secs(30));
        Self { body, time, rate: Rate::default(), streams: 500 }
    }
}

/// How many uploaded maps are read at the same time.
const READ_AT_ONCE: usize = 1;

type Shared = State<Arc<Service>>;
type Answer<T> = Result<Json<T>, Problem>;

/// All that requests share.
pub struct Service {
    fleet: Arc<Fleet>,
    metrics: Arc<Metrics>,
    door: Door,
    limits: HttpLimits,
    rates: Rates,
    uploads: Arc<Semaphore>,
    stopping: watch::Sender<bool>,
}

impl Service {
    /// A service for these agents.
    pub fn new(
        fleet: Arc<Fleet>,
        metrics: Arc<Metrics>,
        door: Door,
        limits: HttpLimits,
    ) -> Arc<Self> {
        let rates = Rates::new(limits.rate);
        let uploads = Arc::new(Semaphore::new(READ_AT_ONCE));
        let stopping = watch::Sender::new(false);
        Arc::new(Self { fleet, metrics, door, limits, rates, uploads, stopping })
    }

    /// Ends what would go on for ever: streams of events. Everything else is answered as before.
    pub fn stop(&self) {
        self.stopping.send_replace(true);
    }
}

/// What a route asks of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Nothing.
    Open,
    /// A token of this scope or a higher one, where there are tokens at all.
    Scoped(Scope),
}

struct Route {
    method: Method,
    path: &'static str,
    access: Access,
    handler: MethodRouter<Arc<Service>>,
}

fn routes() -> Vec<Route> {
    let reading = |path, access, handler| Route { method: Method::GET, path, access, handler };
    let posting = |path, scope, handler| Route {
        method: Method::POST,
        path,
        access: Access::Scoped(scope),
        handler,
    };
    let scoped = Access::Scoped(Scope::Read);
    vec![
        reading("/", Access::Open, get(dashboard::page)),
        reading("/dashboard/{file}", Access::Open, get(dashboard::file)),
        reading("/healthz", Access::Open, get(handlers::health)),
        reading("/readyz", Access::Open, get(handlers::ready)),
        reading("/openapi.json", Access::Open, get(handlers::openapi)),
        reading("/metrics", scoped, get(handlers::metrics)),
        reading("/v1/registry", scoped, get(handlers::registry)),
        reading("/v1/agents", scoped, get(handlers::list)),
        posting("/v1/agents", Scope::Admin, post(handlers::create)),
        posting("/v1/maps", Scope::Admin, post(maps::read)),
        posting("/v1/import", Scope::Admin, post(handlers::import)),
        reading("/v1/agents/{id}", scoped, get(handlers::show)),
        Route {
            method: Method::DELETE,
            path: "/v1/agents/{id}",
            access: Access::Scoped(Scope::Admin),
            handler: delete(handlers::delete),
        },
        posting("/v1/agents/{id}/ask", Scope::Decide, post(handlers::ask)),
        posting("/v1/agents/{id}/tell", Scope::Decide, post(handlers::tell)),
        posting("/v1/agents/{id}/failed", Scope::Decide, post(handlers::failed)),
        posting("/v1/agents/{id}/blocked", Scope::Decide, post(handlers::blocked)),
        posting("/v1/agents/{id}/opened", Scope::Decide, post(handlers::opened)),
        reading("/v1/agents/{id}/estimates", scoped, get(estimates::estimates)),
        reading("/v1/agents/{id}/events", scoped, get(events::events)),
        reading("/v1/agents/{id}/history", scoped, get(handlers::history)),
        reading("/v1/agents/{id}/map", scoped, get(maps::map)),
        reading("/v1/agents/{id}/rewards", scoped, get(rewards::rewards)),
        reading("/v1/agents/{id}/snapshot", scoped, get(handlers::snapshot)),
    ]
}

/// Everything the service answers.
pub fn router(service: &Arc<Service>) -> Router {
    let mut router = Router::new();
    for route in routes() {
        router = router.route(route.path, route.handler);
    }
    router
        .fallback(handlers::nowhere)
        .method_not_allowed_fallback(handlers::not_so)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(service), guard::guard))
        .with_state(Arc::clone(service))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::collections::BTreeMap;

    /// The document names exactly the routes there are, with the scopes they want, and every
    /// reference in it leads somewhere.
    #[test]
    fn the_description_is_of_these_routes() {
        let document: Value = serde_json::from_str(OPENAPI).unwrap();
        let mut described = BTreeMap::new();
        for (path, operations) in document["paths"].as_object().unwrap() {
            for (method, operation) in operations.as_object().unwrap() {
                if method != "parameters" {
                    let scope = operation["x-scope"].as_str().unwrap().to_owned();
                    described.insert((path.clone(), method.to_uppercase()), scope);
                }
            }
        }
        let built = routes().into_iter().map(|route| {
            let scope = match route.access {
                Access::Open => "open".to_owned(),
                Access::Scoped(scope) => scope.to_string(),
            };
            ((route.path.to_owned(), route.method.to_string()), scope)
        });
        assert_eq!(described, built.collect());
        check_references(&document, &document);
    }

    fn check_references(document: &Value, part: &Value) {
        if let Some(reference) = part.get("$ref").and_then(Value::as_str) {
            let target = document.pointer(reference.strip_prefix('#').unwrap());
            assert!(target.is_some(), "{reference}");
        }
        match part {
            Value::Object(map) => map.values().for_each(|part| check_references(document, part)),
            Value::Array(list) => list.iter().for_each(|part| check_references(document, part)),
            _ => {}
        }
    }
}
