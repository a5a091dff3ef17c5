//! By which name a request comes, and from which page. A browser does what any page tells it to; what it
//! says of itself in `Host`, `Origin` and `Sec-Fetch-Site` gives pages of other sites away.

use super::{Problem, kind};
use axum::http::{HeaderMap, HeaderValue, header};
use std::net::IpAddr;

/// Lets in whoever comes by a name of this machine, and among pages only those of this very service.
///
/// # Errors
/// Says who is let in.
pub fn admit_local(headers: &HeaderMap) -> Result<(), Problem> {
    check_host(headers)?;
    check_origin(headers)?;
    check_site(headers)
}

/// A browser sends the name it was led here by. A page of another site that has its name point to
/// this machine would be let in by address; its name gives it away.
pub(super) fn check_host(headers: &HeaderMap) -> Result<(), Problem> {
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

/// Whoever sends an origin is a page: it must be the service's own. Robots and `curl` send none.
pub(super) fn check_origin(headers: &HeaderMap) -> Result<(), Problem> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let is_own = |origin: &HeaderValue| {
        let name = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
        name.zip(host).is_some_and(|((_, name), host)| name.eq_ignore_ascii_case(host))
    };
    if headers.get_all(header::ORIGIN).iter().all(is_own) { Ok(()) } else { Err(other_site()) }
}

/// A browser says of every request whether a page of another site makes it, also where it sends no
/// origin. Such a page could not read the answer, but it could keep the service busy.
pub(super) fn check_site(headers: &HeaderMap) -> Result<(), Problem> {
    match headers.get("sec-fetch-site").map(HeaderValue::as_bytes) {
        None | Some(b"same-origin" | b"none") => Ok(()),
        Some(_) => Err(other_site()),
    }
}

fn other_site() -> Problem {
    Problem::new(
        kind::SITE,
        "among pages, the service answers to its own only; a proxy before it must pass on the header Host \
         as it came"
            .to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderName;

    fn headers(pairs: &[(HeaderName, &'static str)]) -> HeaderMap {
        let pairs = pairs.iter().cloned();
        pairs.map(|(name, value)| (name, HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn names_of_this_machine() {
        let admitted = |host| check_host(&headers(&[(header::HOST, host)])).is_ok();
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1:8080", "127.9.9.9", "[::1]:8080"] {
            assert!(admitted(host), "{host}");
        }
        for host in ["example.org", "localhost.example.org", "10.0.0.1:80", "[::2]", "", "::1"] {
            assert!(!admitted(host), "{host}");
        }
        assert!(check_host(&HeaderMap::new()).is_ok());
    }

    #[test]
    fn origins_of_this_service() {
        let admitted = |host, origin| {
            check_origin(&headers(&[(header::HOST, host), (header::ORIGIN, origin)])).is_ok()
        };
        for (host, origin) in [
            ("localhost:8080", "http://localhost:8080"),
            ("robots.example.org", "https://Robots.Example.org"),
            ("[::1]:8080", "http://[::1]:8080"),
        ] {
            assert!(admitted(host, origin), "{host} {origin}");
        }
        for (host, origin) in [
            ("localhost:8080", "http://localhost"),
            ("localhost:8080", "http://127.0.0.1:8080"),
            ("localhost:8080", "http://localhost:8080.example.org"),
            ("localhost:8080", "null"),
            ("localhost:8080", ""),
            ("localhost:8080", "localhost:8080"),
        ] {
            assert!(!admitted(host, origin), "{host} {origin}");
        }
        assert!(check_origin(&headers(&[(header::HOST, "localhost")])).is_ok());
        assert!(check_origin(&headers(&[(header::ORIGIN, "http://localhost")])).is_err());
    }
}
