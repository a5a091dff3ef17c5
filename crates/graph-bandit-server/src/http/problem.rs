//! The one place that turns errors into answers: problem details, RFC 9457.

use crate::agent::LAST_SEQUENCE;
use crate::fleet::FleetError;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

/// A refusal.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem(Box<Details>);

/// Problem details, RFC 9457.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub(super) struct Details {
    /// What kind of problem, as a URN.
    #[serde(rename = "type")]
    #[schemars(regex(pattern = "^urn:graph-bandit:[a-z-]+$"))]
    kind: String,
    /// The kind in words.
    title: &'static str,
    /// The status of the answer.
    #[schemars(range(min = 400, max = 599))]
    status: u16,
    /// This very problem, and the remedy.
    detail: String,
    /// The number the next report must bear, where that was the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = LAST_SEQUENCE))]
    next_sequence: Option<u64>,
    #[serde(skip)]
    header: Option<(header::HeaderName, &'static str)>,
}

impl Problem {
    /// A problem of the kind `name`, a part of a URN.
    pub fn new(status: StatusCode, (name, title): (&str, &'static str), detail: String) -> Self {
        Self(Box::new(Details {
            kind: format!("urn:graph-bandit:{name}"),
            title,
            status: status.as_u16(),
            detail,
            next_sequence: None,
            header: None,
        }))
    }

    /// The body is JSON, and says something else than it should.
    pub(super) fn wrong_content(detail: String) -> Self {
        let kind = ("content", "The body says something else than it should");
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, kind, detail)
    }

    /// With a header that belongs to such an answer.
    #[must_use]
    pub(super) fn with(mut self, name: header::HeaderName, value: &'static str) -> Self {
        self.0.header = Some((name, value));
        self
    }

    fn with_next(mut self, sequence: u64) -> Self {
        self.0.next_sequence = Some(sequence);
        self
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let Self(details) = self;
        let status = StatusCode::from_u16(details.status);
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let header = details.header.clone();
        let mut response = (status, Json(details)).into_response();
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        if let Some((name, value)) = header {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response
    }
}

impl From<FleetError> for Problem {
    fn from(error: FleetError) -> Self {
        let detail = error.to_string();
        let new = |status, kind| Self::new(status, kind, detail);
        match error {
            FleetError::BadName { .. } | FleetError::Definition(_) | FleetError::Import(_) => {
                new(StatusCode::UNPROCESSABLE_ENTITY, ("no-such-agent", "No such agent can be"))
            }
            FleetError::Event(_) => new(
                StatusCode::UNPROCESSABLE_ENTITY,
                ("impossible", "The report cannot be taken in"),
            ),
            FleetError::NameTaken { .. } => {
                new(StatusCode::CONFLICT, ("name-taken", "Another agent bears the name"))
            }
            FleetError::NoSuchAgent { .. } => {
                new(StatusCode::NOT_FOUND, ("unknown-agent", "There is no such agent"))
            }
            FleetError::OtherReport { next, .. } | FleetError::Gap { next, .. } => {
                let kind = ("sequence", "The report bears the wrong number");
                new(StatusCode::CONFLICT, kind).with_next(next)
            }
            FleetError::Contended { .. } => {
                let kind = ("contended", "Others report at the same time");
                new(StatusCode::SERVICE_UNAVAILABLE, kind).with(header::RETRY_AFTER, "1")
            }
            FleetError::Store { .. } => {
                let kind = ("store", "The store is out of order");
                new(StatusCode::SERVICE_UNAVAILABLE, kind).with(header::RETRY_AFTER, "1")
            }
            FleetError::Damaged { .. } => {
                new(StatusCode::INTERNAL_SERVER_ERROR, ("damaged", "The agent is damaged"))
            }
            FleetError::Defect => {
                new(StatusCode::INTERNAL_SERVER_ERROR, ("defect", "The service has a defect"))
            }
        }
    }
}
