//! Links: the operation that may follow an answer, and the values of the answer it uses.

use serde_json::{Value, json};

/// A link from the answers of one operation to another.
pub(in crate::http) struct Link {
    /// Its name in the description.
    pub(in crate::http) name: &'static str,
    /// Its name in answers.
    pub(in crate::http) key: &'static str,
    /// The operation it leads to.
    pub(in crate::http) operation: &'static str,
    /// Its purpose.
    pub(in crate::http) help: &'static str,
    /// Where to find the name of the agent.
    pub(in crate::http) id: &'static str,
    /// Which number of the answer the report uses.
    pub(in crate::http) number: Option<Number>,
}

/// A number in an answer.
#[derive(Clone, Copy)]
pub(in crate::http) enum Number {
    /// The number of the order.
    Sequence,
    /// The number of the next report.
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
