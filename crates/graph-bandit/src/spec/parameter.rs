//! The parameters of an entry: each is one constant that holds its name, help, range and default, and
//! through which the entry reads it.

use super::Range;
use crate::digits::Digits;
use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};
use std::fmt;

/// What a parameter is set to.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A whole number.
    Count(usize),
    /// A decimal number.
    Number(f64),
    /// One of the names that there are.
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

/// With as few digits as will read back the same, as in `grid:10x10` and `uniform:0.5`.
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

/// A parameter, whatever the kind of its values.
pub trait Parameter: Sync {
    /// Its name in texts and JSON.
    fn name(&self) -> &'static str;

    /// What it is, in one line.
    fn help(&self) -> &'static str;

    /// Its value where none is given; a parameter without one must be given.
    fn default(&self) -> Option<Value>;

    /// The value that a text means, if it is one that the parameter may have.
    fn of_text(&self, text: &str) -> Option<Value>;

    /// The value that JSON means, if it is one that the parameter may have.
    fn of_json(&self, json: &Json) -> Option<Value>;

    /// What a value must be, as the end of a sentence: `a number from 0 to 1`.
    fn need(&self) -> String;

    /// What a value must be, as JSON Schema.
    fn schema(&self) -> Json;

    /// How the parameter stands in the usage of a text, such as `NODES`.
    fn placeholder(&self) -> String {
        self.name().to_uppercase().replace('-', "_")
    }

    /// Whether it takes all values that are left in a text.
    fn takes_all(&self) -> bool {
        false
    }
}

impl fmt::Debug for dyn Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A parameter whose values have one type.
pub trait Typed: Parameter {
    /// That type.
    type Of;

    /// What a value is, if it is of the type.
    fn typed(&self, value: &Value) -> Option<Self::Of>;

    /// What the parameter is where an entry does not list it.
    fn absent(&self) -> Self::Of;
}

/// A parameter that is a whole number.
#[derive(Debug, Clone, Copy)]
pub struct Count {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub help: &'static str,
    /// Its value where none is given.
    pub default: Option<usize>,
    /// The least it may be.
    pub least: usize,
    /// The most it may be.
    pub most: usize,
}

impl Count {
    fn checked(&self, count: usize) -> Option<Value> {
        (self.least..=self.most).contains(&count).then_some(Value::Count(count))
    }
}

impl Parameter for Count {
    fn name(&self) -> &'static str {
        self.name
    }

    fn help(&self) -> &'static str {
        self.help
    }

    fn default(&self) -> Option<Value> {
        self.default.map(Value::Count)
    }

    fn of_text(&self, text: &str) -> Option<Value> {
        self.checked(text.parse().ok()?)
    }

    fn of_json(&self, json: &Json) -> Option<Value> {
        // 3.0 is a whole number in JSON.
        let whole = |x: f64| (x.fract() == 0.0 && (0.0..9e15).contains(&x)).then_some(x as u64);
        let count = json.as_u64().or_else(|| whole(json.as_f64()?))?;
        self.checked(usize::try_from(count).ok()?)
    }

    fn need(&self) -> String {
        format!("a whole number from {} to {}", self.least, self.most)
    }

    fn schema(&self) -> Json {
        json!({"type": "integer", "minimum": self.least, "maximum": self.most})
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
    /// What it is.
    pub help: &'static str,
    /// Its value where none is given.
    pub default: Option<f64>,
    /// The numbers it may be.
    pub range: Range,
}

