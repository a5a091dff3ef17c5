//! The service as a process: binds an address, serves until it is told to stop, and finishes what it
//! began. It works with any store.

use crate::connections::{ConnectionLimits, answer_until};
use crate::fleet::{Fleet, FleetLimits};
use crate::http::{Authentication, HttpLimits, Service, Tokens, router};
use crate::metrics::{Counter, Metrics};
use crate::store::{Death, Store};
use crate::supervisor::Supervisor;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::oneshot;

/// How long the requests under way may take when the service stops.
const PATIENCE: Duration = Duration::from_secs(10);
/// How much of an unread answer the system may hold for one connection, in bytes; Linux takes twice as much. By
/// default it takes several megabytes.
const SENT_AHEAD: u32 = 128 << 10;
/// How many connections may wait to be accepted.
const WAITING: u32 = 1024;

/// How to serve: address, authentication and limits.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// The address; port 0 is any free port.
    pub listen: SocketAddr,
    /// The accepted tokens; without any, only this machine may connect.
    pub tokens: Option<Tokens>,
    /// The limits of the fleet.
    pub fleet: FleetLimits,
    /// The limits of clients.
    pub http: HttpLimits,
    /// The limits of connections.
    pub connections: ConnectionLimits,
    /// The supervisor of the process, if any.
    pub supervisor: Option<Arc<Supervisor>>,
    /// Counts the lines that the program's log loses; shown in `/metrics`.
    pub log_lines_dropped: Arc<Counter>,
}

impl ServeOptions {
    /// The default limits, no tokens.
    pub fn new(listen: SocketAddr) -> Self {
        let (fleet, http) = (FleetLimits::default(), HttpLimits::default());
        let connections = ConnectionLimits::default();
        let (supervisor, log_lines_dropped) = (None, Arc::default());
        Self { listen, tokens: None, fleet, http, connections, supervisor, log_lines_dropped }
    }

    /// Refuses an address that is open to everybody; [`serve`] does so, too.
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
    /// The address is open to everybody.
    #[error(
        "{listen} can be reached from other machines, and there are no tokens; listen on \
         127.0.0.1, or require tokens"
    )]
    NoTokens {
        /// The address.
        listen: SocketAddr,
    },
    /// The address cannot be opened.
    #[error(
        "cannot listen on {listen}: {error}; stop the program that listens there, or choose another address"
    )]
    Listen {
        /// The address.
        listen: SocketAddr,
        /// The system's error.
        error: io::Error,
    },
    /// The store died, and nothing can be stored any more.
    #[error("the store died: {what}; start the service again, and it continues where it was")]
    StoreDied {
        /// Which part of it.
        what: String,
    },
    /// The service no longer accepts connections.
    #[error("the service no longer accepts connections: {why}; start it again")]
    NotAccepting {
        /// What happened.
        why: String,
    },
    /// The system failed.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// Serves a store until the system asks it to stop (SIGTERM or SIGINT; Ctrl-C on Windows). `ready` is called
/// with the address. A token file is read again on SIGHUP.
///
/// # Errors
/// When the address cannot be opened, or is open to everybody; when the store dies.
pub fn serve(
    store: Arc<dyn Store>,
    options: ServeOptions,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    let tokens = options.tokens.clone();
    serve_until(store, options, |address| {
        let stop = asked_to_stop()?;
        survive_full_files()?;
        if let Some(tokens) = tokens {
            reread_when_asked(tokens)?;
        }
        ready(address);
        Ok(stop)
    })
}

/// Serves a store until a future is done: `begin` is called with the address, on the runtime of the service,
/// and returns the future.
///
/// # Errors
/// When the address cannot be opened, or is open to everybody; when the store dies; when `begin` fails.
pub fn serve_until<S: Future<Output = ()>>(
    store: Arc<dyn Store>,
    options: ServeOptions,
    begin: impl FnOnce(SocketAddr) -> io::Result<S>,
) -> Result<(), ServeError> {
    options.check()?;
    let metrics = Arc::new(Metrics::with_log(options.log_lines_dropped));
    let died = store.died();
    let fleet = Fleet::new(store, options.fleet, Arc::clone(&metrics));
    let authentication = options.tokens.map_or(Authentication::Local, Authentication::Tokens);
    let service = Service::new(fleet, metrics, authentication, options.http);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (listen, limits, supervisor) = (options.listen, options.connections, options.supervisor);
    let answering = answer(ListenOptions { listen, limits, supervisor }, service, died, begin);
    let served = runtime.block_on(answering);
    // Reports under way finish or fail as a whole; then the store closes its file.
    runtime.shutdown_timeout(PATIENCE);
    served
}

/// The listener, and the supervisor to notify.
struct ListenOptions {
    listen: SocketAddr,
    limits: ConnectionLimits,
    supervisor: Option<Arc<Supervisor>>,
}

