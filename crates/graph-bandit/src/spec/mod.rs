//! Specs: agents, graphs, means and noise as data for files, command lines and requests.
//!
//! Everything with a name is one [`Entry`]: its name, its parameters with ranges and help, and how
//! it is checked and built. A [`Spec`] is an entry with the values of its parameters. Texts, JSON,
//! messages and the [`registry`] are implemented once, over entries; the command line, files, the
//! service and Python all use them. An enum with a variant for each was rejected: every kind was
//! spelled six times, and other crates could not add any.

mod agent;
mod changing_means;
mod entry;
mod error;
mod family;
mod json;
mod means;
mod named;
mod noise;
mod parameter;
mod preset;
mod range;
mod registry;
#[cfg(feature = "schemars")]
mod schema;
mod serde_message;
mod share;
mod team;
mod text;

pub use agent::{AgentEntry, AgentSpec, Built, Dash, Look, Origin, Standing};
pub use entry::{Entry, Table, TextForm};
pub use error::SpecError;
pub use family::{FamilyEntry, GraphSpec};
pub use means::{DrawOverTime, MeansEntry, MeansSpec, Span};
pub use named::{Named, UnknownName};
pub use noise::{LawOfMean, NoiseEntry, RewardSpec};
pub use parameter::{Choice, Count, Kind, Number, Numbers, Parameter, Typed, Value, Values};
pub use preset::{Preset, Presets, split_list};
pub use range::{End, Range};
pub use registry::{About, AboutAgent, AboutNoise, AboutParameter, Registry, registry};
pub use serde_message::in_plain_words;
pub use share::{ShareEntry, ShareOfCount, ShareOfNode, ShareSpec};
pub use team::{TeamEntry, TeamSpec};

use std::fmt;

/// An entry with a value for each of its parameters; only values that the entry accepts.
pub struct Spec<E: 'static> {
    entry: &'static E,
    values: Vec<Value>,
}

impl<E: Entry> Spec<E> {
    /// All entries of the kind.
    pub fn entries() -> Vec<&'static E> {
        E::table().all()
    }

    /// The names of all entries of the kind.
    pub fn names() -> Vec<&'static str> {
        Self::entries().iter().map(|entry| entry.name()).collect()
    }

    /// Adds an entry for the rest of the process. The command line, files, the service and Python
    /// accept it from now on.
    ///
    /// # Errors
    /// When the name is taken or not allowed in a text, or an example is invalid.
    pub fn register(entry: &'static E) -> Result<(), SpecError> {
        E::table().add(entry)
    }

    /// The entry of the spec.
    pub fn entry(&self) -> &'static E {
        self.entry
    }

    /// The name of the entry.
    pub fn name(&self) -> &'static str {
        self.entry.name()
    }

    /// A one-line summary of the entry.
    pub fn summary(&self) -> &'static str {
        self.entry.summary()
    }

    /// The values of the parameters.
    pub fn values(&self) -> Values<'_> {
        Values { parameters: self.entry.parameters(), values: &self.values }
    }

    /// The parameters with their values, by name.
    pub fn parameters(&self) -> Vec<(&'static str, Value)> {
        let mut parameters: Vec<_> =
            self.pairs().map(|(parameter, value)| (parameter.name(), value.clone())).collect();
        parameters.sort_by_key(|(name, _)| *name);
        parameters
    }

    fn new(entry: &'static E, values: Vec<Value>) -> Result<Self, SpecError> {
        let spec = Self { entry, values };
        entry.check(&spec)?;
        Ok(spec)
    }

    fn pairs(&self) -> impl Iterator<Item = (&'static dyn Parameter, &Value)> + Clone {
        self.entry.parameters().iter().copied().zip(&self.values)
    }
}

impl<E> Clone for Spec<E> {
    fn clone(&self) -> Self {
        Self { entry: self.entry, values: self.values.clone() }
    }
}

impl<E: Entry> PartialEq for Spec<E> {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.values == other.values
    }
}

impl<E: Entry> fmt::Debug for Spec<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {self}", E::KIND)
    }
}
