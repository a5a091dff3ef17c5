//! Answers that may be long, written where nobody waits for it.

use super::Problem;
use crate::fleet::FleetError;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// As `Json`, beside the threads that answer requests.
pub(super) async fn large(answer: impl Serialize + Send + 'static) -> Result<Response, Problem> {
    let written = tokio::task::spawn_blocking(move || serde_json::to_vec(&answer)).await;
    match written {
        Ok(Ok(text)) => Ok(([(header::CONTENT_TYPE, "application/json")], text).into_response()),
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
