use super::{Refusal, document};
use crate::http::kind;
use crate::http::routes::routes;
use serde_json::Value;
use std::collections::BTreeSet;

fn described() -> Value {
    document(&routes())
}

/// Every reference leads somewhere.
#[test]
fn references_resolve() {
    fn check(document: &Value, part: &Value) {
        if let Some(reference) = part.get("$ref").and_then(Value::as_str) {
            let target = document.pointer(reference.strip_prefix('#').unwrap());
            assert!(target.is_some(), "{reference}");
        }
        match part {
            Value::Object(map) => map.values().for_each(|part| check(document, part)),
            Value::Array(list) => list.iter().for_each(|part| check(document, part)),
            _ => {}
        }
    }
    let document = described();
    check(&document, &document);
}

/// Names are unique, links lead to operations, and the variable parts of paths are described.
#[test]
fn operations_are_complete() {
    let document = described();
    let mut names = BTreeSet::new();
    for route in routes() {
        assert!(!route.summary.is_empty() && names.insert(route.name), "{}", route.path);
        let operation = &document["paths"][route.path][route.method.as_str().to_lowercase()];
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let in_path = parameters.iter().filter(|parameter| parameter["in"] == "path");
        let told: BTreeSet<&str> =
            in_path.map(|parameter| parameter["name"].as_str().unwrap()).collect();
        let parts = route.path.split('/');
        let variable = parts.filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        assert_eq!(told, variable.collect(), "{}", route.path);
    }
    for route in routes() {
        assert!(route.links.iter().all(|link| names.contains(link.operation)), "{}", route.path);
    }
}

/// A type that is both read and answered has one schema, so that it can have one name.
#[test]
fn a_name_means_one_type() {
    let mut schemas = super::Schemas::new();
    for route in routes() {
        super::operation(&route, &mut schemas);
    }
    let requests = schemas.requests.take_definitions(true);
    let answers = schemas.answers.take_definitions(true);
    let both: Vec<&String> = requests.keys().filter(|name| answers.contains_key(*name)).collect();
    assert!(!both.is_empty());
    for name in both {
        assert_eq!(requests[name], answers[name], "{name}");
    }
}

/// Every kind of problem is described, under its status. A method that a path does not have is not an
/// operation.
#[test]
fn all_problems_are_described() {
    let mut described = BTreeSet::new();
    for refusal in Refusal::ALL {
        assert!(refusal.kinds().iter().all(|kind| kind.status == refusal.status()), "{refusal:?}");
        described.extend(refusal.kinds().iter().map(|kind| kind.urn()));
    }
    let operations = kind::ALL.iter().filter(|kind| **kind != kind::METHOD);
    assert_eq!(described, operations.map(|kind| kind.urn()).collect());
}
