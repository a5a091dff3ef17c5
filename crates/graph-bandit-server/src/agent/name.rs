//! Names of agents.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

/// The longest name of an agent.
pub const LONGEST_NAME: usize = 64;

/// Whether a text is a valid name of an agent.
pub fn is_name(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=LONGEST_NAME).contains(&text.len()) && text.bytes().all(fits)
}

/// The schema of a text that [`is_name`].
pub(crate) struct Name;

impl JsonSchema for Name {
    fn schema_name() -> Cow<'static, str> {
        "Id".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The name of an agent.",
            "type": "string",
            "pattern": format!("^[A-Za-z0-9_-]{{1,{LONGEST_NAME}}}$"),
        })
    }
}
