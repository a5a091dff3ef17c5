//! Rules that hold for all schemas.

use schemars::Schema;
use schemars::transform::transform_subschemas;
use serde_json::{Map, Value};

/// Keywords whose schemas describe the same object as the schema that has them.
const TOGETHER: [&str; 3] = ["oneOf", "anyOf", "allOf"];

/// Gives whole numbers the maximum of their type as a number, which every reader of schemas knows, instead
/// of a type name. Puts each description on one line.
pub(super) fn bound(schema: &mut Schema) {
    let largest = match schema.get("format").and_then(Value::as_str) {
        Some("uint8") => Some(u64::from(u8::MAX)),
        Some("uint16") => Some(u64::from(u16::MAX)),
        Some("uint32") => Some(u64::from(u32::MAX)),
        Some("uint" | "uint64") => Some(u64::MAX),
        _ => None,
    };
    if let Some(largest) = largest {
        schema.remove("format");
        let object = schema.ensure_object();
        object.entry("maximum").or_insert(largest.into());
    }
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.replace('\n', " ");
    }
    transform_subschemas(&mut bound, schema);
}

/// Turns constants with descriptions into one list of words, with the sentences in its description. Client
/// generators make an enum of a list, but not of alternatives with one constant each.
pub(super) fn list_words(schema: &mut Schema) {
    transform_subschemas(&mut list_words, schema);
    let Some(forms) = schema.get("oneOf").and_then(Value::as_array) else { return };
    let word = |form: &Value| Some((form.get("const")?.as_str()?.to_owned(), form.clone()));
    let Some(words) = forms.iter().map(word).collect::<Option<Vec<(String, Value)>>>() else {
        return;
    };
    let mut text = schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    for (word, form) in &words {
        if let Some(sentence) = form["description"].as_str() {
            let space = if text.is_empty() { "" } else { " " };
            text = format!("{text}{space}`{word}`: {}", sentence.replace('\n', " "));
        }
    }
    schema.remove("oneOf");
    schema.insert("type".to_owned(), "string".into());
    let words: Vec<String> = words.into_iter().map(|(word, _)| word).collect();
    schema.insert("enum".to_owned(), words.into());
    if !text.is_empty() {
        schema.insert("description".to_owned(), text.into());
    }
}

/// Optional members of an answer are left out, never null.
pub(super) fn leave_out(schema: &mut Schema) {
    if let Some(object) = schema.as_object_mut() {
        say_no_null(object);
    }
    transform_subschemas(&mut leave_out, schema);
}

/// An answer has only the described members.
pub(super) fn close(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    let is_open = object.contains_key("properties")
        && !object.contains_key("additionalProperties")
        && !object.contains_key("unevaluatedProperties");
    if is_open && TOGETHER.iter().any(|keyword| object.contains_key(*keyword)) {
        object.insert("unevaluatedProperties".to_owned(), false.into());
        // Each form stands beside the members of the others, so it is not closed itself.
        let forms = TOGETHER.map(|keyword| (keyword, object.remove(keyword)));
        transform_subschemas(&mut close, schema);
        for (keyword, form) in forms {
            if let Some(form) = form {
                schema.insert(keyword.to_owned(), form);
            }
        }
        return;
    }
    if is_open {
        object.insert("additionalProperties".to_owned(), false.into());
    }
    transform_subschemas(&mut close, schema);
}

/// Applies the same rule to the members of one object.
pub(super) fn say_no_null(object: &mut Map<String, Value>) {
    let required = object.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = object.get_mut("properties") else { return };
    for (name, property) in properties {
        if !required.iter().any(|other| other == name) {
            no_null(property);
        }
    }
}

/// The same schema without null.
fn no_null(property: &mut Value) {
    let Value::Object(object) = property else { return };
    if object.get("default") == Some(&Value::Null) {
        object.remove("default");
    }
    if let Some(Value::Array(names)) = object.get_mut("enum") {
        names.retain(|name| !name.is_null());
    }
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = &mut types[..] {
            let only = only.take();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(mut forms)) = object.remove("anyOf") {
        forms.retain(|form| form["type"] != "null");
        match <[Value; 1]>::try_from(forms) {
            Ok([Value::Object(only)]) => object.extend(only),
            Ok([other]) => drop(object.insert("anyOf".to_owned(), vec![other].into())),
            Err(forms) => drop(object.insert("anyOf".to_owned(), forms.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemars::json_schema;
    use serde_json::json;

    #[test]
    fn numbers_have_limits() {
        let mut schema = json_schema!({"type": "object", "properties": {
            "node": {"type": "integer", "format": "uint32", "minimum": 0},
            "few": {"type": "integer", "format": "uint64", "maximum": 5},
            "reward": {"type": "number", "format": "double"},
        }});
        bound(&mut schema);
        assert_eq!(
            schema.to_value()["properties"],
            json!({
                "node": {"type": "integer", "minimum": 0, "maximum": u32::MAX},
                "few": {"type": "integer", "maximum": 5},
                "reward": {"type": "number", "format": "double"},
            })
        );
    }

    #[test]
    fn constants_become_one_list() {
        let mut schema = json_schema!({"description": "How.", "oneOf": [
            {"const": "walk", "type": "string", "description": "On\nfoot."},
            {"const": "drive", "type": "string"},
        ]});
        list_words(&mut schema);
        let listed = json!({
            "description": "How. `walk`: On foot.", "type": "string", "enum": ["walk", "drive"],
        });
        assert_eq!(schema.to_value(), listed);
        let forms = json_schema!({"oneOf": [{"const": 1}, {"const": "one"}]});
        let mut same = forms.clone();
        list_words(&mut same);
        assert_eq!(same, forms);
    }

    #[test]
    fn answers_have_only_described_members_and_no_null() {
        let mut schema = json_schema!({
            "properties": {
                "there": {"type": ["string", "null"]},
                "maybe": {"type": ["string", "null"], "default": null},
                "other": {"anyOf": [{"$ref": "#/x"}, {"type": "null"}], "description": "Other."},
            },
            "required": ["there"],
        });
        leave_out(&mut schema);
        close(&mut schema);
        assert_eq!(
            schema.to_value(),
            json!({
                "properties": {
                    "there": {"type": ["string", "null"]},
                    "maybe": {"type": "string"},
                    "other": {"$ref": "#/x", "description": "Other."},
                },
                "required": ["there"],
                "additionalProperties": false,
            })
        );
        let mut forms = json_schema!({
            "properties": {"receipt": {"properties": {"at": true}, "required": ["at"]}},
            "required": ["receipt"],
            "oneOf": [{"properties": {"kind": {"const": "told"}}, "required": ["kind"]}],
        });
        close(&mut forms);
        let forms = forms.to_value();
        assert_eq!(forms["unevaluatedProperties"], false);
        assert_eq!(forms["properties"]["receipt"]["additionalProperties"], false);
        assert_eq!(forms["oneOf"][0].get("additionalProperties"), None);
    }
}
