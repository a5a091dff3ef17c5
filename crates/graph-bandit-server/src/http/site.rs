//! Checks the host name and the origin of a request. A browser sends requests for any page, but its headers
//! `Host`, `Origin` and `Sec-Fetch-Site` reveal pages of other sites.

use super::{Problem, kind};
use axum::http::{HeaderMap, HeaderValue, header};
use std::net::IpAddr;

/// Admits requests to a name of this machine, and among pages only those of this service.
///
/// # Errors
/// When the request is refused.
pub fn admit_local(headers: &HeaderMap) -> Result<(), Problem> {
    check_host(headers)?;
    check_origin(headers)?;
    check_site(headers)
}

/// A browser sends the host name of the page. A page of another site whose name points to this machine
/// would be admitted by address, but not by name.
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
        "without tokens the service accepts only localhost and loopback addresses as its host"
            .to_owned(),
    ))
}

/// A request with an origin comes from a page, which must be the service's own. Robots and `curl` send none.
pub(super) fn check_origin(headers: &HeaderMap) -> Result<(), Problem> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let is_own = |origin: &HeaderValue| {
        let name = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
        name.zip(host).is_some_and(|((_, name), host)| name.eq_ignore_ascii_case(host))
    };
    if headers.get_all(header::ORIGIN).iter().all(is_own) { Ok(()) } else { Err(other_site()) }
}

/// A browser marks every request of a page of another site, even without an origin. The page could not
/// read the answer, but it could keep the service busy.
pub(super) fn check_site(headers: &HeaderMap) -> Result<(), Problem> {
    match headers.get("sec-fetch-site").map(HeaderValue::as_bytes) {
        None | Some(b"same-origin" | b"none") => Ok(()),
        Some(_) => Err(other_site()),
    }
}

fn other_site() -> Problem {
    Problem::new(
        kind::SITE,
        "only the service's own pages may use it; a proxy in front of it must pass on the header Host \
         unchanged"
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
