//! The parameters of an entry. Each is one constant that holds its name, help, range and default;
//! the entry also reads its value through it.

use super::Range;
use crate::digits::Digits;
use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};
use std::fmt;

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemars", schemars(untagged))]
pub enum Value {
    /// A whole number.
    Count(usize),
    /// A decimal number.
    Number(f64),
    /// One of the allowed names.
    Name(&'static str),
    /// Several decimal numbers.
    Numbers(Vec<f64>),
}

impl Value {
    /// The value as labels write it: numbers as in JSON, `1.0`, names bare.
    pub fn in_label(&self) -> String {
        match self {
            Self::Name(name) => (*name).to_owned(),
            value => serde_json::to_string(value).unwrap_or_default(),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Count(count) => count.serialize(serializer),
            Self::Number(number) => number.serialize(serializer),
            Self::Name(name) => name.serialize(serializer),
            Self::Numbers(numbers) => numbers.serialize(serializer),
        }
    }
}

/// With the fewest digits that read back the same, as in `grid:10x10` and `uniform:0.5`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => count.fmt(f),
            Self::Number(number) => Digits(*number).fmt(f),
            Self::Name(name) => f.write_str(name),
            Self::Numbers(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(|n| Digits(*n).to_string()).collect();
                f.write_str(&numbers.join(","))
            }
        }
    }
}

/// The allowed values of a parameter.
#[derive(Debug, Clone)]
pub enum Kind {
    /// Whole numbers from the first to the second.
    Count(usize, usize),
    /// Decimal numbers of a range.
    Number(Range),
    /// One of these names.
    Choice(Vec<&'static str>),
    /// One or more decimal numbers of a range.
    Numbers(Range),
}

impl Kind {
    /// Parses a value from a text, if the parameter allows it.
    pub(super) fn of_text(&self, text: &str) -> Option<Value> {
        let number = |text: &str| text.trim().parse().ok();
        self.checked(match self {
            Self::Count(..) => Value::Count(text.parse().ok()?),
            Self::Number(_) => Value::Number(number(text)?),
            Self::Choice(names) => Value::Name(names.iter().find(|name| **name == text)?),
            Self::Numbers(_) => Value::Numbers(text.split(',').map(number).collect::<Option<_>>()?),
        })
    }

    /// Reads a value from JSON, if the parameter allows it.
    pub(super) fn of_json(&self, json: &Json) -> Option<Value> {
        // 3.0 is a whole number in JSON.
        let whole = |x: f64| (x.fract() == 0.0 && (0.0..9e15).contains(&x)).then_some(x as u64);
        self.checked(match self {
            Self::Count(..) => {
                let count = json.as_u64().or_else(|| whole(json.as_f64()?))?;
                Value::Count(usize::try_from(count).ok()?)
            }
            Self::Number(_) => Value::Number(json.as_f64()?),
            Self::Choice(_) => return self.of_text(json.as_str()?),
            Self::Numbers(_) => {
                let numbers = json.as_array()?.iter().map(Json::as_f64);
                Value::Numbers(numbers.collect::<Option<_>>()?)
            }
        })
    }

    fn checked(&self, value: Value) -> Option<Value> {
        let is_right = match (self, &value) {
            (Self::Count(least, most), Value::Count(count)) => (least..=most).contains(&count),
            (Self::Number(range), Value::Number(number)) => range.contains(*number),
            (Self::Numbers(range), Value::Numbers(numbers)) => {
                !numbers.is_empty() && numbers.iter().all(|number| range.contains(*number))
            }
            (kind, _) => matches!(kind, Self::Choice(_)),
        };
        is_right.then_some(value)
    }

    /// What a value must be, as the end of a sentence: `a number from 0 to 1`.
    pub fn need(&self) -> String {
        match self {
            Self::Count(least, most) => format!("a whole number from {least} to {most}"),
            Self::Number(range) => format!("a number {range}"),
            Self::Choice(names) => format!("one of {}", names.join(", ")),
            Self::Numbers(range) => format!("one or more numbers, each {range}"),
        }
    }

    /// What a value must be, as JSON Schema.
    pub(super) fn schema(&self) -> Json {
        match self {
            Self::Count(least, most) => {
                json!({"type": "integer", "minimum": least, "maximum": most})
            }
            Self::Number(range) => range.schema(),
            Self::Choice(names) => json!({"enum": names}),
            Self::Numbers(range) => {
                json!({"type": "array", "minItems": 1, "items": range.schema()})
            }
        }
    }
}

/// A parameter, whatever the type of its values.
pub trait Parameter: Sync {
    /// Its name in text form and in JSON.
    fn name(&self) -> &'static str;

    /// A one-line description.
    fn help(&self) -> &'static str;

    /// When to change it, in a sentence or two; empty if there is nothing to say.
    fn when(&self) -> &'static str;

    /// The allowed values.
    fn kind(&self) -> Kind;

    /// Its default; a parameter without a default is required.
    fn default(&self) -> Option<Value>;

    /// The placeholder of the parameter in the usage of a text, such as `NODES`.
    fn placeholder(&self) -> String {
        self.name().to_uppercase().replace('-', "_")
    }
}

impl fmt::Debug for dyn Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A parameter whose values have one type.
pub trait Typed: Parameter {
    /// The type.
    type Of;

