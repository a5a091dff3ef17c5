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

/// Before the name of an agent that is still being imported. No client can create such a name, and it comes after
/// all others.
const IMPORTED: &str = "~import:";

/// The name of an agent while it is imported.
pub(crate) fn while_imported(name: &str) -> String {
    format!("{IMPORTED}{name}")
}

/// The name that an agent gets when its import is finished, if it is being imported.
pub(crate) fn name_once_imported(id: &str) -> Option<&str> {
    id.strip_prefix(IMPORTED)
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
