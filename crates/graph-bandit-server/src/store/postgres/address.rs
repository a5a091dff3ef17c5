//! Where the database is, from a URL that may carry a password; so nothing here is ever shown but
//! hosts.

use super::StoreError;
use super::failure::failed;
use super::upgrade::NAME;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

const FORM: &str = "postgres://USER:PASSWORD@HOST:PORT/DATABASE";

pub(super) struct Address {
    pub(super) config: Config,
}

impl Address {
    pub(super) fn of(url: &str) -> Result<Self, StoreError> {
        if url.contains("sslmode=verify") {
            return Err(no_tls());
        }
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
        if config.get_ssl_mode() == SslMode::Require {
            return Err(no_tls());
        }
        if config.get_password().is_none()
            && let Ok(password) = std::env::var("PGPASSWORD")
        {
            config.password(password);
        }
        if config.get_application_name().is_none() {
            config.application_name(NAME);
        }
        Ok(Self { config })
    }

    /// An error with the place that it happened at.
    pub(super) fn about(&self, error: StoreError) -> StoreError {
        let host = |host: &Host| match host {
            Host::Tcp(name) => name.clone(),
            #[cfg(unix)]
            Host::Unix(path) => path.display().to_string(),
        };
        let hosts: Vec<String> = self.config.get_hosts().iter().map(host).collect();
        match error {
            StoreError::Failed { reason } => {
                failed(format!("postgres://{}: {reason}", hosts.join(",")))
            }
            other => other,
        }
    }
}

fn no_tls() -> StoreError {
    failed(
        "connections to PostgreSQL are not encrypted by this program, and sslmode demands it; leave \
         sslmode out and connect by a socket, a private network or a tunnel (such as `ssh -L`)"
            .to_owned(),
    )
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
        for mode in ["require", "verify-ca", "verify-full"] {
            let said = refusal(&format!("postgres://me:secret@host/db?sslmode={mode}"));
            assert!(said.contains("leave sslmode out") && !said.contains("secret"), "{said}");
        }
    }
}
