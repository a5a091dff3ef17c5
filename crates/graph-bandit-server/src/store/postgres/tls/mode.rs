//! The encryption parameters of a URL: `sslmode` and `sslrootcert`, as in libpq.

use super::super::StoreError;
use super::super::failure::failed;
use percent_encoding::percent_decode_str;
use std::path::PathBuf;

/// Whether a connection is encrypted, and what is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Mode {
    /// Never.
    Disable,
    /// Only if the server requires it.
    Allow,
    /// If the server supports it.
    Prefer,
    /// Always; the certificate is checked if there is a root.
    Require,
    /// Always, with a certificate that a root has signed.
    VerifyCa,
    /// Always, with a certificate that a root has signed for the host's name.
    VerifyFull,
}

impl Mode {
    const ALL: [(&'static str, Self); 6] = [
        ("disable", Self::Disable),
        ("allow", Self::Allow),
        ("prefer", Self::Prefer),
        ("require", Self::Require),
        ("verify-ca", Self::VerifyCa),
        ("verify-full", Self::VerifyFull),
    ];
}

/// The trusted roots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) enum Roots {
    /// The file in the home directory, if there is one.
    Usual,
    /// This file.
    File(PathBuf),
    /// The system's roots.
    System,
}

/// The encryption that a URL asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct TlsOptions {
    pub(in super::super) mode: Mode,
    pub(in super::super) roots: Roots,
}

impl TlsOptions {
    /// Takes the encryption parameters out of a URL, and returns the rest.
    pub(in super::super) fn taken_from(url: &str) -> Result<(Self, String), StoreError> {
        // A password may have a question mark.
        let start = url.find('@').unwrap_or(0);
        let (before, query) = match url[start..].split_once('?') {
            Some((before, query)) => (&url[..start + before.len()], query),
            None => (url, ""),
        };
        let (mut mode, mut roots, mut rest) = (None, None, Vec::new());
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = || percent_decode_str(value).decode_utf8_lossy().into_owned();
            match key {
                "sslmode" => mode = Some(value()),
                "sslrootcert" => roots = Some(value()),
                _ => rest.push(pair),
            }
        }
        let url = if rest.is_empty() {
            before.to_owned()
        } else {
            format!("{before}?{}", rest.join("&"))
        };
        Ok((Self::of(mode.as_deref(), roots)?, url))
    }

    fn of(mode: Option<&str>, roots: Option<String>) -> Result<Self, StoreError> {
        let roots = match roots {
            None => Roots::Usual,
            Some(name) if name == "system" => Roots::System,
            Some(file) if !file.is_empty() => Roots::File(file.into()),
            Some(_) => return Err(failed("sslrootcert is empty; name a file".to_owned())),
        };
        let mode = match mode {
            // Anybody can get a certificate that the system's roots have signed.
            None if roots == Roots::System => Mode::VerifyFull,
            None => Mode::Prefer,
            Some(name) => {
                let known = Mode::ALL.iter().find(|(known, _)| *known == name);
                let names = Mode::ALL.map(|(name, _)| name).join(", ");
                // The value may be part of a password by mistake, so it is not quoted.
                let unknown = || failed(format!("sslmode must be one of {names}"));
                known.map(|(_, mode)| *mode).ok_or_else(unknown)?
            }
        };
        if roots == Roots::System && mode != Mode::VerifyFull {
            return Err(failed(
                "sslrootcert=system needs sslmode=verify-full: anybody can get a certificate \
                 that the system trusts"
                    .to_owned(),
            ));
        }
        Ok(Self { mode, roots })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encryption_parameters_are_taken_out() {
        for (url, mode, roots, rest) in [
            ("postgres://me@host/db", Mode::Prefer, Roots::Usual, "postgres://me@host/db"),
            (
                "postgres://me@host/db?sslmode=verify-ca&connect_timeout=3&sslrootcert=%2Fa%20b",
                Mode::VerifyCa,
                Roots::File("/a b".into()),
                "postgres://me@host/db?connect_timeout=3",
            ),
            (
                "postgres://me:a?sslmode=b@host/db?sslrootcert=system",
                Mode::VerifyFull,
                Roots::System,
                "postgres://me:a?sslmode=b@host/db",
            ),
            (
                "postgres:///db?host=/run&sslmode=allow",
                Mode::Allow,
                Roots::Usual,
                "postgres:///db?host=/run",
            ),
        ] {
            let wanted = TlsOptions { mode, roots };
            assert_eq!(TlsOptions::taken_from(url).unwrap(), (wanted, rest.to_owned()), "{url}");
        }
        for (query, said) in [
            ("sslmode=secret", "one of disable, allow, prefer, require, verify-ca, verify-full"),
            ("sslmode=require&sslrootcert=system", "needs sslmode=verify-full"),
            ("sslrootcert=", "is empty"),
        ] {
            let error =
                TlsOptions::taken_from(&format!("postgres://me@host/db?{query}")).unwrap_err();
            let error = error.to_string();
            assert!(error.contains(said) && !error.contains("secret"), "{error}");
        }
    }
}
