//! Verifies the certificate of a server.

use std::sync::Arc;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::client::verify_server_name;
use tokio_rustls::rustls::crypto::{
    CryptoProvider, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{CertificateError, DigitallySignedStruct, Error, SignatureScheme};

/// How strictly a certificate is checked.
#[derive(Debug)]
pub(super) enum Check {
    /// Not at all: protects against eavesdropping, not against a man in the middle.
    Nothing,
    /// A root must have signed it, for any name.
    Chain(Roots),
    /// A root must have signed it, for this host.
    ChainAndName(Roots),
}

/// The trusted certificates.
#[derive(Debug)]
pub(super) struct Roots {
    pub(super) chain: Arc<WebPkiServerVerifier>,
    /// A self-signed certificate that is trusted as it is, like a root.
    pub(super) themselves: Vec<CertificateDer<'static>>,
}

/// A check, and its algorithms.
#[derive(Debug)]
pub(super) struct Verifier {
    pub(super) check: Check,
    pub(super) provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let signed = |roots: &Roots| {
            roots.chain.verify_server_cert(certificate, intermediates, name, ocsp, now).map(drop)
        };
        match &self.check {
            Check::Nothing => {}
            Check::Chain(roots) if roots.themselves.contains(certificate) => {}
            Check::ChainAndName(roots) if roots.themselves.contains(certificate) => {
                verify_server_name(&ParsedCertificate::try_from(certificate)?, name)?;
            }
            // The name is checked last: a certificate that fails there has passed everything else.
            Check::Chain(roots) => match signed(roots) {
                Err(Error::InvalidCertificate(
                    CertificateError::NotValidForName
                    | CertificateError::NotValidForNameContext { .. },
                )) => {}
                other => other?,
            },
            Check::ChainAndName(roots) => signed(roots)?,
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
