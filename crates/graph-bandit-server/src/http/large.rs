//! Answers that may be long, written where nobody waits for it.

use super::Problem;
use super::describe::{Answers, Operation};
use crate::fleet::FleetError;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;
use std::marker::PhantomData;

/// A `T` that has been written as JSON.
pub(super) struct Large<T>(Vec<u8>, PhantomData<fn() -> T>);

/// As `Json`, beside the threads that answer requests.
pub(super) async fn large<T>(answer: T) -> Result<Large<T>, Problem>
where
    T: Serialize + Send + 'static,
{
    let written = tokio::task::spawn_blocking(move || serde_json::to_vec(&answer)).await;
    match written {
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
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}

impl<T: JsonSchema> Answers for Large<T> {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers_json::<T>(200, "Done.");
    }
}
