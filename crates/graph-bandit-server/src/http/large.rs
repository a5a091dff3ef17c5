//! Long answers, written off the threads that answer requests, when there is room for them.

use super::describe::{Answers, Operation};
use super::room::{Client, SMALL, Taken};
use super::{Problem, Service};
use crate::fleet::FleetError;
use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use graph_bandit::Graph;
use schemars::JsonSchema;
use serde::Serialize;
use std::marker::PhantomData;

/// The most bytes of a number, with its separators.
const NUMBER: usize = 25;
/// The bytes of an edge: two node numbers.
const EDGE: usize = 24;

/// Room for an answer to be made.
#[derive(Default)]
pub(super) struct AnswerRoom {
    bytes: usize,
    taken: Option<Taken>,
}

/// Takes room for an answer of about this many bytes; a small one needs none.
///
/// # Errors
/// When there was no room for too long.
pub(super) async fn room_for(
    bytes: usize,
    service: &Service,
    client: &Client,
) -> Result<AnswerRoom, Problem> {
    if bytes <= SMALL {
        return Ok(AnswerRoom { bytes, taken: None });
    }
    // Leave time to make the answer.
    let taken = service.answers.take_within(service.limits.time / 2, client, bytes).await?;
    Ok(AnswerRoom { bytes, taken: Some(taken) })
}

/// About how many bytes the description of a graph has.
pub(super) fn bytes_of(graph: &Graph) -> usize {
    let names = graph.names().unwrap_or_default().iter().map(|name| name.len() + 3).sum::<usize>();
    let coordinates = graph.coordinates().map_or(0, <[_]>::len) * 2 * NUMBER;
    let roads = graph.roads().map_or(0, |_| graph.road_count());
    let edges = if roads == 0 { graph.edge_count() } else { roads };
    names + coordinates + edges * EDGE + roads * NUMBER
}

/// About how many bytes this many numbers have.
pub(super) fn bytes_of_numbers(count: usize) -> usize {
    count.saturating_mul(NUMBER)
}

/// A `T`, written as JSON.
pub(super) struct Large<T>(Text, PhantomData<fn() -> T>);

/// A text and its room, until it is sent.
struct Text {
    text: Vec<u8>,
    _taken: Option<Taken>,
}

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        &self.text
    }
}

/// Like `Json`, but written off the threads that answer requests.
pub(super) async fn large<T>(room: AnswerRoom, answer: T) -> Result<Large<T>, Problem>
where
    T: Serialize + Send + 'static,
{
    let written = tokio::task::spawn_blocking(move || {
        let AnswerRoom { bytes, mut taken } = room;
        let mut text = Vec::with_capacity(bytes);
        serde_json::to_writer(&mut text, &answer)?;
        text.shrink_to_fit();
        if let Some(taken) = &mut taken {
            taken.shrink_to(text.len());
        }
        Ok::<_, serde_json::Error>(Text { text, _taken: taken })
    });
    match written.await {
        Ok(Ok(text)) => Ok(Large(text, PhantomData)),
        Ok(Err(error)) => {
            tracing::error!(%error, "an answer cannot be written as JSON");
            Err(FleetError::Defect.into())
        }
        Err(error) => {
            tracing::error!(%error, "writing an answer panicked");
            Err(FleetError::Defect.into())
        }
    }
}

impl<T> IntoResponse for Large<T> {
    fn into_response(self) -> Response {
        let body = Body::from(Bytes::from_owner(self.0));
        ([(header::CONTENT_TYPE, "application/json")], body).into_response()
    }
}

impl<T: JsonSchema> Answers for Large<T> {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers_json::<T>(200, "Done.");
    }
}
