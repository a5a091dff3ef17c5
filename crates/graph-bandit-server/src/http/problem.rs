//! Turns errors into answers: problem details, RFC 9457.

use super::kind::{self, Kind};
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

/// Marks the answer of a request that met a damaged agent.
#[derive(Debug, Clone, Copy)]
pub(super) struct DamageMark;

/// The details of a problem, in the format of RFC 9457.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub(super) struct Details {
    /// The kind of problem, as a URN.
    #[serde(rename = "type")]
    #[schemars(regex(pattern = "^urn:graph-bandit:[a-z-]+$"))]
    kind: String,
    /// The kind of problem, in words.
    title: &'static str,
    /// The HTTP status of the answer.
    #[schemars(range(min = 400, max = 599))]
    status: u16,
    /// What is wrong, and what to do.
    detail: String,
    /// The number of the next report. Present only if `type` is `urn:graph-bandit:sequence` or
    /// `urn:graph-bandit:other-past`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = LAST_SEQUENCE))]
    next_sequence: Option<u64>,
    #[serde(skip)]
    header: Option<(header::HeaderName, &'static str)>,
}

impl Problem {
    /// A problem of this kind; `detail` names the remedy.
    pub(crate) fn new(kind: Kind, detail: String) -> Self {
        Self(Box::new(Details {
            kind: kind.urn(),
            title: kind.title,
            status: kind.status.as_u16(),
            detail,
            next_sequence: None,
            header: None,
        }))
    }

    /// Adds a header to the answer.
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
        let (header, damaged) = (details.header.clone(), details.kind == kind::DAMAGED.urn());
        let mut response = (status, Json(details)).into_response();
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        if damaged {
            response.extensions_mut().insert(DamageMark);
        }
        if let Some((name, value)) = header {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response
    }
}

impl From<FleetError> for Problem {
    fn from(error: FleetError) -> Self {
        let problem = |kind| Self::new(kind, error.to_string());
        match &error {
            FleetError::BadName { .. } | FleetError::Definition(_) | FleetError::Import(_) => {
                problem(kind::NO_SUCH_AGENT)
            }
            FleetError::Event(_) => problem(kind::IMPOSSIBLE),
            FleetError::NameTaken { .. } => problem(kind::NAME_TAKEN),
            FleetError::NoSuchAgent { .. } => problem(kind::UNKNOWN_AGENT),
            FleetError::OtherAgent { .. } => problem(kind::OTHER_AGENT),
            FleetError::OtherPast { next, .. } => problem(kind::OTHER_PAST).with_next(*next),
            FleetError::OtherReport { next, .. }
            | FleetError::OrderChanged { next, .. }
            | FleetError::Gap { next, .. }
            | FleetError::NotKept { next, .. } => problem(kind::SEQUENCE).with_next(*next),
            FleetError::Contended { .. } | FleetError::Removed { .. } => {
                problem(kind::CONTENDED).with(header::RETRY_AFTER, "1")
            }
            FleetError::Store { .. } => problem(kind::STORE).with(header::RETRY_AFTER, "1"),
            FleetError::Overloaded { .. } => {
                problem(kind::OVERLOADED).with(header::RETRY_AFTER, "1")
            }
            FleetError::GivenUp { .. } => problem(kind::GIVEN_UP).with(header::RETRY_AFTER, "1"),
            FleetError::Damaged { id, .. } => {
                let export = format!("`gbandit store export STORE --agent {id}`");
                Self::new(
                    kind::DAMAGED,
                    format!("{error}; {export} writes all stored data of the agent"),
                )
            }
            FleetError::Defect => problem(kind::DEFECT),
        }
    }
}
