//! The service as a process: binds, answers until it is asked to stop, finishes what it began. It
//! serves any store.

use crate::connections::{ConnectionLimits, answer_until};
use crate::fleet::{Fleet, FleetLimits};
use crate::http::{Door, HttpLimits, Service, Tokens, router};
use crate::metrics::Metrics;
use crate::store::Store;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// How long requests that are under way may take when the service stops.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where to serve, to whom, and how much.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// The address; port 0 is any that is free.
    pub listen: SocketAddr,
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
    pub fn new(listen: SocketAddr) -> Self {
        let (fleet, http) = (FleetLimits::default(), HttpLimits::default());
        let connections = ConnectionLimits::default();
        Self { listen, tokens: None, fleet, http, connections }
    }

    /// Refuses an address that is open to all; [`serve`] does so, too.
    ///
    /// # Errors
    /// When other machines can reach the address and there are no tokens.
    pub fn check(&self) -> Result<(), ServeError> {
        if self.tokens.is_none() && !self.listen.ip().is_loopback() {
            return Err(ServeError::NoTokens { listen: self.listen });
        }
        Ok(())
    }
}

/// Why the service did not start, or ended.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Open to the world.
    #[error(
        "{listen} can be reached from other machines, and there are no tokens; listen on \
         127.0.0.1, or ask everybody for a token"
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
    /// Something of the system failed.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// Serves a store until the system asks to stop (SIGTERM or SIGINT; Ctrl-C on Windows); `ready` hears
/// the address as soon as there is one.
///
/// # Errors
/// When the address cannot be had, or would be open to all.
pub fn serve(
    store: Arc<dyn Store>,
    options: ServeOptions,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    serve_until(store, options, |address| {
        let stop = asked_to_stop()?;
        ready(address);
        Ok(stop)
    })
}

/// Serves a store until something is done: `begin` hears the address as soon as there is one, and
/// answers what to wait for. It is called on the runtime of the service.
///
/// # Errors
/// When the address cannot be had, or would be open to all; and what `begin` fails with.
pub fn serve_until<S: Future<Output = ()>>(
    store: Arc<dyn Store>,
    options: ServeOptions,
    begin: impl FnOnce(SocketAddr) -> io::Result<S>,
) -> Result<(), ServeError> {
    options.check()?;
    let metrics = Arc::new(Metrics::default());
    let fleet = Fleet::new(store, options.fleet, Arc::clone(&metrics));
    let door = options.tokens.map_or(Door::Local, Door::Tokens);
    let service = Service::new(fleet, metrics, door, options.http);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(answer(options.listen, service, options.connections, begin));
    // Reports that are under way finish or fail as a whole; the store then closes its file.
    runtime.shutdown_timeout(PATIENCE);
    served
}

async fn answer<S: Future<Output = ()>>(
    listen: SocketAddr,
    service: Arc<Service>,
    limits: ConnectionLimits,
    begin: impl FnOnce(SocketAddr) -> io::Result<S>,
) -> Result<(), ServeError> {
    let bound = TcpListener::bind(listen).await;
    let listener = bound.map_err(|error| ServeError::Listen { listen, error })?;
    let address = listener.local_addr()?;
    let asked_to_stop = begin(address)?;
    tracing::info!(%address, "listening");
    let (stop, stopping) = oneshot::channel::<()>();
    let stopping = async {
        // Whoever could send has gone: then it is time, too.
        let _ = stopping.await;
    };
    let answering = tokio::spawn(answer_until(stopping, listener, router(&service), limits));
    asked_to_stop.await;
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

/// Done when the system asks to stop; heard from this call on.
#[cfg(unix)]
fn asked_to_stop() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminated = signal(SignalKind::terminate())?;
    let mut interrupted = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminated.recv() => {}
            _ = interrupted.recv() => {}
        }
    })
}

/// Done when the system asks to stop; heard from this call on.
#[cfg(windows)]
fn asked_to_stop() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_shutdown};
    let (mut interrupted, mut broken) = (ctrl_c()?, ctrl_break()?);
    let (mut closed, mut shut_down) = (ctrl_close()?, ctrl_shutdown()?);
    Ok(async move {
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = broken.recv() => {}
            _ = closed.recv() => {}
            _ = shut_down.recv() => {}
        }
    })
}