    /// The typed value, if it has this type.
    fn typed(&self, value: &Value) -> Option<Self::Of>;

    /// The value if an entry does not list the parameter.
    fn absent(&self) -> Self::Of;
}

macro_rules! name_help_and_when {
    () => {
        fn name(&self) -> &'static str {
            self.name
        }

        fn help(&self) -> &'static str {
            self.help
        }

        fn when(&self) -> &'static str {
            self.when
        }
    };
}

/// A parameter that is a whole number.
#[derive(Debug, Clone, Copy)]
pub struct Count {
    /// Its name.
    pub name: &'static str,
    /// A one-line description.
    pub help: &'static str,
    /// When to change it.
    pub when: &'static str,
    /// Its default, if any.
    pub default: Option<usize>,
    /// The minimum.
    pub least: usize,
    /// The maximum.
    pub most: usize,
}

impl Parameter for Count {
    name_help_and_when!();

    fn kind(&self) -> Kind {
        Kind::Count(self.least, self.most)
    }

    fn default(&self) -> Option<Value> {
        self.default.map(Value::Count)
    }
}

impl Typed for Count {
    type Of = usize;

    fn typed(&self, value: &Value) -> Option<usize> {
        if let Value::Count(count) = value { Some(*count) } else { None }
    }

    fn absent(&self) -> usize {
        self.default.unwrap_or(self.least)
    }
}

/// A parameter that is a decimal number.
#[derive(Debug, Clone, Copy)]
pub struct Number {
    /// Its name.
    pub name: &'static str,
    /// A one-line description.
    pub help: &'static str,
    /// When to change it.
    pub when: &'static str,
    /// Its default, if any.
    pub default: Option<f64>,
    /// The allowed numbers.
    pub range: Range,
}

impl Parameter for Number {
    name_help_and_when!();

    fn kind(&self) -> Kind {
        Kind::Number(self.range)
    }

    fn default(&self) -> Option<Value> {
        self.default.map(Value::Number)
    }
}

impl Typed for Number {
    type Of = f64;

    fn typed(&self, value: &Value) -> Option<f64> {
        if let Value::Number(number) = value { Some(*number) } else { None }
    }

    fn absent(&self) -> f64 {
        self.default.unwrap_or_default()
    }
}

/// A parameter that is one of several choices, by name; the first is the default.
#[derive(Debug, Clone, Copy)]
pub struct Choice<T: 'static> {
    /// Its name.
    pub name: &'static str,
    /// A one-line description.
    pub help: &'static str,
    /// When to change it.
    pub when: &'static str,
    /// The default.
    pub first: (&'static str, T),
    /// The other choices.
    pub others: &'static [(&'static str, T)],
}

impl<T: Copy + Sync> Parameter for Choice<T> {
    name_help_and_when!();

    fn kind(&self) -> Kind {
        let names = std::iter::once(&self.first).chain(self.others).map(|(name, _)| *name);
        Kind::Choice(names.collect())
    }

    fn default(&self) -> Option<Value> {
        Some(Value::Name(self.first.0))
    }
}

impl<T: Copy + Sync> Typed for Choice<T> {
    type Of = T;

    fn typed(&self, value: &Value) -> Option<T> {
        let mut all = std::iter::once(&self.first).chain(self.others);
        all.find(|(name, _)| *value == Value::Name(name)).map(|(_, part)| *part)
    }

    fn absent(&self) -> T {
        self.first.1
    }
}

/// A parameter that is a list of one or more decimal numbers, and the only one of its entry.
#[derive(Debug, Clone, Copy)]
pub struct Numbers {
    /// Its name.
    pub name: &'static str,
    /// The placeholder of each number in the usage of a text.
    pub each: &'static str,
    /// A one-line description.
    pub help: &'static str,
    /// When to change it.
    pub when: &'static str,
    /// The allowed numbers.
    pub range: Range,
}

impl Parameter for Numbers {
    name_help_and_when!();

    fn kind(&self) -> Kind {
        Kind::Numbers(self.range)
    }

    fn default(&self) -> Option<Value> {
        None
    }

    fn placeholder(&self) -> String {
        let each = self.each.to_uppercase();
        format!("{each},{each},...")
    }
}

impl Typed for Numbers {
    type Of = Vec<f64>;

    fn typed(&self, value: &Value) -> Option<Vec<f64>> {
        if let Value::Numbers(numbers) = value { Some(numbers.clone()) } else { None }
    }

    fn absent(&self) -> Vec<f64> {
        Vec::new()
    }
}

/// The parameters of a spec with their values, all within their ranges.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    pub(super) parameters: &'static [&'static dyn Parameter],
    pub(super) values: &'a [Value],
}

impl Values<'_> {
    /// The value of a parameter; its default if the entry does not list it.
    pub fn get<P: Typed>(&self, parameter: &P) -> P::Of {
        self.find(parameter).unwrap_or_else(|| parameter.absent())
    }

    /// The value of a parameter, if the entry lists it.
    pub fn find<P: Typed>(&self, parameter: &P) -> Option<P::Of> {
        let mut listed = self.parameters.iter().zip(self.values);
        let (_, value) = listed.find(|(listed, _)| listed.name() == parameter.name())?;
        parameter.typed(value)
    }
}
