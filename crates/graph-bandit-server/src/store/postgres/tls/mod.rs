//! Encrypted connections to PostgreSQL, by rustls.

mod binding;
mod mode;
mod stream;
mod verify;

pub(super) use mode::{Mode, TlsOptions};

use super::StoreError;
use super::failure::failed;
use mode::Roots as RootsWanted;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use verify::{Check, Roots, Verifier};

/// How connections are encrypted.
#[derive(Clone)]
pub(super) struct Encryption(Arc<ClientConfig>);

impl Encryption {
    /// The encryption that a URL requires. The roots are read now, so that a wrong file is reported at once.
    pub(super) fn of(wanted: &TlsOptions) -> Result<Self, StoreError> {
        let provider = Arc::new(ring::default_provider());
        let check = check(wanted, &provider)?;
        let versions = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| failed(error.to_string()))?;
        let verifier = Arc::new(Verifier { check, provider });
        let config = versions.dangerous().with_custom_certificate_verifier(verifier);
        let mut config = config.with_no_client_auth();
        config.alpn_protocols = vec![b"postgresql".to_vec()];
        Ok(Self(Arc::new(config)))
    }
}

fn check(wanted: &TlsOptions, provider: &Arc<CryptoProvider>) -> Result<Check, StoreError> {
    let certificates = match &wanted.roots {
        RootsWanted::System => system_roots()?,
        RootsWanted::File(file) => of_a_file(file)?,
        RootsWanted::Usual => match default_roots_file().filter(|file| file.exists()) {
            Some(file) => of_a_file(&file)?,
            None if matches!(wanted.mode, Mode::VerifyCa | Mode::VerifyFull) => {
                return Err(failed(
                    "sslmode asks to verify the server, but there is no root certificate; give \
                     sslrootcert=FILE or sslrootcert=system, or write ~/.postgresql/root.crt"
                        .to_owned(),
                ));
            }
            None => return Ok(Check::Nothing),
        },
    };
    let mut store = RootCertStore::empty();
    store.add_parsable_certificates(certificates.iter().cloned());
    let builder =
        WebPkiServerVerifier::builder_with_provider(Arc::new(store), Arc::clone(provider));
    let chain =
        builder.build().map_err(|error| failed(format!("the root certificates: {error}")))?;
    let roots = Roots { chain, themselves: certificates };
    Ok(if wanted.mode == Mode::VerifyFull {
        Check::ChainAndName(roots)
    } else {
        Check::Chain(roots)
    })
}

/// Where libpq looks for roots.
fn default_roots_file() -> Option<PathBuf> {
    std::env::home_dir().map(|home| home.join(".postgresql/root.crt"))
}

fn of_a_file(file: &Path) -> Result<Vec<CertificateDer<'static>>, StoreError> {
    let about = |what: &str| failed(format!("the root certificates {}: {what}", file.display()));
    let read = CertificateDer::pem_file_iter(file).map_err(|error| about(&error.to_string()))?;
    let certificates: Result<Vec<_>, _> = read.collect();
    let certificates = certificates.map_err(|error| about(&error.to_string()))?;
    if certificates.is_empty() {
        return Err(about("there is no certificate in the file"));
    }
    Ok(certificates)
}

fn system_roots() -> Result<Vec<CertificateDer<'static>>, StoreError> {
    let found = rustls_native_certs::load_native_certs();
    if found.certs.is_empty() {
        let why = found.errors.first().map(|error| format!(": {error}")).unwrap_or_default();
        return Err(failed(format!("the system has no root certificates{why}")));
    }
    Ok(found.certs)
}
