//! How a request may be refused, one answer for each status.

use crate::http::route::Access;
use axum::http::StatusCode;
use schemars::Schema;
use serde_json::{Value, json};

/// A kind of refusal; all are problem details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http) enum Refusal {
    BadRequest,
    Unauthorized,
    Forbidden,
    NotFound,
    NoSuchFile,
    Conflict,
    TooLarge,
    MediaType,
    Misdirected,
    Unprocessable,
    NoMap,
    TooMany,
    Defect,
    Unavailable,
}

impl Refusal {
    pub(super) const ALL: [Self; 14] = [
        Self::BadRequest,
        Self::Unauthorized,
        Self::Forbidden,
        Self::NotFound,
        Self::NoSuchFile,
        Self::Conflict,
        Self::TooLarge,
        Self::MediaType,
        Self::Misdirected,
        Self::Unprocessable,
        Self::NoMap,
        Self::TooMany,
        Self::Defect,
        Self::Unavailable,
    ];

    /// What the door may answer, whatever the operation is.
    pub(super) fn of_access(access: Access) -> &'static [Self] {
        const OPEN: usize = 2;
        const ANY: [Refusal; 6] = [
            Refusal::Unauthorized,
            Refusal::Forbidden,
            Refusal::Misdirected,
            Refusal::TooMany,
            Refusal::Defect,
            Refusal::Unavailable,
        ];
        match access {
            Access::Open => &ANY[OPEN..],
            Access::Scoped(_) => &ANY,
        }
    }

    fn told(self) -> (StatusCode, &'static str, &'static str) {
        match self {
            Self::BadRequest => (
                StatusCode::BAD_REQUEST,
                "BadRequest",
                "The path, the query or the body cannot be read.",
            ),
            Self::Unauthorized => (StatusCode::UNAUTHORIZED, "Unauthorized", "A token is wanted."),
            Self::Forbidden => {
                (StatusCode::FORBIDDEN, "Forbidden", "The token does not allow that.")
            }
            Self::NotFound => (StatusCode::NOT_FOUND, "NotFound", "There is no such agent."),
            Self::NoSuchFile => (StatusCode::NOT_FOUND, "NoSuchFile", "The page has no such file."),
            Self::Conflict => (
                StatusCode::CONFLICT,
                "Conflict",
                "Another report bore the number, or another agent the name.",
            ),
            Self::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "TooLarge", "The body is too large."),
            Self::MediaType => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, "MediaType", "The body is not JSON.")
            }
            Self::Misdirected => (
                StatusCode::MISDIRECTED_REQUEST,
                "Misdirected",
                "The name is not one of this service.",
            ),
            Self::Unprocessable => (
                StatusCode::UNPROCESSABLE_ENTITY,
                "Unprocessable",
                "The body asks for something that cannot be.",
            ),
            Self::NoMap => (
                StatusCode::UNPROCESSABLE_ENTITY,
                "NoMap",
                "The file is not a map, or not one that an agent can have.",
            ),
            Self::TooMany => {
                (StatusCode::TOO_MANY_REQUESTS, "TooMany", "There are too many requests.")
            }
            Self::Defect => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "Defect",
                "What is stored is damaged, or the service has a defect.",
            ),
            Self::Unavailable => (
                StatusCode::SERVICE_UNAVAILABLE,
                "Unavailable",
                "The store is out of order, the request took too long, or too many watch already; \
                 repeat it.",
            ),
        }
    }

    pub(super) fn status(self) -> StatusCode {
        self.told().0
    }

    pub(super) fn name(self) -> &'static str {
        self.told().1
    }

    pub(super) fn reference(self) -> Value {
        json!({"$ref": format!("#/components/responses/{}", self.name())})
    }

    pub(super) fn response(self, problem: &Schema) -> Value {
        let content = json!({"application/problem+json": {"schema": problem}});
        json!({"description": self.told().2, "content": content})
    }
}
