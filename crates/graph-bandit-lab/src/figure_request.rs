//! The figures a study asks for: `kind = "curves"`, a caption, the options of the kind, and the
//! cases.
//!
//! Each kind of figure is one [`FigureEntry`]; reading, writing and the schema work on all entries.

use crate::error::LabError;
use crate::report::figures::{BUILT_IN, Source};
use crate::study_file::{Case, StudyFile};
use graph_bandit_figures::Panel;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Error as _;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::fmt;
use std::sync::{PoisonError, RwLock};

/// A graph to draw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Drawing {
    /// Its title.
    pub title: String,
    /// The graph: `grid:10x10` or the path of a map, relative to this file.
    pub graph: String,
}

/// The type of an option's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionKind {
    /// A required text.
    Text,
    /// Several texts, always written.
    Texts,
    /// Several texts, written only if there are any.
    TextsIfAny,
    /// Graphs to draw.
    Drawings,
    /// One of these words, by default the first; written only if given.
    Choice(&'static [&'static str]),
}

/// An option of a kind of figure.
#[derive(Debug, Clone, Copy)]
pub struct FigureOption {
    /// Its name.
    pub name: &'static str,
    /// Its meaning, in one sentence.
    pub help: &'static str,
    /// The type of its value.
    pub kind: OptionKind,
}

/// What a figure is drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// The results of runs.
    Runs,
    /// Measured times, taken last.
    Times,
}

/// Whether the panels of a figure share a legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Legend {
    /// They share one.
    Common,
    /// There is no legend.
    None,
}

/// The panels of a figure.
#[derive(Debug, Clone)]
pub struct Plot {
    /// The panels, in order.
    pub panels: Vec<Panel>,
    /// Whether they share a legend.
    pub legend: Legend,
}

/// The definition of a kind of figure.
#[derive(Debug, Clone, Copy)]
pub struct FigureEntry {
    /// Its name: `kind` in a study.
    pub kind: &'static str,
    /// What it shows, in one sentence.
    pub summary: &'static str,
    /// Its options besides `caption` and `cases`.
    pub options: &'static [FigureOption],
    /// What it is drawn from.
    pub needs: Needs,
    /// Checks that a study has what the figure shows.
    pub check: fn(&FigureRequest, &StudyFile) -> Result<(), String>,
    /// Draws it; figures of measured times are drawn elsewhere.
    pub draw: fn(&FigureRequest, &Source<'_>) -> Result<Plot, LabError>,
}

static ADDED: RwLock<Vec<&'static FigureEntry>> = RwLock::new(Vec::new());

impl FigureEntry {
    /// All kinds; added ones come last.
    pub fn all() -> Vec<&'static Self> {
        let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
        BUILT_IN.iter().chain(added.iter()).copied().collect()
    }

    /// Adds a kind for the rest of the process: studies may ask for it from now on.
    ///
    /// # Errors
    /// When the name is taken.
    pub fn register(&'static self) -> Result<(), LabError> {
        let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
        if BUILT_IN.iter().chain(added.iter()).any(|other| other.kind == self.kind) {
            let reason = format!("there is a figure {:?} already; choose another name", self.kind);
            return Err(LabError::setting("figures", reason));
        }
        added.push(self);
        Ok(())
    }
}

/// A figure to draw. `cases` picks cases by title; default: all cases.
#[derive(Clone)]
pub struct FigureRequest {
    entry: &'static FigureEntry,
    /// The caption.
    pub caption: String,
    options: Vec<OptionValue>,
    /// The titles of the cases to show; empty means all.
    pub cases: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum OptionValue {
    Text(String),
    Texts(Vec<String>),
    Drawings(Vec<Drawing>),
    Choice(Option<String>),
}

impl FigureRequest {
    /// A figure from its fields in a study.
    ///
    /// # Errors
    /// When the kind or a field is unknown, or a field has a wrong value.
    pub fn of_fields(mut fields: Map<String, Value>) -> Result<Self, String> {
        let kind = take::<String>(&mut fields, "kind")?.ok_or("missing field `kind`")?;
        let all = FigureEntry::all();
        let entry = all.iter().find(|entry| entry.kind == kind).ok_or_else(|| {
            let known = all.iter().map(|entry| entry.kind);
            format!("unknown variant `{kind}`, expected one of {}", quoted(known))
        })?;
        let caption = take(&mut fields, "caption")?.unwrap_or_default();
        let cases = take(&mut fields, "cases")?.unwrap_or_default();
        let value = |option: &FigureOption| {
            let name = option.name;
            Ok(match option.kind {
                OptionKind::Text => OptionValue::Text(
                    take(&mut fields, name)?.ok_or_else(|| format!("missing field `{name}`"))?,
                ),
                OptionKind::Texts | OptionKind::TextsIfAny => {
                    OptionValue::Texts(take(&mut fields, name)?.unwrap_or_default())
                }
                OptionKind::Drawings => {
                    OptionValue::Drawings(take(&mut fields, name)?.unwrap_or_default())
                }
                OptionKind::Choice(words) => {
                    let chosen: Option<String> = take(&mut fields, name)?;
                    let odd = chosen.as_deref().filter(|chosen| !words.contains(chosen));
                    if let Some(odd) = odd {
                        let known = quoted(words.iter().copied());
                        return Err(format!(
                            "{name}: unknown value `{odd}`, expected one of {known}"
                        ));
                    }
                    OptionValue::Choice(chosen)
                }
            })
        };
        let options = entry.options.iter().map(value).collect::<Result<_, String>>()?;
        if let Some(odd) = fields.keys().next() {
            let own = entry.options.iter().map(|option| option.name);
            let known = ["caption"].into_iter().chain(own).chain(["cases"]);
            return Err(format!("unknown field `{odd}`, expected one of {}", quoted(known)));
        }
        Ok(Self { entry, caption, options, cases })
    }