impl Parameter for Number {
    fn name(&self) -> &'static str {
        self.name
    }

    fn help(&self) -> &'static str {
        self.help
    }

    fn default(&self) -> Option<Value> {
        self.default.map(Value::Number)
    }

    fn of_text(&self, text: &str) -> Option<Value> {
        text.parse().ok().filter(|number| self.range.contains(*number)).map(Value::Number)
    }

    fn of_json(&self, json: &Json) -> Option<Value> {
        json.as_f64().filter(|number| self.range.contains(*number)).map(Value::Number)
    }

    fn need(&self) -> String {
        format!("a number {}", self.range)
    }

    fn schema(&self) -> Json {
        let mut schema = json!({"type": "number"});
        schema.as_object_mut().into_iter().for_each(|schema| self.range.schema(schema));
        schema
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

/// A parameter that is one of several parts, by name; the first is the default.
#[derive(Debug, Clone, Copy)]
pub struct Choice<T: 'static> {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub help: &'static str,
    /// The default.
    pub first: (&'static str, T),
    /// The others.
    pub others: &'static [(&'static str, T)],
}

impl<T> Choice<T> {
    fn all(&self) -> impl Iterator<Item = &(&'static str, T)> {
        std::iter::once(&self.first).chain(self.others)
    }

    fn names(&self) -> Vec<&'static str> {
        self.all().map(|(name, _)| *name).collect()
    }
}

impl<T: Copy + Sync> Parameter for Choice<T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn help(&self) -> &'static str {
        self.help
    }

    fn default(&self) -> Option<Value> {
        Some(Value::Name(self.first.0))
    }

    fn of_text(&self, text: &str) -> Option<Value> {
        self.names().into_iter().find(|name| *name == text).map(Value::Name)
    }

    fn of_json(&self, json: &Json) -> Option<Value> {
        self.of_text(json.as_str()?)
    }

    fn need(&self) -> String {
        format!("one of {}", self.names().join(", "))
    }

    fn schema(&self) -> Json {
        json!({"enum": self.names()})
    }
}

impl<T: Copy + Sync> Typed for Choice<T> {
    type Of = T;

    fn typed(&self, value: &Value) -> Option<T> {
        let Value::Name(given) = value else { return None };
        self.all().find(|(name, _)| name == given).map(|(_, part)| *part)
    }

    fn absent(&self) -> T {
        self.first.1
    }
}

/// A parameter that is several decimal numbers, at least one. In texts it comes last.
#[derive(Debug, Clone, Copy)]
pub struct Numbers {
    /// Its name.
    pub name: &'static str,
    /// What each of them is called in the usage of a text.
    pub each: &'static str,
    /// What they are.
    pub help: &'static str,
    /// The numbers each may be.
    pub range: Range,
}

impl Numbers {
    fn checked(&self, numbers: Option<Vec<f64>>) -> Option<Value> {
        let in_range = |numbers: &Vec<f64>| numbers.iter().all(|n| self.range.contains(*n));
        numbers.filter(|numbers| !numbers.is_empty() && in_range(numbers)).map(Value::Numbers)
    }
}

impl Parameter for Numbers {
    fn name(&self) -> &'static str {
        self.name
    }

    fn help(&self) -> &'static str {
        self.help
    }

    fn default(&self) -> Option<Value> {
        None
    }

    fn of_text(&self, text: &str) -> Option<Value> {
        self.checked(text.split(',').map(|number| number.trim().parse().ok()).collect())
    }

    fn of_json(&self, json: &Json) -> Option<Value> {
        self.checked(json.as_array()?.iter().map(Json::as_f64).collect())
    }

    fn need(&self) -> String {
        format!("one or more numbers, each {}", self.range)
    }

    fn schema(&self) -> Json {
        let mut each = json!({"type": "number"});
        each.as_object_mut().into_iter().for_each(|each| self.range.schema(each));
        json!({"type": "array", "minItems": 1, "items": each})
    }

    fn placeholder(&self) -> String {
        let each = self.each.to_uppercase();
        format!("{each},{each},...")
    }

    fn takes_all(&self) -> bool {
        true
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

/// The parameters of a spec with their values, all of them within their ranges.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    pub(super) parameters: &'static [&'static dyn Parameter],
    pub(super) values: &'a [Value],
}

impl Values<'_> {
    /// The value of a parameter; its default where the entry does not list it.
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
