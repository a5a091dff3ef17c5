//! Where the database is, from a URL that may carry a password; so nothing here is ever shown but
//! hosts.

use super::StoreError;
use super::failure::{failed, said};
use super::tls::{Encryption, Mode, Wanted};
use super::upgrade::{NAME, OLD_NAME};
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Connection, Socket};

const FORM: &str = "postgres://USER:PASSWORD@HOST:PORT/DATABASE";

/// A connection that nobody drives yet.
type Opened = (Client, Connection<Socket, <Encryption as MakeTlsConnect<Socket>>::Stream>);

pub(super) struct Address {
    config: Config,
    mode: Mode,
    encryption: Encryption,
}

impl Address {
    pub(super) fn of(url: &str) -> Result<Self, StoreError> {
        let (wanted, url) = Wanted::taken_from(url)?;
        let unreadable = || {
            failed(format!(
                "the URL of the PostgreSQL database cannot be read; write {FORM}, with % codes for \
                 other characters than letters and digits"
            ))
        };
        // What the library says of a URL may quote it, and the password with it.
        let mut config: Config = url.parse().map_err(|_| unreadable())?;
        // An @ that stands for itself in a password makes another URL of it.
        let astray = |host: &Host| matches!(host, Host::Tcp(name) if name.contains('@'));
        let hosts = config.get_hosts();
        if hosts.is_empty()
            || hosts.iter().any(astray)
            || config.get_dbname().is_some_and(|name| name.contains('@'))
        {
            return Err(unreadable());
        }
        // On a socket nobody listens, and nothing is encrypted.
        let sockets = hosts.iter().all(|host| !matches!(host, Host::Tcp(_)));
        let mode = if sockets { Mode::Disable } else { wanted.mode };
        let encryption = Encryption::of(&wanted)?;
        if config.get_password().is_none()
            && let Ok(password) = std::env::var("PGPASSWORD")
        {
            config.password(password);
        }
        // That of version 0.1 would keep everybody from today's format.
        if config.get_application_name().is_none_or(|name| name == OLD_NAME) {
            config.application_name(NAME);
        }
        Ok(Self { config, mode, encryption })
    }

    /// A connection, encrypted as the URL wants it.
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
        config.connect(self.encryption.clone()).await.map_err(|error| said(&error))
    }

    /// The hosts, as they may be shown.
    pub(super) fn place(&self) -> String {
        let host = |host: &Host| match host {
            Host::Tcp(name) => name.clone(),
            #[cfg(unix)]
            Host::Unix(path) => path.display().to_string(),
        };
        let hosts: Vec<String> = self.config.get_hosts().iter().map(host).collect();
        format!("postgres://{}", hosts.join(","))
    }

    /// An error with the place that it happened at.
    pub(super) fn about(&self, error: StoreError) -> StoreError {
        match error {
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
    fn urls_are_read_and_never_quoted() {
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
            "postgres://me:secret@host/db?secret=1",
            "postgres://me:secret@host:secret/db",
        ] {
            let said = refusal(url);
            assert!(said.contains(FORM) && !said.contains("secret"), "{url}: {said}");
        }
        for mode in ["disable", "allow", "prefer", "require"] {
            assert_eq!(refusal(&format!("postgres://me:secret@host/db?sslmode={mode}")), "");
        }
        let said = refusal("postgres://me:secret@host/db?sslmode=verify-full&sslrootcert=/no/file");
        assert!(said.contains("/no/file") && !said.contains("secret"), "{said}");
    }
}