    /// The kind of the figure.
    pub fn entry(&self) -> &'static FigureEntry {
        self.entry
    }

    /// The text of an option.
    pub fn text(&self, option: &FigureOption) -> &str {
        match self.value(option) {
            Some(OptionValue::Text(text)) => text,
            _ => "",
        }
    }

    /// The word of an option; the first one by default.
    pub fn choice(&self, option: &FigureOption) -> &str {
        match (self.value(option), option.kind) {
            (Some(OptionValue::Choice(Some(word))), _) => word,
            (_, OptionKind::Choice(words)) => words.first().copied().unwrap_or_default(),
            _ => "",
        }
    }

    /// The texts of an option.
    pub fn texts(&self, option: &FigureOption) -> &[String] {
        match self.value(option) {
            Some(OptionValue::Texts(texts)) => texts,
            _ => &[],
        }
    }

    /// The graphs to draw instead of those of the cases.
    pub fn drawings(&self) -> &[Drawing] {
        let drawings = self.options.iter().find_map(|value| match value {
            OptionValue::Drawings(drawings) => Some(drawings.as_slice()),
            _ => None,
        });
        drawings.unwrap_or_default()
    }

    /// The cases of a study that it shows.
    pub fn shown<'a>(&'a self, study: &'a StudyFile) -> impl Iterator<Item = &'a Case> {
        let is_shown = |title: &str| self.cases.is_empty() || self.cases.iter().any(|t| t == title);
        study.cases.iter().filter(move |case| is_shown(case.title()))
    }

    fn value(&self, option: &FigureOption) -> Option<&OptionValue> {
        let mut pairs = self.entry.options.iter().zip(&self.options);
        pairs.find(|(known, _)| known.name == option.name).map(|(_, value)| value)
    }
}

fn take<T: for<'de> Deserialize<'de>>(
    fields: &mut Map<String, Value>,
    name: &str,
) -> Result<Option<T>, String> {
    let value = fields.remove(name).map(serde_json::from_value).transpose();
    value.map_err(|error| format!("{name}: {error}"))
}

fn quoted<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

impl PartialEq for FigureRequest {
    fn eq(&self, other: &Self) -> bool {
        (self.entry.kind, &self.caption, &self.options, &self.cases)
            == (other.entry.kind, &other.caption, &other.options, &other.cases)
    }
}

impl fmt::Debug for FigureRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "figure {} {:?}", self.entry.kind, self.options)
    }
}

impl Serialize for FigureRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", self.entry.kind)?;
        map.serialize_entry("caption", &self.caption)?;
        for (option, value) in self.entry.options.iter().zip(&self.options) {
            let is_written = match option.kind {
                OptionKind::TextsIfAny => *value != OptionValue::Texts(Vec::new()),
                OptionKind::Choice(_) => *value != OptionValue::Choice(None),
                OptionKind::Text | OptionKind::Texts | OptionKind::Drawings => true,
            };
            if is_written {
                map.serialize_entry(option.name, value)?;
            }
        }
        map.serialize_entry("cases", &self.cases)?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for FigureRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::of_fields(Map::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl JsonSchema for FigureRequest {
    fn schema_name() -> Cow<'static, str> {
        "FigureRequest".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let drawing = generator.subschema_for::<Drawing>();
        let texts = json!({"type": "array", "items": {"type": "string"}});
        let of_entry = |entry: &&FigureEntry| {
            let mut properties = json!({
                "kind": {"type": "string", "const": entry.kind},
                "caption": {"description": "The caption.", "type": "string", "default": ""},
                "cases": texts,
            });
            properties["cases"]["description"] = "The cases to show.".into();
            properties["cases"]["default"] = json!([]);
            let mut required = vec!["kind"];
            for option in entry.options {
                let mut schema = match option.kind {
                    OptionKind::Text => json!({"type": "string"}),
                    OptionKind::Texts | OptionKind::TextsIfAny => texts.clone(),
                    OptionKind::Drawings => json!({"type": "array", "items": drawing}),
                    OptionKind::Choice(words) => json!({"type": "string", "enum": words}),
                };
                schema["description"] = option.help.into();
                match option.kind {
                    OptionKind::Text => required.push(option.name),
                    OptionKind::Texts | OptionKind::Drawings => schema["default"] = json!([]),
                    OptionKind::Choice(words) => schema["default"] = words.first().copied().into(),
                    OptionKind::TextsIfAny => {}
                }
                properties[option.name] = schema;
            }
            json!({
                "description": entry.summary,
                "type": "object",
                "properties": properties,
                "additionalProperties": false,
                "required": required,
            })
        };
        let kinds: Vec<Value> = FigureEntry::all().iter().map(of_entry).collect();
        schemars::json_schema!({
            "description": "A figure to draw. `cases` picks cases by title; default: all cases.",
            "oneOf": kinds,
        })
    }
}
