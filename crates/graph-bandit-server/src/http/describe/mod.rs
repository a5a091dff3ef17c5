//! The OpenAPI 3.1 description of the service, made from the table of routes and the types of the handlers.
//! Nothing is written twice, so the description always matches the service.

mod link;
mod operation;
mod refusal;
mod shape;

pub(super) use link::{Link, Number};
pub(super) use operation::{Answers, Described, Operation, Reads};
pub(super) use refusal::Refusal;

use super::Scope;
use super::problem::Details;
use super::route::{Access, Route};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Where named types are described.
const DEFINITIONS: &str = "/components/schemas";

/// The schemas of all types met so far. Requests may leave out members with defaults; answers have all
/// members.
pub(super) struct Schemas {
    requests: SchemaGenerator,
    answers: SchemaGenerator,
}

impl Schemas {
    fn new() -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = DEFINITIONS.into();
            settings.meta_schema = None;
        });
        let settings = settings.with_transform(shape::bound).with_transform(shape::list_words);
        Self {
            requests: settings.clone().for_deserialize().into_generator(),
            answers: settings
                .for_serialize()
                .with_transform(shape::leave_out)
                .with_transform(shape::close)
                .into_generator(),
        }
    }

    /// The schema of a request.
    fn read<T: JsonSchema>(&mut self) -> Schema {
        finished(&mut self.requests, SchemaGenerator::subschema_for::<T>)
    }

    /// The members of a request, one by one.
    fn members<T: JsonSchema>(&mut self) -> Schema {
        finished(&mut self.requests, T::json_schema)
    }

    /// The schema of an answer.
    fn answered<T: JsonSchema>(&mut self) -> Schema {
        finished(&mut self.answers, SchemaGenerator::subschema_for::<T>)
    }

    /// All named types, by name.
    fn definitions(mut self) -> Map<String, Value> {
        let mut all = self.requests.take_definitions(true);
        all.extend(self.answers.take_definitions(true));
        all
    }
}

/// Applies the generator's transforms to a schema; the generator itself applies them to definitions only.
fn finished(
    generator: &mut SchemaGenerator,
    make: impl FnOnce(&mut SchemaGenerator) -> Schema,
) -> Schema {
    let mut schema = make(generator);
    for transform in generator.transforms_mut() {
        transform.transform(&mut schema);
    }
    schema
}

/// The description of these routes.
pub(super) fn document(routes: &[Route]) -> Value {
    let mut schemas = Schemas::new();
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for route in routes {
        let method = route.method.as_str().to_ascii_lowercase();
        let operation = operation(route, &mut schemas);
        paths.entry(route.path).or_default().insert(method, operation);
    }
    let problem = schemas.answered::<Details>();
    let refusals = Refusal::ALL.map(|refusal| (refusal.name(), refusal.response(&problem)));
    let links = routes.iter().flat_map(|route| route.links);
    let links: BTreeMap<&str, Value> = links.map(|link| (link.name, link.described())).collect();
    let scopes = [Scope::Read, Scope::Decide, Scope::Admin].map(|scope| scope.to_string());
    json!({
        "openapi": "3.1.1",
        "info": {
            "title": "gbandit serve",
            "version": "1",
            "description": format!(
                "Robots ask where to go and report their rewards; every acknowledged report is durable. \
                 If the service has tokens, each operation requires the scope in x-scope or a higher \
                 one: {}.",
                scopes.join(", "),
            ),
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": schemas.definitions(),
            "responses": Map::from_iter(refusals.map(|(name, said)| (name.to_owned(), said))),
            "links": links,
        },
    })
}

fn operation(route: &Route, schemas: &mut Schemas) -> Value {
    let mut operation = Operation::new(schemas);
    (route.describe)(&mut operation);
    for refusal in Refusal::of_access(route.access).iter().chain(route.refusals) {
        operation.refuses(*refusal);
    }
    let mut described = operation.described(route);
    described["operationId"] = route.name.into();
    described["summary"] = route.summary.into();
    described["x-scope"] = route.access.to_string().into();
    if route.access == Access::Open {
        described["security"] = json!([]);
    }
    described
}

#[cfg(test)]
mod tests;
