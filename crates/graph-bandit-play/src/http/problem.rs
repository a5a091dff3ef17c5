//! Refusals as problem details (RFC 9457), with the field of the set-up that caused them.

use crate::refusal::Refusal;
use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection, PathRejection, QueryRejection};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use graph_bandit::spec::in_plain_words;
use serde_json::json;

/// A refusal sent to the page.
#[derive(Debug)]
pub(super) enum Problem {
    /// The request was refused.
    Refused(Refusal),
    /// The request cannot be read.
    Unread(StatusCode, String),
    /// The map file cannot be read.
    Map(Box<graph_bandit_server::http::Problem>),
    /// A defect of the program.
    Defect,
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

macro_rules! unread {
    ($($rejection:ty),*) => {$(
        impl From<$rejection> for Problem {
            fn from(rejection: $rejection) -> Self {
                Self::Unread(rejection.status(), in_plain_words(&rejection.body_text()))
            }
        }
    )*};
}

unread!(BytesRejection, JsonRejection, PathRejection, QueryRejection);

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        match self {
            Self::Refused(refusal) => {
                let detail = refusal.to_string();
                match refusal {
                    Refusal::Field { field, .. } => {
                        answer(StatusCode::UNPROCESSABLE_ENTITY, &detail, Some(field))
                    }
                    Refusal::Gone { .. } => answer(StatusCode::GONE, &detail, None),
                    Refusal::OtherMoment { .. } => answer(StatusCode::CONFLICT, &detail, None),
                }
            }
            Self::Unread(status, detail) => answer(status, &detail, None),
            Self::Map(problem) => problem.into_response(),
            Self::Defect => {
                answer(StatusCode::INTERNAL_SERVER_ERROR, "the program has a defect", None)
            }
        }
    }
}

fn answer(status: StatusCode, detail: &str, field: Option<&str>) -> Response {
    let title = status.canonical_reason().unwrap_or_default();
    let mut details = json!({ "status": status.as_u16(), "title": title, "detail": detail });
    if let Some(field) = field {
        details["field"] = field.into();
    }
    let mut response = (status, Json(details)).into_response();
    let kind = HeaderValue::from_static("application/problem+json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

/// The answer for an unknown file.
pub(super) fn no_such_file() -> Response {
    answer(StatusCode::NOT_FOUND, "the page has no such file", None)
}
