//! Connections: how many there may be at once, how long one may keep silent, and how they end.

use crate::http::Problem;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::StatusCode;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower::ServiceExt;

/// How many connections too many are told so at the same time; what comes beyond is cut off.
const TURNED_AWAY: usize = 50;
/// How long one that is turned away may take.
const TURNING_AWAY: Duration = Duration::from_secs(2);
/// How long to wait when the system has no room for another connection.
const OUT_OF_ROOM: Duration = Duration::from_millis(100);

/// How much connections may take up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// How many there may be. With a few more for files it should be below what the system
    /// allows a process, often 1,024.
    pub at_once: usize,
    /// How long one may be silent between two requests, and how long the head of a request may
    /// take.
    pub idle: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self { at_once: 900, idle: Duration::from_secs(60) }
    }
}

/// Answers on all connections until it is time to stop; then those that are under way are finished.
pub(crate) async fn answer_until(
    stop: impl Future<Output = ()>,
    listener: TcpListener,
    app: Router,
    limits: ConnectionLimits,
) {
    let (seats, standing) = (seats(limits.at_once), seats(TURNED_AWAY));
    let full = Router::new().fallback(too_many);
    let connections = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                not_accepted(&error).await;
                continue;
            }
        };
        let (seat, app, idle) = match Arc::clone(&seats).try_acquire_owned() {
            Ok(seat) => (seat, app.clone(), limits.idle),
            Err(_) => match Arc::clone(&standing).try_acquire_owned() {
                Ok(place) => (place, full.clone(), TURNING_AWAY),
                Err(_) => continue,
            },
        };
        let connection = Connection { stream, address, idle, watcher: connections.watcher() };
        tokio::spawn(async move {
            connection.answer(app).await;
            drop(seat);
        });
    }
    drop(listener);
    connections.shutdown().await;
}

fn seats(number: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(number.min(Semaphore::MAX_PERMITS)))
}

async fn too_many() -> ([(&'static str, &'static str); 2], Problem) {
    let kind = ("connections", "Too many connections");
    let detail = "all connections that the service allows are taken; try again later".to_owned();
    let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, kind, detail);
    ([("connection", "close"), ("retry-after", "1")], problem)
}

/// A connection that broke off before it was accepted is nobody's; but without room for another
/// one, the next would fail at once, and so would the one after it.
async fn not_accepted(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        return;
    }
    tracing::error!(%error, "a connection could not be accepted");
    tokio::time::sleep(OUT_OF_ROOM).await;
}

struct Connection {
    stream: TcpStream,
    address: SocketAddr,
    idle: Duration,
    watcher: Watcher,
}

impl Connection {
    async fn answer(self, app: Router) {
        let Self { stream, address, idle, watcher } = self;
        // Small answers must not wait for company.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection keeps its delay");
        }
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(address));
            app.clone().oneshot(request)
        });
        let mut http = http1::Builder::new();
        // The time for a head begins when the answer before it is sent: so it is the one for
        // silence, too.
        http.timer(TokioTimer::new()).header_read_timeout(idle);
        let connection = http.serve_connection(TokioIo::new(stream), service);
        if let Err(error) = watcher.watch(connection).await {
            tracing::debug!(%error, "a connection broke off");
        }
    }
}
