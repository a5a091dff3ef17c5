//! The address of the database, from a URL that may have a password. So nothing of it is ever shown but
//! hosts, ports and the names of parameters.

use super::StoreError;
use super::failure::{failed, said};
use super::standby::Standby;
use super::tls::{Encryption, Mode, TlsOptions};
use std::error::Error as _;
use std::sync::Arc;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Connection, Socket};

const FORM: &str = "postgres://USER:PASSWORD@HOST:PORT/DATABASE";

/// The library's message when nobody answers.
const UNREACHED: &str = "error connecting to server";

/// Our message instead.
const NO_ANSWER: &str = "PostgreSQL does not answer";

/// The parameters that a URL may have after its question mark.
const PARAMETERS: [&str; 20] = [
    "application_name",
    "channel_binding",
    "connect_timeout",
    "dbname",
    "host",
    "hostaddr",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_retries",
    "load_balance_hosts",
    "options",
    "password",
    "port",
    "sslmode",
    "sslnegotiation",
    "sslrootcert",
    "target_session_attrs",
    "tcp_user_timeout",
    "user",
];

/// Names an unknown parameter. A password may have a question mark: if an `@` comes after it, nothing is named.
fn check_parameters(url: &str) -> Result<(), StoreError> {
    let after = url.rfind('@').unwrap_or(0);
    let Some((_, query)) = url[after..].split_once('?') else { return Ok(()) };
    let names = query.split('&').map(|pair| pair.split_once('=').map_or(pair, |(name, _)| name));
    for name in names.filter(|name| !name.is_empty()) {
        if !PARAMETERS.contains(&name) {
            let known = PARAMETERS.join(", ");
            return Err(failed(format!(
                "the URL of the PostgreSQL database has an unknown parameter {name:?}; the parameters are {known}"
            )));
        }
    }
    Ok(())
}

/// A connection that no task drives yet.
type Opened = (Client, Connection<Socket, <Encryption as MakeTlsConnect<Socket>>::Stream>);

pub(super) struct Address {
    config: Config,
    mode: Mode,
    encryption: Encryption,
    /// Shared by all connections.
    standby: Arc<Standby>,
}

impl Address {
    pub(super) fn of(url: &str) -> Result<Self, StoreError> {
        let (wanted, url) = TlsOptions::taken_from(url)?;
        let unreadable = || {
            failed(format!(
                "the URL of the PostgreSQL database cannot be read; write {FORM}, with % codes for \
                 other characters than letters and digits"
            ))
        };
        check_parameters(&url)?;
        // The library's message may quote the URL, and the password with it.
        let mut config: Config = url.parse().map_err(|_| unreadable())?;
        // An @ that is not encoded in a password changes the meaning of the URL.
        let astray = |host: &Host| matches!(host, Host::Tcp(name) if name.contains('@'));
        let hosts = config.get_hosts();
        if hosts.is_empty()
            || hosts.iter().any(astray)
            || config.get_dbname().is_some_and(|name| name.contains('@'))
        {
            return Err(unreadable());
        }
        // Nobody can eavesdrop on a Unix socket, so it is not encrypted.
        let sockets = hosts.iter().all(|host| !matches!(host, Host::Tcp(_)));
        let mode = if sockets { Mode::Disable } else { wanted.mode };
        let encryption = Encryption::of(&wanted)?;
        if config.get_password().is_none()
            && let Ok(password) = std::env::var("PGPASSWORD")
        {
            config.password(password);
        }
        if config.get_application_name().is_none() {
            config.application_name("gbandit");
        }
        Ok(Self { config, mode, encryption, standby: Arc::default() })
    }

    /// What the standby of the database has not confirmed.
    pub(super) fn standby(&self) -> Arc<Standby> {
        Arc::clone(&self.standby)
    }

    /// Opens a connection, encrypted as the URL requires.
    pub(super) async fn connect(&self) -> Result<Opened, StoreError> {
        let (first, second) = match self.mode {
            Mode::Disable => (SslMode::Disable, None),
            Mode::Allow => (SslMode::Disable, Some(SslMode::Require)),
            Mode::Prefer => (SslMode::Prefer, Some(SslMode::Disable)),
            Mode::Require | Mode::VerifyCa | Mode::VerifyFull => (SslMode::Require, None),
        };
        let error = match self.connect_by(first).await {
            Err(error) => error,
            opened => return opened,
        };
        let Some(second) = second else { return Err(error) };
        self.connect_by(second).await.map_err(|again| {
            let how = if second == SslMode::Require { "with TLS" } else { "without TLS" };
            let reason = |error: &StoreError| match error {
                StoreError::Failed { reason } => reason.clone(),
                other => other.to_string(),
            };
            if again == error {
                error
            } else {
                failed(format!("{}; {how}: {}", reason(&error), reason(&again)))
            }
        })
    }

