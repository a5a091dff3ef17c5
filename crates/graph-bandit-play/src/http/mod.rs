//! The page and its requests. Only this machine and this page may send requests.

mod files;
mod problem;
mod requests;

use crate::races::Races;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use graph_bandit_server::http::admit_local;
use requests::Layouts;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// The longest request body, which holds a map file, in bytes.
const LONGEST_BODY: usize = 32 << 20;

/// The state that all requests share.
pub(crate) struct PageState {
    races: Races,
    layouts: Layouts,
}

/// All routes.
pub(crate) fn router() -> Router {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // A page of an earlier program must not find another race under its number.
    let races = Races::numbered_from(since.as_millis() as u64 * 1000);
    let state = PageState { races, layouts: Layouts::default() };
    Router::new()
        .route("/", get(files::page))
        .route("/play/{file}", get(files::own))
        .route("/dashboard/{file}", get(files::shared))
        .route("/play/choices", get(requests::choices))
        .route("/play/maps", post(requests::read_map))
        .route("/play/races", post(requests::open_race))
        .route("/play/races/{id}/advance", post(requests::advance))
        .route("/play/races/{id}/close", post(requests::close))
        .route("/play/races/{id}/open", post(requests::open))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(from_fn(admitted))
        .with_state(Arc::new(state))
}

async fn admitted(request: Request, next: Next) -> Response {
    let mut headers = request.headers().clone();
    // People follow shared links from any site. The page by itself has nothing to protect.
    if request.uri().path() == "/" {
        headers.remove("origin");
        headers.remove("sec-fetch-site");
    }
    match admit_local(&headers) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}
