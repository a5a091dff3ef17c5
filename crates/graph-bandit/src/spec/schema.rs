//! Specs as JSON Schema: one form per entry, with the ranges, defaults and help of its parameters.

use super::{Entry, Parameter, Spec};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value as Json, json};
use std::borrow::Cow;

impl<E: Entry> JsonSchema for Spec<E> {
    /// `AgentSpec`, `FamilySpec`.
    fn schema_name() -> Cow<'static, str> {
        let (first, rest) = E::TAG.split_at(1);
        format!("{}{rest}Spec", first.to_uppercase()).into()
    }

    fn schema_id() -> Cow<'static, str> {
        std::any::type_name::<Self>().into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        let entries = Self::entries();
        let forms: Vec<Json> = entries.iter().map(|entry| form(*entry)).collect();
        let example = entries.first().and_then(|entry| entry.example().parse::<Self>().ok());
        json_schema!({
            "description": format!("One {} and its parameters.", E::KIND),
            "type": "object",
            "oneOf": forms,
            "examples": example.into_iter().collect::<Vec<_>>(),
        })
    }
}

/// The JSON form of one entry.
fn form<E: Entry>(entry: &E) -> Json {
    let mut properties = Map::new();
    properties.insert(E::TAG.to_owned(), json!({"const": entry.name()}));
    let mut required = vec![E::TAG];
    for parameter in entry.parameters() {
        properties.insert(parameter.name().to_owned(), described(*parameter));
        if parameter.default().is_none() {
            required.push(parameter.name());
        }
    }
    json!({
        "description": entry.summary(),
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn described(parameter: &dyn Parameter) -> Json {
    let mut schema = parameter.kind().schema();
    schema["description"] = parameter.help().into();
    if let Some(default) = parameter.default() {
        schema["default"] = json!(default);
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AgentSpec, GraphSpec};

    #[test]
    fn every_entry_is_a_form_with_its_ranges() {
        let mut generator = SchemaGenerator::default();
        assert_eq!(AgentSpec::schema_name(), "AgentSpec");
        let agents = json!(AgentSpec::json_schema(&mut generator));
        assert_eq!(agents["oneOf"].as_array().unwrap().len(), AgentSpec::names().len());
        let first = &agents["oneOf"][0];
        assert_eq!(first["properties"]["agent"], json!({"const": "g-ucb"}));
        assert_eq!(first["properties"]["bonus"]["minimum"], 0.0);
        assert_eq!(first["properties"]["bonus"]["default"], 1.0);
        assert_eq!(first["required"], json!(["agent"]));
        assert_eq!(GraphSpec::schema_name(), "FamilySpec");
        let families = json!(GraphSpec::json_schema(&mut generator));
        let forms = families["oneOf"].as_array().unwrap();
        let grid = forms.iter().find(|form| form["properties"]["family"]["const"] == "grid");
        assert_eq!(grid.unwrap()["required"], json!(["family", "rows", "columns"]));
    }
}