    async fn connect_by(&self, mode: SslMode) -> Result<Opened, StoreError> {
        let mut config = self.config.clone();
        config.ssl_mode(mode);
        config.connect(self.encryption.clone()).await.map_err(|error| {
            if error.to_string() != UNREACHED {
                return said(&error);
            }
            let cause = error.source().map(|cause| format!(" ({cause})")).unwrap_or_default();
            failed(format!("{NO_ANSWER}{cause}"))
        })
    }

    /// The hosts and their ports, which may be shown.
    pub(super) fn place(&self) -> String {
        let ports = self.config.get_ports();
        let port = |at: usize| ports.get(at).or(ports.first()).copied().unwrap_or(5432);
        let host = |(at, host): (usize, &Host)| match host {
            Host::Tcp(name) => format!("{name}:{}", port(at)),
            #[cfg(unix)]
            Host::Unix(path) => path.display().to_string(),
        };
        let hosts: Vec<String> = self.config.get_hosts().iter().enumerate().map(host).collect();
        format!("postgres://{}", hosts.join(","))
    }

    /// An error with the address, for the user who wrote the URL.
    pub(super) fn about(&self, error: StoreError) -> StoreError {
        match error {
            StoreError::Failed { reason } if reason.starts_with(NO_ANSWER) => failed(format!(
                "{}: {reason}; start it, or correct the host and the port of the URL",
                self.place()
            )),
            StoreError::Failed { reason } => failed(format!("{}: {reason}", self.place())),
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(url: &str) -> String {
        Address::of(url).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn urls_are_parsed_and_never_quoted() {
        for url in [
            "postgres://me:secret@host/db",
            "postgresql://me@host:5433,other/db?connect_timeout=3",
            "postgres://me@%2Frun%2Fpostgresql/db",
            "postgres:///db?host=/run/postgresql",
            "postgres://me:%2F%40@host/db?sslmode=disable",
            "postgres://me:12/secret?x=secret@host/db",
        ] {
            assert_eq!(refusal(url), "", "{url}");
        }
        for url in [
            "postgres://",
            "postgres://me:se@cret/x@host/db",
            "postgres://me:se@secret@host/db",
            "postgres://me:se@x?secret=1@host/db",
            "postgres://me:secret@host/db?port=secret",
            "postgres://me:secret@host:secret/db",
        ] {
            let said = refusal(url);
            assert!(said.contains(FORM) && !said.contains("secret"), "{url}: {said}");
        }
        let said = refusal("postgres://me:secret@host/db?connect_timeout=3&conect_timeout=3");
        assert!(said.contains("\"conect_timeout\""), "{said}");
        assert!(said.contains("connect_timeout, dbname") && !said.contains("secret"), "{said}");
        for mode in ["disable", "allow", "prefer", "require"] {
            assert_eq!(refusal(&format!("postgres://me:secret@host/db?sslmode={mode}")), "");
        }
        let said = refusal("postgres://me:secret@host/db?sslmode=verify-full&sslrootcert=/no/file");
        assert!(said.contains("/no/file") && !said.contains("secret"), "{said}");
    }

    /// The names that the library knows, without those removed before it reads the URL.
    #[test]
    fn every_parameter_is_known_to_the_library() {
        for name in PARAMETERS.iter().filter(|name| !name.starts_with("sslrootcert")) {
            let value = match *name {
                "hostaddr" => "127.0.0.1",
                "channel_binding" => "prefer",
                "load_balance_hosts" => "random",
                "sslmode" => "require",
                "sslnegotiation" => "direct",
                "target_session_attrs" => "any",
                _ => "1",
            };
            let read = format!("postgres://me@host/db?{name}={value}").parse::<Config>();
            assert!(read.is_ok(), "{name}: {read:?}");
        }
    }

    #[test]
    fn an_address_has_hosts_and_ports() {
        let place = |url| Address::of(url).map(|address| address.place());
        let at = |place: &str| Ok(place.to_owned());
        assert_eq!(place("postgres://me:secret@host/db"), at("postgres://host:5432"));
        assert_eq!(place("postgres://me@a:1,b:2/db"), at("postgres://a:1,b:2"));
    }
}
