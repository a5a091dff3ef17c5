//! Why a text or JSON is not a valid spec.

use crate::graph::{FamilyError, NodeId};
use crate::nearest_name;
use crate::reward::LawError;
use crate::timetable::TimetableError;
use thiserror::Error;

/// What is wrong with a spec, and what to write instead.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// There is no entry of this name.
    #[error(
        "there is no {kind} {name:?}; {}",
        suggesting(name, names(known), &format!("there are {}", listed(known)))
    )]
    Unknown {
        /// The kind: an agent, a graph family, a noise, a kind of means.
        kind: &'static str,
        /// The name given.
        name: String,
        /// All entries, as they are written.
        known: Vec<String>,
    },
    /// The JSON is not an object with a name.
    #[error(
        "this is not {} {kind}; write an object like {{\"{tag}\": \"{example}\"}}",
        article(kind)
    )]
    NotAnObject {
        /// The kind.
        kind: &'static str,
        /// The field that holds the name.
        tag: &'static str,
        /// An existing name.
        example: &'static str,
    },
    /// A text has more or fewer parameters than the entry takes.
    #[error("{text:?} has {given} parameter{}; write {usage}, as in {example}", if *given == 1 { "" } else { "s" })]
    WrongParameterCount {
        /// The whole text.
        text: String,
        /// The number of parameters it has.
        given: usize,
        /// The form of a valid text.
        usage: String,
        /// A valid text.
        example: &'static str,
    },
    /// The entry does not have this parameter.
    #[error("{}", no_such_parameter(name, parameter, known))]
    UnknownParameter {
        /// The name of the entry.
        name: &'static str,
        /// The parameter as written.
        parameter: String,
        /// The parameters it has.
        known: Vec<&'static str>,
    },
    /// A required parameter is missing.
    #[error("{name} needs {parameter}; give {need}")]
    Missing {
        /// The name of the entry.
        name: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// What a value must be.
        need: String,
    },
    /// The value of a parameter is invalid.
    #[error("{spec}: {parameter} is {value}; it must be {need}")]
    WrongValue {
        /// The whole text, or the name of the entry if parameters are named.
        spec: String,
        /// The parameter.
        parameter: &'static str,
        /// The value as written.
        value: String,
        /// What a value must be.
        need: String,
    },
    /// The family cannot build this graph.
    #[error("{text}: {reason}")]
    Family {
        /// The spec as text.
        text: String,
        /// The family's error.
        reason: FamilyError,
    },
    /// Your own entry refused the values.
    #[error("{text}: {reason}")]
    Refused {
        /// The spec as text.
        text: String,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// The range of means is empty.
    #[error("no mean lies between {low:?} and {high:?}; give the lower end first")]
    EmptyRange {
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// There is not one mean per node.
    #[error("{given} means for {nodes} nodes; give exactly one per node")]
    WrongNumberOfMeans {
        /// The number of means given.
        given: usize,
        /// The number of nodes.
        nodes: usize,
    },
    /// The means over time are invalid.
    #[error(transparent)]
    Timetable(#[from] TimetableError),
    /// The noise does not allow this mean.
    #[error(
        "{} has mean {mean:?}, but {noise} rewards need means {need}; change the means or the noise",
        named_node(*node)
    )]
    Mean {
        /// The node, if known.
        node: Option<NodeId>,
        /// Its mean.
        mean: f64,
        /// The name of the noise.
        noise: &'static str,
        /// The means that the noise allows.
        need: String,
    },
    /// Mean and noise are valid, but not together: one is lost in the rounding of the other.
    #[error("{} cannot have mean {mean:?} with this noise: {source}", named_node(*node))]
    Law {
        /// The node, if known.
        node: Option<NodeId>,
        /// Its mean.
        mean: f64,
        /// What is wrong with the law.
        source: LawError,
    },
    /// The entry cannot be added.
    #[error("{kind} {name:?} cannot be added: {reason}")]
    NotAdded {
        /// The kind.
        kind: &'static str,
        /// Its name.
        name: &'static str,
        /// Why.
        reason: String,
    },
}

fn no_such_parameter(name: &str, parameter: &str, known: &[&'static str]) -> String {
    if known.is_empty() {
        return format!("{name} has no parameters, so leave out {parameter:?}; write {name}");
    }
    let given = parameter.split('=').next().unwrap_or_default();
    let rest = format!("write {name}:NAME=VALUE, the names are {}", known.join(", "));
    let remedy = suggesting(given, known.iter().copied(), &rest);
    format!("{name} has no parameter {parameter:?}; {remedy}")
}

/// The names in usages such as `grid:ROWSxCOLUMNS`.
fn names(usages: &[String]) -> impl Iterator<Item = &str> {
    usages.iter().filter_map(|usage| usage.split(':').next())
}

/// The rest of a message about an unknown name, after a question for the name that was probably
/// meant, if any is near.
pub(super) fn suggesting<'a>(
    given: &str,
    known: impl IntoIterator<Item = &'a str>,
    rest: &str,
) -> String {
    // A known name in the wrong form is not a slip of the pen.
    let near = nearest_name(given, known).filter(|&near| near != given);
    let Some(near) = near else { return rest.to_owned() };
    let (first, more) = rest.split_at(1);
    format!("did you mean {near}? {}{more}", first.to_ascii_uppercase())
}

/// Joined by semicolons, because usages contain commas.
fn listed(known: &[String]) -> String {
    let has_commas = known.iter().any(|usage| usage.contains(','));
    known.join(if has_commas { "; " } else { ", " })
}

fn named_node(node: Option<NodeId>) -> String {
    node.map_or_else(|| "a node".into(), |node| format!("node {node}"))
}

fn article(kind: &str) -> &'static str {
    if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

#[cfg(test)]
mod tests {
    use crate::{AgentSpec, GraphSpec};

    #[test]
    fn what_is_not_an_object_is_named_with_its_article() {
        let agent = serde_json::from_str::<AgentSpec>("{}").unwrap_err().to_string();
        assert!(agent.starts_with("this is not an agent; write an object like {"), "{agent}");
        let graph = serde_json::from_str::<GraphSpec>("{}").unwrap_err().to_string();
        assert!(graph.starts_with("this is not a graph family; write"), "{graph}");
    }
}
