//! The means of a study file: a text, or the rows of a table of means that change.

use schemars::{Schema, SchemaGenerator};
use serde::de::Error as _;
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
    Written::deserialize(from)?.into_text().map_err(D::Error::custom)
}

/// The same for a key that may be left out.
pub(super) fn optional<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    text(from).map(Some)
}

impl Written {
    fn into_text(self) -> Result<String, String> {
        match self {
            Self::Text(text) => Ok(text),
            Self::Rows(rows) if rows.is_empty() => {
                Err("`means` has no rows; give some, as in [[0, 0.3], [1000, 0.7]]".to_owned())
            }
            Self::Rows(rows) => {
                let rows = (1..).zip(&rows).map(|(place, row)| row_text(place, row));
                Ok(format!("rows:{}", rows.collect::<Result<Vec<String>, _>>()?.join(";")))
            }
        }
    }
}

/// The text of a row; `place` counts from 1.
fn row_text(place: usize, row: &[f64]) -> Result<String, String> {
    if row.len() < 2 {
        return Err(format!(
            "row {place} of `means` is too short; give the moment from which it holds, then one mean \
             per node"
        ));
    }
    if let Some(number) = row.iter().find(|number| !number.is_finite()) {
        return Err(format!("row {place} of `means` contains {number}; give finite numbers"));
    }
    let numbers: Vec<String> = row.iter().map(f64::to_string).collect();
    Ok(numbers.join(","))
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
