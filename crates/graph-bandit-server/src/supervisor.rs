//! The supervisor that started the process: systemd, by the protocol of `sd_notify(3)`.

use std::time::Duration;

/// A supervisor, which is notified when the service is ready, alive, and stopping.
#[derive(Debug)]
pub struct Supervisor {
    socket: socket::Socket,
    /// How often to notify it that the service is alive, if at all.
    every: Option<Duration>,
}

impl Supervisor {
    /// The supervisor that the variables `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID` name, if any.
    ///
    /// # Errors
    /// When there is no such socket.
    pub fn of_environment() -> std::io::Result<Option<Self>> {
        let variable = |name| std::env::var(name).ok();
        let Some(name) = std::env::var_os("NOTIFY_SOCKET").filter(|name| !name.is_empty()) else {
            return Ok(None);
        };
        let meant =
            variable("WATCHDOG_PID").is_none_or(|pid| pid == std::process::id().to_string());
        let micros = variable("WATCHDOG_USEC").and_then(|micros| micros.parse().ok());
        // Twice as often as required.
        let every = micros
            .filter(|&micros| meant && micros > 0)
            .map(|micros: u64| Duration::from_micros(micros.div_ceil(2)));
        Ok(Some(Self { socket: socket::Socket::to(&name)?, every }))
    }

    pub(crate) fn say(&self, what: &str) {
        if let Err(error) = self.socket.send(what.as_bytes()) {
            tracing::warn!(%error, what, "the supervisor cannot be notified");
        }
    }

    /// Notifies repeatedly that the service is alive, as long as `answers` completes each time: a store that
    /// answers with an error is alive, one that does not answer is not.
    pub(crate) async fn keep_told(&self, mut answers: impl AsyncFnMut()) {
        let Some(every) = self.every else { return std::future::pending().await };
        loop {
            answers().await;
            self.say("WATCHDOG=1");
            tokio::time::sleep(every).await;
        }
    }
}

#[cfg(unix)]
mod socket {
    use std::ffi::OsStr;
    use std::io;
    use std::os::unix::net::{SocketAddr, UnixDatagram};

    #[derive(Debug)]
    pub(super) struct Socket(UnixDatagram);

    impl Socket {
        pub(super) fn to(name: &OsStr) -> io::Result<Self> {
            let socket = UnixDatagram::unbound()?;
            // A supervisor that does not listen must not block the service.
            socket.set_nonblocking(true)?;
            socket.connect_addr(&address(name)?)?;
            Ok(Self(socket))
        }

        pub(super) fn send(&self, message: &[u8]) -> io::Result<()> {
            self.0.send(message).map(drop)
        }
    }

    /// A name that begins with @ is abstract, not a file.
    fn address(name: &OsStr) -> io::Result<SocketAddr> {
        #[cfg(target_os = "linux")]
        {
            use std::os::linux::net::SocketAddrExt;
            use std::os::unix::ffi::OsStrExt;
            if let Some(name) = name.as_bytes().strip_prefix(b"@") {
                return SocketAddr::from_abstract_name(name);
            }
        }
        SocketAddr::from_pathname(name)
    }
}

/// Other systems have no such sockets.
#[cfg(not(unix))]
mod socket {
    use std::ffi::OsStr;
    use std::io;

    #[derive(Debug)]
    pub(super) struct Socket(std::convert::Infallible);

    impl Socket {
        pub(super) fn to(_: &OsStr) -> io::Result<Self> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(super) fn send(&self, _: &[u8]) -> io::Result<()> {
            match self.0 {}
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::net::UnixDatagram;

    #[tokio::test(start_paused = true)]
    async fn a_store_that_does_not_answer_is_not_alive() {
        let name = std::env::temp_dir().join(format!("gbandit-notify-{}", std::process::id()));
        let _ = std::fs::remove_file(&name);
        let heard = UnixDatagram::bind(&name).unwrap();
        heard.set_nonblocking(true).unwrap();
        let socket = socket::Socket::to(name.as_os_str()).unwrap();
        let supervisor = Supervisor { socket, every: Some(Duration::from_secs(1)) };
        let mut answers = 0;
        let telling = supervisor.keep_told(async || {
            answers += 1;
            if answers > 3 {
                std::future::pending::<()>().await;
            }
        });
        assert!(tokio::time::timeout(Duration::from_secs(60), telling).await.is_err());
        let mut message = [0; 100];
        let mut times = 0;
        while let Ok(length) = heard.recv(&mut message) {
            assert_eq!(&message[..length], b"WATCHDOG=1");
            times += 1;
        }
        assert_eq!(times, 3);
        std::fs::remove_file(name).unwrap();
    }
}
