//! Entries: one per agent, family, noise or kind of means, in tables that other crates can extend.

use super::{Parameter, Spec, SpecError};
use std::sync::{PoisonError, RwLock};

/// Everything known about one agent, graph family, noise or kind of means.
pub trait Entry: Sync + 'static {
    /// The kind's name in messages: `"graph family"`.
    const KIND: &'static str;
    /// The JSON field that holds the name: `"family"`.
    const TAG: &'static str;
    /// How texts set parameters.
    const TEXT: TextForm;

    /// The table of its kind.
    fn table() -> &'static Table<Self>
    where
        Self: Sized;

    /// The name in text form and in JSON.
    fn name(&self) -> &'static str;

    /// A one-line summary.
    fn summary(&self) -> &'static str;

    /// What it does, in a few plain sentences.
    fn about(&self) -> &'static str;

    /// A valid text.
    fn example(&self) -> &'static str;

    /// Texts that must be valid before it is added.
    fn examples(&self) -> Vec<String> {
        vec![self.example().to_owned()]
    }

    /// Its parameters, in the order of texts and JSON.
    fn parameters(&self) -> &'static [&'static dyn Parameter];

    /// Checks that values within their ranges also fit together.
    ///
    /// # Errors
    /// When they do not fit together.
    fn check(&self, spec: &Spec<Self>) -> Result<(), SpecError>
    where
        Self: Sized;

    /// The separator between two values in a text.
    fn separator(&self) -> char {
        ','
    }

    /// The form of its text: `grid:ROWSxCOLUMNS`.
    fn usage(&self) -> String {
        let part = |(i, parameter): (usize, &&'static dyn Parameter)| {
            let separator = if i == 0 { ':' } else { self.separator() };
            let (name, placeholder) = (parameter.name(), parameter.placeholder());
            match (Self::TEXT, parameter.default()) {
                (TextForm::ByName, _) => format!("[{separator}{name}={placeholder}]"),
                (TextForm::InOrder, Some(_)) => format!("[{separator}{placeholder}]"),
                (TextForm::InOrder, None) => format!("{separator}{placeholder}"),
            }
        };
        let parts: String = self.parameters().iter().enumerate().map(part).collect();
        format!("{}{parts}", self.name())
    }

    /// Its form in lists of all entries: the usage, or the name if all parameters have defaults.
    fn written(&self) -> String {
        match Self::TEXT {
            TextForm::InOrder => self.usage(),
            TextForm::ByName => self.name().to_owned(),
        }
    }
}

/// Implements the methods that only return fields.
macro_rules! entry_fields {
    () => {
        fn name(&self) -> &'static str {
            self.name
        }

        fn summary(&self) -> &'static str {
            self.summary
        }

        fn about(&self) -> &'static str {
            self.about
        }

        fn parameters(&self) -> &'static [&'static dyn Parameter] {
            self.parameters
        }
    };
}
pub(super) use entry_fields;

/// How texts set parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextForm {
    /// All in order: `tree:100,3`.
    InOrder,
    /// Any of them by name: `g-ucb:bonus=0.5`.
    ByName,
}

/// All entries of one kind, built in or added.
#[derive(Debug)]
pub struct Table<E: 'static> {
    built_in: &'static [&'static E],
    added: RwLock<Vec<&'static E>>,
}

impl<E: Entry> Table<E> {
    /// A table that starts with `built_in`.
    pub(crate) const fn new(built_in: &'static [&'static E]) -> Self {
        Self { built_in, added: RwLock::new(Vec::new()) }
    }

    /// All entries, added ones last.
    pub fn all(&self) -> Vec<&'static E> {
        let added = self.added.read().unwrap_or_else(PoisonError::into_inner);
        self.built_in.iter().chain(added.iter()).copied().collect()
    }

    /// The entry of this name.
    ///
    /// # Errors
    /// When there is no such entry; the error lists all names.
    pub fn find(&self, name: &str) -> Result<&'static E, SpecError> {
        let all = self.all();
        all.iter().copied().find(|entry| entry.name() == name).ok_or_else(|| SpecError::Unknown {
            kind: E::KIND,
            name: name.to_owned(),
            known: all.iter().map(|entry| entry.written()).collect(),
        })
    }

    /// Adds an entry for the rest of the process. Every parser accepts it from now on.
    ///
    /// # Errors
    /// When the name is taken or not allowed in a text, or an example is invalid.
    pub fn add(&self, entry: &'static E) -> Result<(), SpecError> {
        let name = entry.name();
        let refuse = |reason: String| SpecError::NotAdded { kind: E::KIND, name, reason };
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if name.is_empty() || !name.chars().all(plain) {
            return Err(refuse(
                "its name may contain only lower-case letters, digits and hyphens".to_owned(),
            ));
        }
        for text in entry.examples() {
            let example = Spec::of_entry(entry, &text);
            example
                .map_err(|error| refuse(format!("its example {text:?} is not valid: {error}")))?;
        }
        let mut added = self.added.write().unwrap_or_else(PoisonError::into_inner);
        let taken = self.built_in.iter().chain(added.iter()).any(|other| other.name() == name);
        if taken {
            return Err(refuse("the name is taken; choose another".to_owned()));
        }
        added.push(entry);
        Ok(())
    }
}
