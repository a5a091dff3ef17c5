//! Channel binding, which ties a password to its connection (`tls-server-end-point`, RFC 5929): a
//! fingerprint of the server's certificate, by the hash of the certificate's own signature.

use sha2::{Digest, Sha256, Sha384, Sha512};

/// The fingerprint; none if the standard names no hash for the signature.
pub(super) fn server_end_point(certificate: &[u8]) -> Option<Vec<u8>> {
    Some(match signature_algorithm(certificate)? {
        // RSA with SHA-384, SHA-512.
        [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0c]
        | [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x03] => Sha384::digest(certificate).to_vec(),
        [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0d]
        | [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x04] => Sha512::digest(certificate).to_vec(),
        // RSA with MD5, SHA-1, SHA-256, then ECDSA with SHA-1, SHA-256: hashes older than SHA-256 count as SHA-256.
        [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x04 | 0x05 | 0x0b]
        | [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x01]
        | [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02] => Sha256::digest(certificate).to_vec(),
        _ => return None,
    })
}

/// The name of the algorithm: a certificate is a sequence of the signed part, the algorithm (a sequence that
/// begins with its name) and the signature.
fn signature_algorithm(certificate: &[u8]) -> Option<&[u8]> {
    const SEQUENCE: u8 = 0x30;
    const NAME: u8 = 0x06;
    let (certificate, _) = element(certificate, SEQUENCE)?;
    let (_, rest) = element(certificate, SEQUENCE)?;
    let (algorithm, _) = element(rest, SEQUENCE)?;
    element(algorithm, NAME).map(|(name, _)| name)
}

/// The content of an element in DER, and what follows it.
fn element(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (&[first, short], rest) = bytes.split_first_chunk::<2>()?;
    let (length, rest) = if short < 0x80 {
        (usize::from(short), rest)
    } else {
        let (length, rest) = rest.split_at_checked(usize::from(short & 0x7f))?;
        let mut number = [0; size_of::<usize>()];
        number.get_mut(size_of::<usize>().checked_sub(length.len())?..)?.copy_from_slice(length);
        (usize::from_be_bytes(number), rest)
    };
    (first == tag).then(|| rest.split_at_checked(length))?
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A signed part, an algorithm, a signature.
    fn certificate(algorithm: &[u8]) -> Vec<u8> {
        let sequence = |content: &[u8]| [&[0x30, 0x82, 0, content.len() as u8], content].concat();
        let name = [&[0x06, algorithm.len() as u8], algorithm, &[0x05, 0x00]].concat();
        sequence(
            &[sequence(&[1; 200]), sequence(&name), vec![0x03, 1, 0]].concat()
                [..255.min(200 + 4 + name.len() + 4 + 3)],
        )
    }

    #[test]
    fn the_hash_is_that_of_the_signature() {
        let rsa = |last| [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, last];
        for (last, length) in [(0x05, 32), (0x0b, 32), (0x0c, 48), (0x0d, 64)] {
            let certificate = certificate(&rsa(last));
            assert_eq!(server_end_point(&certificate).unwrap().len(), length, "{last}");
        }
        // Ed25519 has no hash of its own.
        assert_eq!(server_end_point(&certificate(&[0x2b, 0x65, 0x70])), None);
        for cut in 0..240 {
            let whole = certificate(&rsa(0x0b));
            let _ = server_end_point(&whole[..cut.min(whole.len())]);
        }
        assert_eq!(
            server_end_point(&[0x30, 0x88, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
            None
        );
    }
}
