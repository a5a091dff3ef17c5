//! What to do next with an answer: the operation, and what of the answer goes along.

use serde_json::{Value, json};

/// A link from the answers of one operation to another.
pub(in crate::http) struct Link {
    /// What the description calls it.
    pub(in crate::http) name: &'static str,
    /// What answers call it.
    pub(in crate::http) key: &'static str,
    /// The operation it leads to.
    pub(in crate::http) operation: &'static str,
    /// What that is for.
    pub(in crate::http) help: &'static str,
    /// Where the name of the agent is found.
    pub(in crate::http) id: &'static str,
    /// Which number of the answer the report bears.
    pub(in crate::http) number: Option<Number>,
}

/// A number in an answer.
#[derive(Clone, Copy)]
pub(in crate::http) enum Number {
    /// That of the order.
    Sequence,
    /// That of the next report.
    NextSequence,
}

impl Link {
    pub(super) fn reference(&self) -> Value {
        json!({"$ref": format!("#/components/links/{}", self.name)})
    }

    pub(super) fn described(&self) -> Value {
        let mut link = json!({"operationId": self.operation, "description": self.help,
            "parameters": {"id": self.id}});
        if let Some(number) = self.number {
            let number = match number {
                Number::Sequence => "$response.body#/sequence",
                Number::NextSequence => "$response.body#/next_sequence",
            };
            link["requestBody"] = json!({"sequence": number});
        }
        link
    }
}
