//! Connections: how many there may be, how long one may be silent, and how they end.

use crate::metrics::Metrics;
use crate::seats::{Admission, Held, Room, Seats};
use crate::unread::Unread;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

/// How long a connection without a seat may be silent.
const STANDING: Duration = Duration::from_secs(2);
/// How long to wait when the system has no room for another connection.
const OUT_OF_ROOM: Duration = Duration::from_millis(100);

/// The limits of connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// How many there may be. With a few more for files, it should be below the system's limit of open
    /// files per process, often 1,024.
    pub at_once: usize,
    /// How many there may be from one address; for IPv6, from one network of 2^64 addresses.
    pub per_address: usize,
    /// How long a connection may be silent between two requests, how long the head of a request may
    /// take, and how long answers may stay unread.
    pub idle: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self { at_once: 900, per_address: 450, idle: Duration::from_secs(60) }
    }
}

/// Serves all connections until it is told to stop; then it finishes the requests under way.
pub(crate) async fn answer_until(
    stop: impl Future<Output = ()>,
    listener: TcpListener,
    app: Router,
    (limits, metrics): (ConnectionLimits, Arc<Metrics>),
) {
    let room = Room { seats: limits.at_once, per_address: limits.per_address };
    let seats = Seats::new(room, metrics);
    let connections = GracefulShutdown::new();
    let stopping = Arc::new(AtomicBool::new(false));
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
        let Some(held) = seats.take(address.ip()) else { continue };
        let idle = match held.place {
            Admission::Seat => limits.idle,
            Admission::Standing => STANDING.min(limits.idle),
        };
        let stream = Unread::new(without_delay(stream), idle, Arc::clone(&stopping));
        let connection = Connection { stream, address, idle, held, watcher: connections.watcher() };
        tokio::spawn(connection.answer(app.clone()));
    }
    drop(listener);
    stopping.store(true, Ordering::SeqCst);
    connections.shutdown().await;
}

/// A connection that broke before it was accepted needs no care. But if the system has no room for
/// another, the next would fail at once, and so on; so wait.
async fn not_accepted(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        return;
    }
    tracing::error!(%error, "a connection could not be accepted");
    tokio::time::sleep(OUT_OF_ROOM).await;
}

/// Sends small answers at once (`TCP_NODELAY`).
fn without_delay(stream: TcpStream) -> TcpStream {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "cannot set TCP_NODELAY on a connection");
    }
    stream
}

struct Connection {
    stream: Unread<TcpStream>,
    address: SocketAddr,
    idle: Duration,
    held: Held,
    watcher: Watcher,
}

impl Connection {
    async fn answer(self, app: Router) {
        let Self { stream, address, idle, held, watcher } = self;
        let place = held.place;
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(address));
            request.extensions_mut().insert(place);
            app.clone().oneshot(request)
        });
        let mut http = http1::Builder::new();
        // The time for a head starts when the answer before it is sent, so it also limits
        // silence.
        http.timer(TokioTimer::new()).header_read_timeout(idle);
        let connection = http.serve_connection(TokioIo::new(stream), service);
        if let Err(error) = watcher.watch(connection).await {
            tracing::debug!(%error, "a connection broke");
        }
        drop(held);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Extension;
    use axum::http::StatusCode;
    use axum::routing::get;
    use std::io::{ErrorKind, Read, Write};
    use tokio::sync::oneshot;
    use tokio::task::JoinHandle;

    /// Longer than anything here takes.
    const LONG: Duration = Duration::from_secs(60);

    struct Running {
        address: SocketAddr,
        stop: oneshot::Sender<()>,
        answering: JoinHandle<()>,
    }

    async fn start(limits: ConnectionLimits) -> Running {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let large = get(async || vec![0_u8; 1 << 20]);
        let small = get(async |Extension(place): Extension<Admission>| match place {
            Admission::Seat => StatusCode::OK,
            Admission::Standing => StatusCode::SERVICE_UNAVAILABLE,
        });
        let app = Router::new().route("/large", large).route("/small", small);
        let (stop, stopping) = oneshot::channel::<()>();
        let stopping = async {
            let _ = stopping.await;
        };
        let limits = (limits, Arc::default());
        let answering = tokio::spawn(answer_until(stopping, listener, app, limits));
        Running { address, stop, answering }
    }

    /// Requests far more than the buffers hold, and reads nothing.
    fn never_reads(address: SocketAddr) -> std::net::TcpStream {
        let stream = std::net::TcpStream::connect(address).unwrap();
        stream.set_nonblocking(true).unwrap();
        let requests = "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(200);
        (&stream).write_all(requests.as_bytes()).unwrap();
        stream
    }

    /// The head of the answer on a new connection; empty if it broke.
    fn asked(address: SocketAddr) -> String {
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        let request = "GET /small HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        let mut answer = String::new();
        match stream.write_all(request.as_bytes()).and_then(|()| stream.read_to_string(&mut answer))
        {
            Ok(_) => answer.lines().next().unwrap_or_default().to_owned(),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => String::new(),
            Err(error) => panic!("{error}"),
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_client_that_never_reads_loses_its_seat() {
        let idle = Duration::from_millis(500);
        let running = start(ConnectionLimits { at_once: 3, per_address: 3, idle }).await;
        let address = running.address;
        let sitting = [(); 3].map(|()| never_reads(address));
        let coming_in = tokio::task::spawn_blocking(move || {
            while asked(address) != "HTTP/1.1 200 OK" {
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        tokio::time::timeout(LONG, coming_in).await.expect("no seat becomes free").unwrap();
        drop(sitting);
        running.stop.send(()).unwrap();
        tokio::time::timeout(LONG, running.answering).await.unwrap().unwrap();
    }

    /// Slow readers get less time once the service stops.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_client_that_never_reads_does_not_delay_the_stop() {
        let idle = Duration::from_secs(100_000);
        let running = start(ConnectionLimits { at_once: 3, per_address: 3, idle }).await;
        let sitting = [(); 3].map(|()| never_reads(running.address));
        // All seats are taken, so all connections were accepted.
        let address = running.address;
        let full = tokio::task::spawn_blocking(move || asked(address)).await.unwrap();
        assert_eq!(full, "HTTP/1.1 503 Service Unavailable");
        running.stop.send(()).unwrap();
        tokio::time::timeout(LONG, running.answering).await.expect("it goes on").unwrap();
        drop(sitting);
    }
}
