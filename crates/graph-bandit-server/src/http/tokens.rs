//! Tokens: what they allow, and how they are stored. A file has a line `NAME SCOPE FINGERPRINT` for each
//! token; the token itself is not stored.
//!
//! A token is 32 random bytes, so a plain SHA-256 of it cannot be guessed from the file, and no slow
//! hash is needed.

use crate::fingerprint::{hexadecimal, sha256};
use graph_bandit::spec::{Named, UnknownName};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use thiserror::Error;
use tokio::sync::watch;

graph_bandit::named! {
    /// What a token allows; each scope includes the ones before it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Scope {
        /// Read only.
        Read = "read",
        /// Also ask and report.
        Decide = "decide",
        /// Also create, import and delete agents, and convert maps.
        Admin = "admin",
    }
}

impl FromStr for Scope {
    type Err = TokensError;

    fn from_str(text: &str) -> Result<Self, TokensError> {
        Self::of_name(text).map_err(|UnknownName { name, .. }| TokensError::NoScope { scope: name })
    }
}

/// The names of all scopes.
fn scopes() -> String {
    let names: Vec<&str> = Scope::ALL.iter().map(|scope| scope.name()).collect();
    let (last, most) = names.split_last().unwrap_or((&"", &[]));
    format!("{} and {last}", most.join(", "))
}

/// Why tokens cannot be read or made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TokensError {
    /// A malformed line.
    #[error("line {line}: {reason}; write NAME SCOPE FINGERPRINT")]
    BadLine {
        /// Its number, from 1.
        line: usize,
        /// The problem.
        reason: String,
    },
    /// An unknown scope.
    #[error("there is no scope {scope:?}; the scopes are {}", scopes())]
    NoScope {
        /// The given text.
        scope: String,
    },
    /// The file does not exist or is not text.
    #[error("the file cannot be read: {reason}")]
    Unreadable {
        /// The system's error.
        reason: String,
    },
    /// The file is empty, so no client could use the service.
    #[error("there is no token in the file; make one with `gbandit token`")]
    None,
    /// The name is not valid.
    #[error(
        "{name:?} is not a name for a token; write one without spaces that does not begin with #"
    )]
    BadName {
        /// The name.
        name: String,
    },
    /// The system could not provide random numbers.
    #[error("the system could not provide random numbers: {reason}")]
    NoRandomness {
        /// The system's error.
        reason: String,
    },
}

#[derive(Clone)]
struct Known {
    name: String,
    scope: Scope,
    fingerprint: [u8; 32],
}

/// The known tokens. Clones share them, also after they are read again.
#[derive(Clone, Default)]
pub struct Tokens {
    known: Arc<watch::Sender<Vec<Known>>>,
    file: Option<PathBuf>,
}

impl fmt::Debug for Tokens {
    /// Without the fingerprints.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.known.borrow();
        f.debug_list().entries(known.iter().map(|known| (&known.name, known.scope))).finish()
    }
}

impl Tokens {
    /// Reads the tokens of a file, which can be [read again](Self::reread).
    ///
    /// # Errors
    /// When the file cannot be read, a line is malformed, or there is no token.
    pub fn read(file: &Path) -> Result<Self, TokensError> {
        let known = Arc::new(watch::Sender::new(known_to(file)?));
        Ok(Self { known, file: Some(file.to_owned()) })
    }

    /// How many there are; at least one.
    #[allow(clippy::len_without_is_empty, reason = "an empty file is refused")]
    pub fn len(&self) -> usize {
        self.known.borrow().len()
    }

    /// The file that they were read from, if any.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Reads the file again: from now on only its tokens are valid. Returns how many there are.
    ///
    /// # Errors
    /// As [`read`](Self::read); the old tokens then stay valid.
    pub fn reread(&self) -> Result<usize, TokensError> {
        if let Some(file) = &self.file {
            self.known.send_replace(known_to(file)?);
        }
        Ok(self.known.borrow().len())
    }

    /// Observes when they are read again.
    pub(super) fn changes(&self) -> TokenChanges {
        TokenChanges(self.known.subscribe())
    }

    /// Reads a text of tokens.
    ///
    /// # Errors
    /// When a line is malformed, or there is no token.
    pub fn parse(text: &str) -> Result<Self, TokensError> {
        let known = Arc::new(watch::Sender::new(known_by(text)?));
        Ok(Self { known, file: None })
    }

