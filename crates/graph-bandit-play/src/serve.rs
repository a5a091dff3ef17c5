//! The page as a process: binds, answers until it is asked to stop.

use crate::http::router;
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use thiserror::Error;
use tokio::net::TcpListener;

/// The usual port, so that links that people share lead to their own program.
pub const USUAL_PORT: u16 = 7353;

/// Where to serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlayOptions {
    /// The port; 0 is any that is free. Default: the usual one, or any if that is taken.
    pub port: Option<u16>,
}

/// Why the page could not be served.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The port cannot be had.
    #[error("cannot listen on port {port}: {error}; name another one, or 0 for any that is free")]
    Listen {
        /// The port.
        port: u16,
        /// What the system says.
        error: io::Error,
    },
    /// The system refuses what every server needs.
    #[error("cannot serve: {0}")]
    System(#[from] io::Error),
}

/// Serves until the process is asked to stop; `announce` hears the address.
///
/// # Errors
/// When the port cannot be had, or the system fails.
pub fn serve(options: PlayOptions, announce: impl FnOnce(SocketAddr)) -> Result<(), PlayError> {
    let runtime = tokio::runtime::Runtime::new()?;
    let stop = async {
        // Who cannot hear the signal is ended by it.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    runtime.block_on(serve_until(options, announce, stop))
}

/// As [`serve`], until `stop` is done.
///
/// # Errors
/// As [`serve`].
pub async fn serve_until(
    options: PlayOptions,
    announce: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()>,
) -> Result<(), PlayError> {
    let listener = listen(options).await?;
    announce(listener.local_addr()?);
    // Nothing that is under way is worth waiting for.
    tokio::select! {
        served = axum::serve(listener, router()).into_future() => Ok(served?),
        () = stop => Ok(()),
    }
}

async fn listen(options: PlayOptions) -> Result<TcpListener, PlayError> {
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let failed = |port| move |error| PlayError::Listen { port, error };
    match options.port {
        Some(port) => bind(port).await.map_err(failed(port)),
        None => match bind(USUAL_PORT).await {
            Ok(listener) => Ok(listener),
            Err(_) => bind(0).await.map_err(failed(0)),
        },
    }
}
