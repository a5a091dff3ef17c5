//! The guard of every request: who the client is, what it may do, and how often. Logs a line afterwards.

use super::problem::DamageMark;
use super::room::{Client, SMALL, Taken};
use super::route::Access;
use super::routes::routes;
use super::site::{check_host, check_origin, check_site};
use super::{Authentication, Problem, Scope, Service, kind};
use crate::fleet::{Holding, for_client};
use crate::seats::Admission;
use axum::body::HttpBody;
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::SizeHint;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, LazyLock};
use std::time::Instant;

static ACCESS: LazyLock<HashMap<(Method, &'static str), Access>> = LazyLock::new(|| {
    routes().into_iter().map(|route| ((route.method, route.path), route.access)).collect()
});

/// The methods of a route, in the order of the alphabet.
pub(super) fn methods_of(route: &str) -> Vec<&'static str> {
    let mut methods: Vec<&str> = ACCESS
        .keys()
        .filter(|(_, path)| *path == route)
        .map(|(method, _)| method.as_str())
        .collect();
    methods.sort_unstable();
    methods
}

/// The paths that are answered even without a seat.
const FOR_ALL: [&str; 3] = ["/healthz", "/readyz", "/metrics"];
/// The paths that other sites may link to.
const PAGE: &str = "/";

pub(super) async fn guard(
    State(service): State<Arc<Service>>,
    mut request: Request,
    next: Next,
) -> Response {
    let start = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let place = request.extensions().get::<Admission>().copied().unwrap_or(Admission::Seat);
    let mut response = match service.admit(&request, route.as_deref(), start) {
        Err(problem) => problem.into_response(),
        Ok(client) => {
            let client = Client(client.into());
            let size = request.body().size_hint();
            let answered = async {
                // Held until the answer is made and all work on the body is done: the body stays in memory
                // in some form for that long, even if the client is gone.
                let room = service.room_for_body(size, &client).await;
                request.extensions_mut().insert(client.clone());
                let holding = room.map_or_else(Holding::default, Holding::of);
                for_client(client.0, holding, next.run(request)).await
            };
            match tokio::time::timeout(service.limits.time, answered).await {
                Ok(response) => response,
                Err(_) => took_too_long().into_response(),
            }
        }
    };
    if response.extensions().get::<DamageMark>().is_some() {
        service.metrics.damaged_agents.add(1);
    }
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let uncached = HeaderValue::from_static("no-store");
    headers.entry(header::CACHE_CONTROL).or_insert(uncached);
    if place == Admission::Standing {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    let (took, status) = (start.elapsed(), response.status().as_u16());
    // Patterns only: there is no limit to the number of actual paths.
    let route = route.as_deref().unwrap_or("none");
    let known = [Method::GET, Method::POST, Method::DELETE, Method::HEAD, Method::PUT];
    let method = if known.contains(&method) { method.as_str() } else { "OTHER" };
    service.metrics.request(method, route, status, took);
    tracing::info!(method, route, status, micros = took.as_micros() as u64, "request");
    response
}

fn took_too_long() -> Problem {
    Problem::new(
        kind::TIMEOUT,
        "the request took too long; a report may still be accepted, so repeat it with the same \
         number"
            .to_owned(),
    )
    .with(header::RETRY_AFTER, "1")
}

impl Service {
    fn admit(
        &self,
        request: &Request,
        route: Option<&str>,
        now: Instant,
    ) -> Result<String, Problem> {
        let access = route.and_then(|route| {
            // HEAD is GET without a body.
            let method =
                if request.method() == Method::HEAD { &Method::GET } else { request.method() };
            ACCESS.get(&(method.clone(), route)).copied()
        });
        // Everybody may learn that a path does not exist.
        let access = access.unwrap_or(Access::Open);
        let address = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let address = address.map_or_else(|| "unknown".to_owned(), |info| info.0.ip().to_string());
        let place = request.extensions().get::<Admission>().copied().unwrap_or(Admission::Seat);
        let may_stand = |scope| {
            let admitted = place == Admission::Seat
                || scope == Some(Scope::Admin)
                || route.is_some_and(|route| FOR_ALL.contains(&route));
            if admitted { Ok(()) } else { Err(no_seat()) }
        };
        let headers = request.headers();
        let client = match &self.authentication {
            Authentication::Local => {
                check_host(headers)?;
                check_origin(headers)?;
                if route != Some(PAGE) {
                    check_site(headers)?;
                }
                may_stand(None)?;
                address
            }
            Authentication::Tokens(tokens) => {
                if ![Method::GET, Method::HEAD].contains(request.method()) {
                    check_origin(headers)?;
                    check_site(headers)?;
                }
                let known = bearer(headers).and_then(|token| tokens.find(token));
                may_stand(known.as_ref().map(|(_, scope)| *scope))?;
                match (access, known) {
                    (Access::Scoped(wanted), Some((name, scope))) if scope < wanted => {
                        return Err(Problem::new(
                            kind::SCOPE,
                            format!(
                                "this request needs scope {wanted}; token {name} has only {scope}"
                            ),
                        ));
                    }
                    (_, Some((name, _))) => format!("token {name}"),
                    (Access::Open, None) => address,
                    (Access::Scoped(_), None) => {
                        // Count guesses, too.
                        self.check_rate(&address, now)?;
                        return Err(unauthorized());
                    }
                }
            }
        };
        self.check_rate(&client, now)?;
        Ok(client)
    }

    /// Waits for room for a large body. A body of unknown length may have the full length.
    async fn room_for_body(&self, size: SizeHint, client: &Client) -> Option<Taken> {
        let longest = self.limits.body as u64;
        let bytes = size.upper().unwrap_or(longest);
        // A body that is too long is refused before it is read.
        if bytes <= SMALL as u64 || size.lower() > longest {
            return None;
        }
        Some(self.bodies.take(client, bytes.min(longest) as usize).await)
    }

    fn check_rate(&self, client: &str, now: Instant) -> Result<(), Problem> {
        if self.rates.admit(client, now) {
            return Ok(());
        }
        let detail =
            format!("too many requests; send at most {} per second", self.limits.rate.per_second);
        Err(Problem::new(kind::RATE, detail).with(header::RETRY_AFTER, "1"))
    }
}

fn no_seat() -> Problem {
    Problem::new(
        kind::CONNECTIONS,
        "all connections that the service allows, or allows one address, are taken; try again later"
            .to_owned(),
    )
    .with(header::RETRY_AFTER, "1")
}

fn unauthorized() -> Problem {
    Problem::new(
        kind::TOKEN,
        "send a token that is valid here: Authorization: Bearer TOKEN".to_owned(),
    )
    .with(header::WWW_AUTHENTICATE, "Bearer")
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