    /// The name and scope of a token. Takes constant time: all fingerprints are compared in full.
    pub(super) fn find(&self, token: &str) -> Option<(String, Scope)> {
        let given = sha256(token.as_bytes());
        let mut found = u64::MAX;
        let known = self.known.borrow();
        for (place, known) in (0..).zip(&*known) {
            let equal: Choice = known.fingerprint.ct_eq(&given);
            found.conditional_assign(&place, equal);
        }
        let known = known.get(usize::try_from(found).ok()?)?;
        Some((known.name.clone(), known.scope))
    }
}

/// Observes when tokens are read again.
#[derive(Clone)]
pub(super) struct TokenChanges(watch::Receiver<Vec<Known>>);

impl TokenChanges {
    /// Resolves when they have been read again since this value was made.
    pub(super) async fn changed(mut self) {
        if self.0.changed().await.is_err() {
            // Nobody is left to read them.
            std::future::pending::<()>().await;
        }
    }
}

fn known_to(file: &Path) -> Result<Vec<Known>, TokensError> {
    let text = std::fs::read_to_string(file);
    known_by(&text.map_err(|error| TokensError::Unreadable { reason: error.to_string() })?)
}

fn known_by(text: &str) -> Result<Vec<Known>, TokensError> {
    let mut tokens = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let bad = |reason: &str| TokensError::BadLine { line, reason: reason.to_owned() };
        let words: Vec<&str> = content.split_whitespace().collect();
        let [name, scope, fingerprint] = words[..] else {
            return Err(bad("there are not three words; write NAME SCOPE FINGERPRINT"));
        };
        tokens.push(Known {
            name: name.to_owned(),
            scope: scope.parse().map_err(|error: TokensError| bad(&error.to_string()))?,
            fingerprint: bytes(fingerprint)
                .ok_or_else(|| bad("the fingerprint is not 64 hexadecimal digits"))?,
        });
    }
    if tokens.is_empty() { Err(TokensError::None) } else { Ok(tokens) }
}

fn bytes(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (place, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * place..2 * place + 2], 16).ok()?;
    }
    Some(bytes)
}

/// Refuses an invalid name of a token.
///
/// # Errors
/// When it is empty, has a space in it, or begins like a comment.
pub fn check_name(name: &str) -> Result<(), TokensError> {
    if name.is_empty() || name.starts_with('#') || name.contains(char::is_whitespace) {
        return Err(TokensError::BadName { name: name.to_owned() });
    }
    Ok(())
}

/// Makes a token, and its line for the file.
///
/// # Errors
/// When the name has a space in it, or the system cannot provide random numbers.
pub fn new_token(name: &str, scope: Scope) -> Result<(String, String), TokensError> {
    check_name(name)?;
    let mut random = [0; 32];
    getrandom::fill(&mut random)
        .map_err(|error| TokensError::NoRandomness { reason: error.to_string() })?;
    let token = format!("gbt_{}", hexadecimal(&random));
    let line = format!("{name} {scope} {}", hexadecimal(&sha256(token.as_bytes())));
    Ok((token, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_recognized_by_its_line() {
        let (token, line) = new_token("drone-1", Scope::Decide).unwrap();
        let (other, other_line) = new_token("office", Scope::Admin).unwrap();
        let file = format!("# who\n\n{line}\n{other_line}\n");
        assert!(!file.contains(&token) && !file.contains(&token[4..]));
        let tokens = Tokens::parse(&file).unwrap();
        let found = |token: &str| tokens.find(token);
        assert_eq!(found(&token), Some(("drone-1".to_owned(), Scope::Decide)));
        assert_eq!(found(&other), Some(("office".to_owned(), Scope::Admin)));
        for wrong in ["", "gbt_", &token[1..], &line] {
            assert_eq!(found(wrong), None);
        }
        assert!(Scope::Read < Scope::Decide && Scope::Decide < Scope::Admin);
        // SHA-256 of "abc", from FIPS 180-2.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let tokens = Tokens::parse(&format!("abc read {abc}")).unwrap();
        assert_eq!(tokens.find("abc"), Some(("abc".to_owned(), Scope::Read)));
        assert!(!format!("{tokens:?}").contains("ba78"));
    }

    #[test]
    fn malformed_lines_are_refused() {
        let refused = |text: &str| Tokens::parse(text).unwrap_err().to_string();
        assert!(refused("# nobody\n").contains("no token in the file"));
        assert!(refused("a read").contains("line 1: there are not three words"));
        assert!(refused("\na root 00").contains("line 2: there is no scope \"root\""));
        assert!(refused(&format!("a read {}", "é".repeat(32))).contains("64 hexadecimal"));
        assert!(refused(&format!("a read {}", "0g".repeat(32))).contains("64 hexadecimal"));
        assert!(new_token("two words", Scope::Read).is_err());
    }
}
