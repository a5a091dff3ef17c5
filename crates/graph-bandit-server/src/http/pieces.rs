//! Answers written piece by piece, each when the one before has been taken. A slow reader holds at most
//! one piece in memory.

use super::describe::{Answers, Operation};
use axum::BoxError;
use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream::try_unfold;
use schemars::JsonSchema;
use std::future::Future;
use std::marker::PhantomData;

/// The size of a piece, unless it is a single larger item.
pub(super) const PIECE: usize = 64 << 10;

/// A value that is written piece by piece.
pub(super) trait Pieces: Send + 'static {
    /// The next piece; none when all is written.
    ///
    /// # Errors
    /// When it cannot be written. The connection is then cut, so that no reader takes the part for the
    /// whole.
    fn next(&mut self) -> impl Future<Output = Result<Option<Vec<u8>>, BoxError>> + Send;
}

/// A `T` that is written as JSON, piece by piece.
pub(super) struct InPieces<T>(Body, PhantomData<fn() -> T>);

impl<T> InPieces<T> {
    pub(super) fn of(pieces: impl Pieces) -> Self {
        let stream = try_unfold(pieces, |mut pieces| async {
            let piece = pieces.next().await?;
            Ok::<_, BoxError>(piece.map(|piece| (Bytes::from(piece), pieces)))
        });
        Self(Body::from_stream(stream), PhantomData)
    }
}

impl<T> IntoResponse for InPieces<T> {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}

impl<T: JsonSchema> Answers for InPieces<T> {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers_json::<T>(200, "Done.");
    }
}
