//! Ids in JSON: text or numbers.

use crate::spelling::whole_number;
use serde_json::{Value, json};

/// The id of a value; 3.0 is 3.
pub(super) fn id_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => {
            let text = number.to_string();
            Some(whole_number(&text).map_or(text.clone(), str::to_owned))
        }
        _ => None,
    }
}

/// The value to write for an id: a number if it reads back the same.
pub(super) fn value_of(id: &str) -> Value {
    match id.parse::<i64>() {
        Ok(number) if number.to_string() == id => json!(number),
        _ => json!(id),
    }
}
