//! One operation: its parameters, body and answers, from the types of its handler.

use super::shape::say_no_null;
use super::{Refusal, Schemas};
use crate::http::route::Route;
use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// An operation under construction.
pub(in crate::http) struct Operation<'a> {
    schemas: &'a mut Schemas,
    parameters: Vec<Value>,
    body: Option<Value>,
    answers: BTreeMap<u16, Value>,
    refusals: BTreeMap<u16, Refusal>,
}

/// A part of a request that a handler reads.
pub(in crate::http) trait Reads {
    /// Adds it to the description.
    fn describe(operation: &mut Operation<'_>);
}

/// An answer of a handler.
pub(in crate::http) trait Answers {
    /// Adds it to the description.
    fn describe(operation: &mut Operation<'_>);
}

/// A handler: its arguments and its answer.
pub(in crate::http) trait Described<Arguments> {
    /// Adds it to the description.
    fn describe(operation: &mut Operation<'_>);
}

macro_rules! described {
    ($($argument:ident),*) => {
        impl<Handler, Answering, $($argument,)*> Described<($($argument,)*)> for Handler
        where
            Handler: Fn($($argument),*) -> Answering,
            Answering: Future<Output: Answers>,
            $($argument: Reads,)*
        {
            fn describe(operation: &mut Operation<'_>) {
                $($argument::describe(operation);)*
                Answering::Output::describe(operation);
            }
        }
    };
}
described!();
described!(A);
described!(A, B);
described!(A, B, C);
described!(A, B, C, D);

impl<S> Reads for State<S> {
    fn describe(_: &mut Operation<'_>) {}
}

impl<T: JsonSchema> Answers for Json<T> {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers_json::<T>(200, "Done.");
    }
}

impl<T: Answers> Answers for Result<T, crate::http::Problem> {
    fn describe(operation: &mut Operation<'_>) {
        T::describe(operation);
    }
}

impl<'a> Operation<'a> {
    pub(super) fn new(schemas: &'a mut Schemas) -> Self {
        Self {
            schemas,
            parameters: Vec::new(),
            body: None,
            answers: BTreeMap::new(),
            refusals: BTreeMap::new(),
        }
    }

    /// The path has a part that is a `T`.
    pub(in crate::http) fn path_holds<T: JsonSchema>(&mut self, name: &str, help: &str) {
        let schema = self.schemas.read::<T>();
        let parameter = json!({"name": name, "in": "path", "required": true,
            "description": help, "schema": schema});
        self.parameters.push(parameter);
    }

    /// A header may be given, with at most this many characters.
    pub(in crate::http) fn header_holds(&mut self, name: &str, longest: usize, help: &str) {
        let schema = json!({"type": "string", "minLength": 1, "maxLength": longest,
            "pattern": "^[!-~]([ -~]*[!-~])?$"});
        self.parameters.push(json!({"name": name, "in": "header", "required": false,
            "description": help, "schema": schema}));
    }

    /// The members of `T` are parameters of the query. A query has no null: a missing member is left out.
    pub(in crate::http) fn query_holds<T: JsonSchema>(&mut self) {
        let mut members = self.schemas.members::<T>();
        say_no_null(members.ensure_object());
        let mut members = members.to_value();
        let required = members["required"].as_array().cloned().unwrap_or_default();
        let Value::Object(properties) = members["properties"].take() else { return };
        for (name, mut schema) in properties {
            let description = schema.as_object_mut().and_then(|part| part.remove("description"));
            self.parameters.push(json!({"name": name, "in": "query", "description": description,
                "required": required.contains(&json!(name)), "schema": schema}));
        }
    }

    /// The body is JSON.
    pub(in crate::http) fn body_holds<T: JsonSchema>(&mut self) {
        let schema = self.schemas.read::<T>();
        self.body =
            Some(json!({"required": true, "content": {"application/json": {"schema": schema}}}));
    }

    /// The body may be any bytes.
    pub(in crate::http) fn body_is_raw(&mut self, help: &str) {
        let content =
            json!({"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}});
        self.body = Some(json!({"required": true, "description": help, "content": content}));
    }

    /// The answer may be JSON.
    pub(in crate::http) fn answers_json<T: JsonSchema>(&mut self, status: u16, help: &str) {
        let schema = self.schemas.answered::<T>();
        self.answers(status, help, &json!({"application/json": {"schema": schema}}));
    }

    /// The answer may be text of one of these types.
    pub(in crate::http) fn answers_text(&mut self, help: &str, types: &[&str]) {
        let text = json!({"schema": {"type": "string"}});
        let content = types.iter().map(|kind| ((*kind).to_owned(), text.clone()));
        self.answers(200, help, &Value::Object(content.collect()));
    }

    /// The answer may be a stream of events, each with a `T` as data.
    pub(in crate::http) fn answers_events<T: JsonSchema>(&mut self, help: &str) {
        const KIND: &str = "text/event-stream";
        let text = json!({"type": "string", "contentMediaType": KIND});
        let data = self.schemas.answered::<T>();
        self.answers(200, help, &json!({KIND: {"schema": text, "x-data": data}}));
    }

    /// The answer may be empty.
    pub(in crate::http) fn answers_nothing(&mut self, status: u16, help: &str) {
        self.answers.insert(status, json!({"description": help}));
    }

    fn answers(&mut self, status: u16, help: &str, content: &Value) {
        self.answers.insert(status, json!({"description": help, "content": content}));
    }

    /// An answer has a header.
    pub(in crate::http) fn with_header(&mut self, status: u16, name: &str) {
        if let Some(answer) = self.answers.get_mut(&status) {
            answer["headers"][name] = json!({"schema": {"type": "string"}});
        }
    }

    /// The request may be refused.
    pub(in crate::http) fn refuses(&mut self, refusal: Refusal) {
        self.refusals.insert(refusal.status().as_u16(), refusal);
    }

    pub(super) fn described(self, route: &Route) -> Value {
        let mut responses = Map::new();
        for (status, mut answer) in self.answers {
            for link in route.links {
                answer["links"][link.key] = link.reference();
            }
            responses.insert(status.to_string(), answer);
        }
        for (status, refusal) in self.refusals {
            responses.insert(status.to_string(), refusal.reference());
        }
        let mut operation = json!({"responses": responses});
        if !self.parameters.is_empty() {
            operation["parameters"] = self.parameters.into();
        }
        if let Some(body) = self.body {
            operation["requestBody"] = body;
        }
        operation
    }
}
