//! Specs as texts: `grid:10x10`, `uniform:0.5`, `g-ucb:bonus=0.5`.

use super::{Entry, Kind, Parameter, Spec, SpecError, TextForm, Value};
use std::fmt;
use std::str::FromStr;

impl<E: Entry> FromStr for Spec<E> {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Self::of_entry(E::table().find(name_of(text))?, text)
    }
}

/// The name at the start of a text.
pub(super) fn name_of(text: &str) -> &str {
    text.split_once(':').map_or(text, |(name, _)| name).trim()
}

impl<E: Entry> Spec<E> {
    /// Reads a text that names `entry`.
    pub(super) fn of_entry(entry: &'static E, text: &str) -> Result<Self, SpecError> {
        match E::TEXT {
            TextForm::InOrder => Self::in_order(entry, text),
            TextForm::ByName => {
                let values = defaults(entry)?;
                Self::new(entry, by_name(entry, values, parameters_of(text))?)
            }
        }
    }

    fn in_order(entry: &'static E, text: &str) -> Result<Self, SpecError> {
        let parameters = entry.parameters();
        let given = text.split_once(':').map(|(_, given)| given);
        let parts: Vec<&str> = match (parameters, given) {
            (_, None) => Vec::new(),
            ([only], Some(given)) if matches!(only.kind(), Kind::Numbers(_)) => vec![given],
            (_, Some(given)) => given.split(entry.separator()).collect(),
        };
        let needed = parameters.iter().filter(|parameter| parameter.default().is_none()).count();
        if parts.len() < needed || parts.len() > parameters.len() {
            return Err(SpecError::WrongParameterCount {
                text: text.to_owned(),
                given: parts.len(),
                usage: entry.usage(),
                example: entry.example(),
            });
        }
        let values = parameters.iter().enumerate().map(|(i, parameter)| match parts.get(i) {
            Some(part) => value_of(text.trim(), *parameter, part.trim()),
            None => default(entry, *parameter),
        });
        Self::new(entry, values.collect::<Result<_, _>>()?)
    }

    /// The same spec with parameters from a text like `bonus=0.5,doubling=exact`.
    ///
    /// # Errors
    /// When the parameter does not exist or does not allow the value.
    pub fn with(&self, parameters: &str) -> Result<Self, SpecError> {
        Self::new(self.entry, by_name(self.entry, self.values.clone(), parameters)?)
    }

    /// The name and the parameters that differ from `usual`, by name.
    pub(super) fn label_beside(&self, usual: &Self) -> String {
        let mut label = self.name().to_owned();
        let mut separator = ':';
        for ((name, value), (_, usual)) in self.parameters().into_iter().zip(usual.parameters()) {
            if value != usual {
                label = format!("{label}{separator}{name}={}", value.in_label());
                separator = ',';
            }
        }
        label
    }
}

/// The part after the name.
pub(super) fn parameters_of(text: &str) -> &str {
    text.split_once(':').map_or("", |(_, parameters)| parameters)
}

pub(super) fn default<E: Entry>(entry: &E, parameter: &dyn Parameter) -> Result<Value, SpecError> {
    parameter.default().ok_or_else(|| SpecError::Missing {
        name: entry.name(),
        parameter: parameter.name(),
        need: parameter.kind().need(),
    })
}

pub(super) fn defaults<E: Entry>(entry: &E) -> Result<Vec<Value>, SpecError> {
    entry.parameters().iter().map(|parameter| default(entry, *parameter)).collect()
}

fn by_name<E: Entry>(
    entry: &E,
    mut values: Vec<Value>,
    text: &str,
) -> Result<Vec<Value>, SpecError> {
    for part in text.split([',', ':']).map(str::trim).filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').ok_or_else(|| unknown(entry, part))?;
        let (name, value) = (name.trim(), value.trim());
        let known = entry.parameters().iter().zip(&mut values);
        let mut known = known.filter(|(parameter, _)| parameter.name() == name);
        let (parameter, slot) = known.next().ok_or_else(|| unknown(entry, part))?;
        *slot = value_of(entry.name(), *parameter, value)?;
    }
    Ok(values)
}

pub(super) fn unknown<E: Entry>(entry: &E, parameter: &str) -> SpecError {
    let mut known: Vec<&str> = entry.parameters().iter().map(|known| known.name()).collect();
    known.sort_unstable();
    SpecError::UnknownParameter { name: entry.name(), parameter: parameter.to_owned(), known }
}

fn value_of(spec: &str, parameter: &dyn Parameter, text: &str) -> Result<Value, SpecError> {
    parameter.kind().of_text(text).ok_or_else(|| {
        let is_number = text.parse::<f64>().is_ok();
        let value = if is_number { text.to_owned() } else { format!("{text:?}") };
        wrong(spec, parameter, value)
    })
}

pub(super) fn wrong(spec: &str, parameter: &dyn Parameter, value: String) -> SpecError {
    SpecError::WrongValue {
        spec: spec.to_owned(),
        parameter: parameter.name(),
        value,
        need: parameter.kind().need(),
    }
}

/// Writes the text that parses to this spec.
impl<E: Entry> fmt::Display for Spec<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if E::TEXT == TextForm::ByName {
            let usual = defaults(self.entry).unwrap_or_default();
            return f.write_str(&self.label_beside(&Self { entry: self.entry, values: usual }));
        }
        f.write_str(self.name())?;
        let told = self.pairs().collect::<Vec<_>>();
        let is_usual = |(parameter, value): &(&dyn Parameter, &Value)| {
            parameter.default().as_ref() == Some(*value)
        };
        let usual = told.iter().rev().take_while(|pair| is_usual(pair)).count();
        let mut separator = ':';
        for (_, value) in &told[..told.len() - usual] {
            write!(f, "{separator}{value}")?;
            separator = self.entry.separator();
        }
        Ok(())
    }
}
