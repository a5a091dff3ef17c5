//! The service as a process: binds, answers until it is asked to stop, finishes what it began.

use crate::connections::{ConnectionLimits, answer_until};
use crate::fleet::{Fleet, FleetLimits};
use crate::http::{Door, HttpLimits, Service, Tokens, router};
use crate::metrics::Metrics;
use crate::store::{StoreError, open};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// How long requests that are under way may take when the service stops.
const PATIENCE: Duration = Duration::from_secs(10);

/// What to serve, and to whom.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// The address; port 0 is any that is free.
    pub listen: SocketAddr,
    /// The store, as a URL.
    pub store: String,
    /// Who may come in; without any, only this machine.
    pub tokens: Option<Tokens>,
    /// How much the fleet takes on.
    pub fleet: FleetLimits,
    /// How much one client may ask for.
    pub http: HttpLimits,
    /// How many connections there may be.
    pub connections: ConnectionLimits,
}

impl ServeOptions {
    /// The usual limits, no tokens.
    pub fn new(listen: SocketAddr, store: String) -> Self {
        let (fleet, http) = (FleetLimits::default(), HttpLimits::default());
        let connections = ConnectionLimits::default();
        Self { listen, store, tokens: None, fleet, http, connections }
    }
}

/// Why the service did not start, or ended.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Open to the world.
    #[error(
        "{listen} can be reached from other machines, and there are no tokens; make one with \
         `gbandit token` and give --token-file, or listen on 127.0.0.1"
    )]
    NoTokens {
        /// The address.
        listen: SocketAddr,
    },
    /// The address cannot be had.
    #[error("cannot listen on {listen}: {error}")]
    Listen {
        /// The address.
        listen: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something of the system failed.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// Serves until SIGTERM or SIGINT; `ready` hears the address as soon as there is one.
///
/// # Errors
/// When the address or the store cannot be had, or the address would be open to all.
pub fn serve(options: ServeOptions, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    if options.tokens.is_none() && !options.listen.ip().is_loopback() {
        return Err(ServeError::NoTokens { listen: options.listen });
    }
    let store = open(&options.store)?;
    let metrics = Arc::new(Metrics::default());
    let fleet = Fleet::new(store, options.fleet, Arc::clone(&metrics));
    let door = options.tokens.map_or(Door::Local, Door::Tokens);
    let service = Service::new(fleet, metrics, door, options.http);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(answer(options.listen, service, options.connections, ready));
    // Reports that are under way finish or fail as a whole; the store then closes its file.
    runtime.shutdown_timeout(PATIENCE);
    served
}

async fn answer(
    listen: SocketAddr,
    service: Arc<Service>,
    limits: ConnectionLimits,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    let bound = TcpListener::bind(listen).await;
    let listener = bound.map_err(|error| ServeError::Listen { listen, error })?;
    let address = listener.local_addr()?;
    let (mut terminated, mut interrupted) = signals()?;
    ready(address);
    tracing::info!(%address, "listening");
    let (stop, stopping) = oneshot::channel::<()>();
    let stopping = async {
        // Whoever could send has gone: then it is time, too.
        let _ = stopping.await;
    };
    let answering = tokio::spawn(answer_until(stopping, listener, router(&service), limits));
    tokio::select! {
        _ = terminated.recv() => {}
        _ = interrupted.recv() => {}
    }
    tracing::info!("stopping");
    service.stop();
    let _ = stop.send(());
    match tokio::time::timeout(PATIENCE, answering).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::error!(%error, "the service ended badly"),
        Err(_) => tracing::warn!("some connections did not end in time"),
    }
    tracing::info!("stopped");
    Ok(())
}

type Signal = tokio::signal::unix::Signal;

fn signals() -> io::Result<(Signal, Signal)> {
    use tokio::signal::unix::{SignalKind, signal};
    Ok((signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?))
}
