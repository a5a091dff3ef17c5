//! Before every request: who is it, may it, does it come too often. After it: a line in the log.

use super::route::Access;
use super::routes::routes;
use super::{Door, Problem, Service, kind};
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, LazyLock};
use std::time::Instant;

static ACCESS: LazyLock<HashMap<(Method, &'static str), Access>> = LazyLock::new(|| {
    routes().into_iter().map(|route| ((route.method, route.path), route.access)).collect()
});

pub(super) async fn guard(
    State(service): State<Arc<Service>>,
    request: Request,
    next: Next,
) -> Response {
    let start = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let mut response = match service.admit(&request, route.as_deref(), start) {
        Err(problem) => problem.into_response(),
        Ok(()) => match tokio::time::timeout(service.limits.time, next.run(request)).await {
            Ok(response) => response,
            Err(_) => took_too_long().into_response(),
        },
    };
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let uncached = HeaderValue::from_static("no-store");
    headers.entry(header::CACHE_CONTROL).or_insert(uncached);
    let (took, status) = (start.elapsed(), response.status().as_u16());
    // Patterns only: what a path really was may be anything, and could be without number.
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
        "the request took too long; a report may still be taken in, so repeat it with the same \
         number"
            .to_owned(),
    )
    .with(header::RETRY_AFTER, "1")
}

impl Service {
    fn admit(&self, request: &Request, route: Option<&str>, now: Instant) -> Result<(), Problem> {
        let access = route.and_then(|route| {
            // HEAD is GET without a body.
            let method =
                if request.method() == Method::HEAD { &Method::GET } else { request.method() };
            ACCESS.get(&(method.clone(), route)).copied()
        });
        // Where nothing is, everybody may hear so.
        let access = access.unwrap_or(Access::Open);
        let address = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let address = address.map_or_else(|| "unknown".to_owned(), |info| info.0.ip().to_string());
        let client = match &self.door {
            Door::Local => {
                check_host(request.headers())?;
                if access != Access::Open {
                    check_site(request.headers())?;
                }
                address
            }
            Door::Tokens(tokens) => {
                let token = bearer(request.headers());
                match (access, token.and_then(|token| tokens.find(token))) {
                    (Access::Scoped(wanted), Some((name, scope))) if scope < wanted => {
                        return Err(Problem::new(
                            kind::SCOPE,
                            format!("that wants scope {wanted}; token {name} has {scope}"),
                        ));
                    }
                    (_, Some((name, _))) => format!("token {name}"),
                    (Access::Open, None) => address,
                    (Access::Scoped(_), None) => {
                        // Guessing counts, too.
                        self.check_rate(&address, now)?;
                        return Err(stranger());
                    }
                }
            }
        };
        self.check_rate(&client, now)
    }

    fn check_rate(&self, client: &str, now: Instant) -> Result<(), Problem> {
        if self.rates.admit(client, now) {
            return Ok(());
        }
        let detail = format!("at most {} requests per second", self.limits.rate.per_second);
        Err(Problem::new(kind::RATE, detail).with(header::RETRY_AFTER, "1"))
    }
}

fn stranger() -> Problem {
    Problem::new(
        kind::TOKEN,
        "send a token that is known here: Authorization: Bearer TOKEN".to_owned(),
    )
    .with(header::WWW_AUTHENTICATE, "Bearer")
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// A browser sends the name it was led here by. A page of another site that has its name point to
/// this machine would be let in by address; its name gives it away.
fn check_host(headers: &HeaderMap) -> Result<(), Problem> {
    let Some(host) = headers.get(header::HOST) else { return Ok(()) };
    let host = host.to_str().unwrap_or_default();
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let address = name.parse::<IpAddr>();
    if name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
    {
        return Ok(());
    }
    Err(Problem::new(
        kind::HOST,
        "without tokens the service answers to localhost and loopback addresses only".to_owned(),
    ))
}

/// A browser says of every request whether a page of another site makes it. Such a page could not
/// read the answer, but it could keep the service busy.
fn check_site(headers: &HeaderMap) -> Result<(), Problem> {
    match headers.get("sec-fetch-site").map(HeaderValue::as_bytes) {
        None | Some(b"same-origin" | b"none") => Ok(()),
        Some(_) => Err(Problem::new(
            kind::SITE,
            "without tokens the service answers to its own page only, among pages".to_owned(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_this_machine() {
        let admitted = |host: &'static str| {
            let headers = HeaderMap::from_iter([(header::HOST, HeaderValue::from_static(host))]);
            check_host(&headers).is_ok()
        };
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1:8080", "127.9.9.9", "[::1]:8080"] {
            assert!(admitted(host), "{host}");
        }
        for host in ["example.org", "localhost.example.org", "10.0.0.1:80", "[::2]", "", "::1"] {
            assert!(!admitted(host), "{host}");
        }
        assert!(check_host(&HeaderMap::new()).is_ok());
    }
}
