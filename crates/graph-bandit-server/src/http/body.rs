//! Extractors: JSON bodies, names in paths, pages in queries. Each refusal is a problem.

use super::describe::{Operation, Reads, Refusal};
use super::room::{Client, SMALL};
use super::{Problem, Service, kind};
use crate::agent::Name;
use crate::fleet::{FleetError, Holding};
use crate::member::in_member;
use axum::body::{Bytes, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use graph_bandit::spec::in_plain_words;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::error::Category;
use std::convert::Infallible;
use std::sync::Arc;

/// A body that must be JSON.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned + Send + 'static> FromRequest<Arc<Service>> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, service: &Arc<Service>) -> Result<Self, Problem> {
        if !is_json(request.headers()) {
            return Err(Problem::new(
                kind::MEDIA_TYPE,
                "send JSON, with the header Content-Type: application/json".to_owned(),
            ));
        }
        let Raw(bytes) = Raw::from_request(request, service).await?;
        if bytes.len() <= SMALL {
            return read(&bytes).map(Self);
        }
        // A large body is parsed off the threads that answer requests.
        let holding = Holding::of_this_task();
        let reading = tokio::task::spawn_blocking(move || {
            let _holding = holding;
            let bytes = bytes;
            read(&bytes)
        });
        let reading = reading.await;
        reading.map_or_else(
            |error| {
                tracing::error!(%error, "reading a body panicked");
                Err(FleetError::Defect.into())
            },
            |read| read.map(Self),
        )
    }
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(bytes).map_err(|error| match error.classify() {
        Category::Data => Problem::new(kind::CONTENT, misfit::<T>(bytes, &error)),
        _ => Problem::new(kind::SYNTAX, not_json(bytes, &error)),
    })
}

/// Why a body is not JSON. Many programs write NaN and Infinity as if JSON had them.
fn not_json(bytes: &[u8], error: &serde_json::Error) -> String {
    let line = bytes.split(|byte| *byte == b'\n').nth(error.line().saturating_sub(1));
    let word = line.and_then(|line| word_at(line, error.column().saturating_sub(1)));
    let is_no_number =
        |word: &&str| ["nan", "inf", "infinity"].iter().any(|odd| word.eq_ignore_ascii_case(odd));
    word.filter(is_no_number).map_or_else(
        || error.to_string(),
        |word| format!("{error}: JSON has no {word}; a number, such as a reward, must be finite"),
    )
}

/// The word of letters that has this byte, or ends before it.
fn word_at(line: &[u8], at: usize) -> Option<&str> {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
    let before = line.get(..at.min(line.len()))?;
    let start = before.iter().rposition(|byte| !is_letter(byte)).map_or(0, |last| last + 1);
    let length = line[start..].iter().take_while(|byte| is_letter(byte)).count();
    std::str::from_utf8(&line[start..start + length]).ok().filter(|word| !word.is_empty())
}

/// What does not fit in a body, and the member that it is in. The body is read again for that, so that bodies that fit
/// are read as fast as they can be.
fn misfit<T: DeserializeOwned>(bytes: &[u8], error: &serde_json::Error) -> String {
    let said = error.to_string();
    let plain = in_plain_words(&said);
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let Err(located) = serde_path_to_error::deserialize::<_, T>(&mut reader) else { return plain };
    in_member(located.path(), &said, plain)
}

impl<T: JsonSchema> Reads for Body<T> {
    fn describe(operation: &mut Operation<'_>) {
        operation.body_holds::<T>();
        for refusal in [Refusal::MediaType, Refusal::Unprocessable] {
            operation.refuses(refusal);
        }
        Unread::describe(operation);
    }
}

/// A body that may be anything.
pub(super) struct Raw(pub(super) Bytes);

impl FromRequest<Arc<Service>> for Raw {
    type Rejection = Problem;

    async fn from_request(request: Request, service: &Arc<Service>) -> Result<Self, Problem> {
        let limit = service.limits.body;
        let announced = request.headers().get(header::CONTENT_LENGTH);
        let announced = announced.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        if announced.is_some_and(|length| length > limit) {
            return Err(too_long(limit));
        }
        to_bytes(request.into_body(), limit).await.map(Self).map_err(|error| {
            if is_too_long(&error) {
                return too_long(limit);
            }
            Problem::new(
                kind::BODY,
                "the connection broke before the whole body arrived".to_owned(),
            )
        })
    }
}

impl Reads for Raw {
    fn describe(operation: &mut Operation<'_>) {
        operation.body_is_raw("The bytes of the file, whatever the Content-Type.");
        Unread::describe(operation);
    }
}

/// A body that is ignored. It is read all the same: a connection with unread bytes must be closed.
pub(super) struct Unread;

impl FromRequest<Arc<Service>> for Unread {
    type Rejection = Problem;

    async fn from_request(request: Request, service: &Arc<Service>) -> Result<Self, Problem> {
        Raw::from_request(request, service).await.map(|_| Self)
    }
}

