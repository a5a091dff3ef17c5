//! The page for people, and the files it is made of: all in the program, none from elsewhere.
//!
//! They hold no data, so everybody may have them; what they show they ask for like any client.

use super::body::Id;
use super::{Problem, Service};
use axum::extract::State;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::IntoResponse;
use std::sync::Arc;

const PAGE: File = File {
    name: "index.html",
    kind: "text/html; charset=utf-8",
    text: include_str!("../../dashboard/index.html"),
};

/// What is served under `/dashboard/`.
const FILES: &[File] = &[];

/// Scripts, styles and requests of this service only; no other page may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      connect-src 'self'; img-src 'self' data:; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

#[derive(Clone, Copy)]
struct File {
    name: &'static str,
    kind: &'static str,
    text: &'static str,
}

impl IntoResponse for File {
    fn into_response(self) -> axum::response::Response {
        let headers: [(HeaderName, &'static str); 4] = [
            (header::CONTENT_TYPE, self.kind),
            (header::CONTENT_SECURITY_POLICY, POLICY),
            (header::CACHE_CONTROL, "no-cache"),
            (header::REFERRER_POLICY, "no-referrer"),
        ];
        (headers, self.text).into_response()
    }
}

pub(super) async fn page() -> impl IntoResponse {
    PAGE
}

pub(super) async fn file(
    State(_): State<Arc<Service>>,
    Id(name): Id,
) -> Result<impl IntoResponse, Problem> {
    FILES.iter().find(|file| file.name == name).copied().ok_or_else(|| {
        let kind = ("nowhere", "There is nothing here");
        Problem::new(StatusCode::NOT_FOUND, kind, "the page has no such file".to_owned())
    })
}
