//! The page as a process: binds a port and serves until it is told to stop.

use crate::http::router;
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use thiserror::Error;
use tokio::net::TcpListener;

/// The default port. It is fixed, so that a shared link leads each reader to their own program.
pub const DEFAULT_PORT: u16 = 7353;

/// Where to serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlayOptions {
    /// The port; 0 is any free port. Default: [`DEFAULT_PORT`], or any free port if that is taken.
    pub port: Option<u16>,
}

/// Why the page could not be served.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The port cannot be opened.
    #[error("cannot listen on port {port}: {error}; name another port, or 0 for any free port")]
    Listen {
        /// The port.
        port: u16,
        /// The system's error.
        error: io::Error,
    },
    /// The system refuses something that every server needs.
    #[error("cannot serve: {0}")]
    System(#[from] io::Error),
}

/// Serves until the process is told to stop; `announce` is called with the address.
///
/// # Errors
/// When the port cannot be opened, or the system fails.
pub fn serve(options: PlayOptions, announce: impl FnOnce(SocketAddr)) -> Result<(), PlayError> {
    let runtime = tokio::runtime::Runtime::new()?;
    let stop = async {
        // If the signal cannot be caught, it ends the process.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    runtime.block_on(serve_until(options, announce, stop))
}

/// Like [`serve`], until `stop` is done.
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
    // No request under way is worth waiting for.
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
        None => match bind(DEFAULT_PORT).await {
            Ok(listener) => Ok(listener),
            Err(_) => bind(0).await.map_err(failed(0)),
        },
    }
}