impl Reads for Unread {
    fn describe(operation: &mut Operation<'_>) {
        operation.refuses(Refusal::BadRequest);
        operation.refuses(Refusal::TooLarge);
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let essence = kind.and_then(|kind| kind.split(';').next()).map(str::trim);
    essence.is_some_and(|essence| essence.eq_ignore_ascii_case("application/json"))
}

fn is_too_long(error: &axum::Error) -> bool {
    let source = std::error::Error::source(error);
    source.is_some_and(|source| source.to_string().contains("length limit"))
}

fn too_long(limit: usize) -> Problem {
    Problem::new(kind::TOO_LARGE, format!("a body may have at most {limit} bytes"))
}

/// The name of an agent in a path.
pub(super) struct Id(pub(super) String);

impl FromRequestParts<Arc<Service>> for Id {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Arc<Service>,
    ) -> Result<Self, Problem> {
        text_in_path(parts, service).await.map(Self)
    }
}

impl Reads for Id {
    fn describe(operation: &mut Operation<'_>) {
        operation.path_holds::<Name>("id", "The name of the agent.");
        operation.refuses(Refusal::BadRequest);
        operation.refuses(Refusal::NotFound);
    }
}

/// The variable part of a path.
pub(super) async fn text_in_path(
    parts: &mut Parts,
    service: &Arc<Service>,
) -> Result<String, Problem> {
    let path = Path::<String>::from_request_parts(parts, service).await;
    path.map(|Path(text)| text)
        .map_err(|_| Problem::new(kind::PATH, "write the path in UTF-8".to_owned()))
}

impl FromRequestParts<Arc<Service>> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<Service>) -> Result<Self, Infallible> {
        // The guard sets the client; without a guard all clients are one.
        Ok(parts.extensions.get::<Self>().cloned().unwrap_or_else(|| Self("unknown".into())))
    }
}

impl Reads for Client {
    fn describe(_: &mut Operation<'_>) {}
}

/// The parameters of the query.
pub(super) struct Page<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequestParts<Arc<Service>> for Page<T> {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Arc<Service>,
    ) -> Result<Self, Problem> {
        let query = Query::<T>::from_request_parts(parts, service).await;
        query
            .map(|Query(page)| Self(page))
            .map_err(|rejection| Problem::new(kind::QUERY, in_plain_words(&rejection.body_text())))
    }
}

impl<T: JsonSchema> Reads for Page<T> {
    fn describe(operation: &mut Operation<'_>) {
        operation.query_holds::<T>();
        operation.refuses(Refusal::BadRequest);
    }
}

/// `?from=..&limit=..`, for numbered things, at most `MOST` at once.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Numbered<const MOST: u32> {
    /// The number of the first entry to return.
    #[serde(default)]
    pub(super) from: u32,
    /// The largest number of entries to return.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = MOST))]
    limit: u32,
}

/// `?after=..&limit=..`, for named things.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Named {
    /// Return the agents whose names come after this one.
    #[serde(default)]
    pub(super) after: String,
    /// The largest number of entries to return.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = LARGEST_PAGE))]
    limit: u32,
}

/// The most things on a page, if they are small.
pub(super) const LARGEST_PAGE: u32 = 1_000;

fn default_limit() -> u32 {
    100
}

fn checked(limit: u32, most: u32) -> Result<u32, Problem> {
    if (1..=most).contains(&limit) {
        return Ok(limit);
    }
    let detail = format!("limit={limit}; write a number from 1 to {most}");
    Err(Problem::new(kind::QUERY, detail))
}

impl<const MOST: u32> Numbered<MOST> {
    pub(super) fn limit(self) -> Result<u32, Problem> {
        checked(self.limit, MOST)
    }
}

impl Named {
    pub(super) fn limit(&self) -> Result<u32, Problem> {
        checked(self.limit, LARGEST_PAGE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::{Fleet, FleetLimits, for_client};
    use crate::http::{Authentication, HttpLimits};
    use crate::metrics::Metrics;
    use crate::store::MemoryStore;
    use futures_util::FutureExt;
    use serde::Deserializer;
    use std::sync::Mutex;
    use std::time::Duration;

    static GATE: Mutex<()> = Mutex::new(());

    /// A value that cannot be read while the gate is shut.
    struct Gated;

    impl<'de> Deserialize<'de> for Gated {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            drop(GATE.lock().unwrap());
            String::deserialize(deserializer).map(|_| Self)
        }
    }

    #[tokio::test]
    async fn room_is_held_while_a_body_is_read_after_its_client_left() {
        let metrics = Arc::new(Metrics::default());
        let store = Arc::new(MemoryStore::default());
        let fleet = Fleet::new(store, FleetLimits::default(), Arc::clone(&metrics));
        let service = Service::new(fleet, metrics, Authentication::Local, HttpLimits::default());
        let text = format!("{:?}", "x".repeat(2 * SMALL));
        let request = Request::post("/").header(header::CONTENT_TYPE, "application/json");
        let request = request.body(text.into()).unwrap();
        let room = Arc::new(());
        let gate = GATE.lock().unwrap();
        let holding = Holding::of(Arc::clone(&room));
        let reading = Body::<Gated>::from_request(request, &service);
        assert!(for_client("a".into(), holding, reading).now_or_never().is_none());
        assert_eq!(Arc::strong_count(&room), 2);
        drop(gate);
        for _ in 0..6_000 {
            if Arc::strong_count(&room) == 1 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("room was not given back");
    }
}
