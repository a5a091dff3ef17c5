//! The means of a study file: a text, or the rows of a table of means that change.

use schemars::{Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};

/// As it may be written.
#[derive(Deserialize)]
#[serde(untagged, expecting = "`means` must be a text, or rows such as [[0, 0.3], [1000, 0.7]]")]
enum Written {
    Text(String),
    Rows(Vec<Vec<f64>>),
}

/// The text that stands for either.
pub(super) fn text<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(Written::deserialize(from)?.into_text())
}

/// The same for a key that may be left out.
pub(super) fn optional<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    text(from).map(Some)
}

impl Written {
    fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Rows(rows) => {
                let row = |row: Vec<f64>| {
                    let numbers: Vec<String> = row.iter().map(f64::to_string).collect();
                    numbers.join(",")
                };
                let rows: Vec<String> = rows.into_iter().map(row).collect();
                format!("rows:{}", rows.join(";"))
            }
        }
    }
}

/// Either form, for the schema of study files.
pub(super) fn schema(_: &mut SchemaGenerator) -> Schema {
    let row = schemars::json_schema!({
        "type": "array", "items": {"type": "number"}, "minItems": 2
    });
    schemars::json_schema!({
        "anyOf": [{"type": "string"}, {"type": "array", "items": row, "minItems": 1}]
    })
}
