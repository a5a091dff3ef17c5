//! Agents and rewards that a study names by import path, as in `mypackage.agents:Mine:patience=3`.
//!
//! The lab reads and stores such texts, but it cannot import anything. A program that can, such as the
//! Python package, [registers](register) an [`Importer`].

use crate::entrant::Entrant;
use crate::noise::NoiseSource;
use graph_bandit::Graph;
use std::fmt;
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// The path of something of your own, with its parameters: `module:Name:key=value,key=value`.
///
/// ```
/// use graph_bandit_lab::imported::ImportPath;
/// let path = ImportPath::of("mine.agents:Lazy: rate=0.5, node=barn").unwrap().unwrap();
/// assert_eq!((path.module.as_str(), path.name.as_str()), ("mine.agents", "Lazy"));
/// assert_eq!(path.to_string(), "mine.agents:Lazy:rate=0.5,node=barn");
/// assert_eq!(ImportPath::of("g-ucb:bonus=0.5"), Ok(None));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportPath {
    /// The module, as in `mypackage.agents`.
    pub module: String,
    /// Its name in the module.
    pub name: String,
    /// Names and values of parameters, in the order given.
    pub parameters: Vec<(String, String)>,
}

/// An import path whose parameters are wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{text}: {part:?} is not a parameter; write module:Name:key=value,key=value")]
pub struct BadParameter {
    text: String,
    part: String,
}

impl ImportPath {
    /// Reads an import path; `None` if the text is not one: the parts before the first colon and up
    /// to the next must be dotted names.
    ///
    /// # Errors
    /// When the text after the name is not a list of parameters.
    pub fn of(text: &str) -> Result<Option<Self>, BadParameter> {
        let mut parts = text.trim().splitn(3, ':').map(str::trim);
        let (Some(module), Some(name)) = (parts.next(), parts.next()) else { return Ok(None) };
        if !is_dotted(module) || !is_dotted(name) {
            return Ok(None);
        }
        let parameter = |part: &str| {
            let (key, value) =
                part.split_once('=').map(|(key, value)| (key.trim(), value.trim()))?;
            let is_whole = is_dotted(key) && !key.contains('.') && !value.is_empty();
            is_whole.then(|| (key.to_owned(), value.to_owned()))
        };
        let given = parts.next().map(|given| given.split(',')).into_iter().flatten();
        let parameters = given.map(|part| {
            parameter(part)
                .ok_or_else(|| BadParameter { text: text.to_owned(), part: part.trim().to_owned() })
        });
        let parameters = parameters.collect::<Result<_, _>>()?;
        Ok(Some(Self { module: module.to_owned(), name: name.to_owned(), parameters }))
    }
}

/// Whether a text is a dotted name, like a module's.
fn is_dotted(text: &str) -> bool {
    text.split('.').all(|name| {
        let mut letters = name.chars();
        letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
            && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
    })
}

impl fmt::Display for ImportPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.module, self.name)?;
        for (i, (key, value)) in self.parameters.iter().enumerate() {
            write!(f, "{}{key}={value}", if i == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

/// Finds what import paths name. An error names the path that cannot be found.
pub trait Importer: Send + Sync {
    /// An agent that walks `graph`.
    ///
    /// # Errors
    /// When it cannot be found or made.
    fn agent(&self, path: &ImportPath, graph: &Arc<Graph>) -> Result<Entrant, String>;

    /// The rewards of all nodes of `graph`.
    ///
    /// # Errors
    /// When they cannot be found or made.
    fn rewards(&self, path: &ImportPath, graph: &Arc<Graph>) -> Result<NoiseSource, String>;

    /// The fingerprint of the code that the path names; it changes with the code.
    ///
    /// # Errors
    /// When it cannot be found.
    fn fingerprint(&self, path: &ImportPath) -> Result<String, String>;
}

static IMPORTER: OnceLock<Box<dyn Importer>> = OnceLock::new();

/// Lets studies name agents and rewards by import path, for the rest of the process. The first
/// importer stays.
pub fn register(importer: Box<dyn Importer>) {
    let _ = IMPORTER.set(importer);
}

/// The registered importer.
///
/// # Errors
/// When this program cannot import.
#[cfg(feature = "report")]
pub(crate) fn importer(path: &ImportPath) -> Result<&'static dyn Importer, String> {
    let importer = IMPORTER.get().map(|importer| &**importer);
    importer.ok_or_else(|| {
        format!(
            "{path} is Python code, which gbandit alone cannot import; run the study from Python, with \
             graph_bandit.run_study(FILE) or `python -m graph_bandit study FILE`"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registry_texts_are_not_import_paths() {
        for text in [
            "g-ucb",
            "g-ucb:bonus=0.5",
            "uniform:0.5",
            "best=uniform:1|beta:2",
            "a.:b",
            ":b",
            "a:",
            "1a:b",
        ] {
            assert_eq!(ImportPath::of(text), Ok(None), "{text}");
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        for (text, part) in [
            ("a.b:C:rate", "rate"),
            ("a:C:", ""),
            ("a:C:r=1,,", ""),
            ("a:C:r=", "r="),
            ("a:C:r.s=1", "r.s=1"),
        ] {
            let error = ImportPath::of(text).unwrap_err();
            let message = error.to_string();
            assert!(message.starts_with(&format!("{text}: {part:?} is not")), "{message}");
        }
    }
}