async fn answer<S: Future<Output = ()>>(
    ListenOptions { listen, limits, supervisor }: ListenOptions,
    service: Arc<Service>,
    died: Death,
    begin: impl FnOnce(SocketAddr) -> io::Result<S>,
) -> Result<(), ServeError> {
    let listener = bound(listen).map_err(|error| ServeError::Listen { listen, error })?;
    let address = listener.local_addr()?;
    let asked_to_stop = begin(address)?;
    tracing::info!(%address, "listening");
    let (stop, stopping) = oneshot::channel::<()>();
    let stopping = async {
        // If the sender is gone, it is time to stop, too.
        let _ = stopping.await;
    };
    let limits = (limits, Arc::clone(service.metrics()));
    let mut answering = tokio::spawn(answer_until(stopping, listener, router(&service), limits));
    let told = |what: &str| {
        if let Some(supervisor) = &supervisor {
            supervisor.say(what);
        }
    };
    told("READY=1");
    let keeping_told = async {
        match &supervisor {
            Some(supervisor) => supervisor.keep_told(async || drop(service.ready().await)).await,
            None => std::future::pending().await,
        }
    };
    let served = tokio::select! {
        () = asked_to_stop => Ok(()),
        () = keeping_told => Ok(()),
        what = died => Err(ServeError::StoreDied { what }),
        ended = &mut answering => {
            let why = ended.map_or_else(|error| error.to_string(), |()| "it ended".to_owned());
            return Err(ServeError::NotAccepting { why });
        }
    };
    if let Err(error) = &served {
        tracing::error!(%error, "the service cannot go on");
    }
    tracing::info!("stopping");
    told("STOPPING=1");
    service.stop();
    let _ = stop.send(());
    match tokio::time::timeout(PATIENCE, answering).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::error!(%error, "the service ended badly"),
        Err(_) => tracing::warn!("some connections did not end in time"),
    }
    tracing::info!("stopped");
    served
}

/// Listens; connections have the listener's settings.
fn bound(listen: SocketAddr) -> io::Result<TcpListener> {
    let socket = if listen.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // On Windows this would let another program take the address.
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SENT_AHEAD)?;
    socket.bind(listen)?;
    socket.listen(WAITING)
}

/// Lets a write fail that exceeds the system's limit on the size of files, like a write to a full disk. Otherwise
/// the signal SIGXFSZ would end the process.
#[cfg(all(unix, not(any(target_arch = "mips", target_arch = "mips64"))))]
fn survive_full_files() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    const SIGXFSZ: i32 = 25;
    // A signal that is waited for once has a handler for good.
    signal(SignalKind::from_raw(SIGXFSZ)).map(drop)
}

/// Other systems have no such signal, or another number.
#[cfg(not(all(unix, not(any(target_arch = "mips", target_arch = "mips64")))))]
#[allow(clippy::unnecessary_wraps, reason = "it can fail elsewhere")]
fn survive_full_files() -> io::Result<()> {
    Ok(())
}

/// Reads a token file again on SIGHUP.
#[cfg(unix)]
fn reread_when_asked(tokens: Tokens) -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    if tokens.file().is_none() {
        return Ok(());
    }
    let mut asked = signal(SignalKind::hangup())?;
    tokio::spawn(async move {
        while asked.recv().await.is_some() {
            let again = tokens.clone();
            match tokio::task::spawn_blocking(move || again.reread()).await {
                Ok(Ok(number)) => tracing::info!(number, "the tokens were read again"),
                Ok(Err(error)) => {
                    tracing::error!(%error, "the old tokens stay valid: the file is wrong");
                }
                Err(error) => tracing::error!(%error, "the old tokens stay valid"),
            }
        }
    });
    Ok(())
}

/// Other systems have no SIGHUP.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "it can fail elsewhere")]
fn reread_when_asked(_: Tokens) -> io::Result<()> {
    Ok(())
}

/// Resolves when the system asks the process to stop. Signals count from this call on.
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

/// Resolves when the system asks the process to stop. Signals count from this call on.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::MemoryStore;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_store_that_dies_ends_the_service() {
        let metrics = Arc::<Metrics>::default();
        let store = Arc::new(MemoryStore::default());
        let fleet = Fleet::new(store, FleetLimits::default(), Arc::clone(&metrics));
        let service = Service::new(fleet, metrics, Authentication::Local, HttpLimits::default());
        let listen = "127.0.0.1:0".parse().unwrap();
        let options =
            ListenOptions { listen, limits: ConnectionLimits::default(), supervisor: None };
        let (die, death) = oneshot::channel();
        let died: Death = Box::pin(async { death.await.unwrap() });
        let served = answer(options, service, died, |address| {
            // The service answers until then.
            std::net::TcpStream::connect(address)?;
            die.send("its thread ended".to_owned()).unwrap();
            Ok(std::future::pending())
        });
        let error = served.await.unwrap_err();
        assert!(matches!(error, ServeError::StoreDied { .. }));
        assert!(error.to_string().starts_with("the store died: its thread ended;"), "{error}");
    }
}
