//! Why a text or JSON is not a spec, or a spec cannot have what was asked of it.

use crate::graph::{FamilyError, NodeId};
use crate::reward::LawError;
use thiserror::Error;

/// What is wrong with a spec, and what to write instead.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// Nothing of that name exists.
    #[error("there is no {kind} {name:?}; there are {}", listed(known))]
    Unknown {
        /// What was to be named: an agent, a graph family, a noise, a kind of means.
        kind: &'static str,
        /// The name given.
        name: String,
        /// What there is, as it is written.
        known: Vec<String>,
    },
    /// JSON that is not an object with a name in it.
    #[error("this is not a {kind}; write an object like {{\"{tag}\": \"{example}\"}}")]
    NotAnObject {
        /// What was to be read.
        kind: &'static str,
        /// The field that holds the name.
        tag: &'static str,
        /// A name that there is.
        example: &'static str,
    },
    /// A text has more or fewer parameters than the entry takes.
    #[error("{text:?} has {given} parameter{}; write {usage}, as in {example}", if *given == 1 { "" } else { "s" })]
    WrongParameterCount {
        /// The whole text.
        text: String,
        /// How many parameters it has.
        given: usize,
        /// How a text is written.
        usage: String,
        /// A text that is right.
        example: &'static str,
    },
    /// The entry has no such parameter.
    #[error("{name} has no parameter {parameter:?}; write {name}:NAME=VALUE, the names are {}",
        if known.is_empty() { "none".to_owned() } else { known.join(", ") })]
    UnknownParameter {
        /// The name of the entry.
        name: &'static str,
        /// The parameter as written.
        parameter: String,
        /// The parameters it has.
        known: Vec<&'static str>,
    },
    /// A parameter must be given and is not.
    #[error("{name} needs {parameter}; give {need}")]
    Missing {
        /// The name of the entry.
        name: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// What would be right.
        need: String,
    },
    /// A value that the parameter cannot have.
    #[error("{spec}: {parameter} is {value}; it must be {need}")]
    WrongValue {
        /// The whole text, or the name of the entry where parameters are named.
        spec: String,
        /// The parameter.
        parameter: &'static str,
        /// The value as written.
        value: String,
        /// What would be right.
        need: String,
    },
    /// The family has no such graph.
    #[error("{text}: {reason}")]
    Family {
        /// The spec as text.
        text: String,
        /// What the family says.
        reason: FamilyError,
    },
    /// What an entry of your own refuses.
    #[error("{text}: {reason}")]
    Refused {
        /// The spec as text.
        text: String,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// The means were to lie in an empty range.
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
        /// How many means were given.
        given: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// A mean that the noise cannot have.
    #[error(
        "{} has mean {mean:?}, but {noise} rewards need means {need}; change the means or the noise",
        whose(*node)
    )]
    Mean {
        /// The node, when there was one.
        node: Option<NodeId>,
        /// Its mean.
        mean: f64,
        /// The name of the noise.
        noise: &'static str,
        /// What means the noise can have.
        need: String,
    },
    /// Mean and noise are fine, but not together: one is lost in the rounding of the other.
    #[error("{} of mean {mean:?} cannot have such rewards: {source}", whose(*node))]
    Law {
        /// The node, when there was one.
        node: Option<NodeId>,
        /// Its mean.
        mean: f64,
        /// What is wrong with the law.
        source: LawError,
    },
    /// An entry that cannot be added.
    #[error("{kind} {name:?} cannot be added: {reason}")]
    NotAdded {
        /// What was to be added.
        kind: &'static str,
        /// Its name.
        name: &'static str,
        /// Why.
        reason: String,
    },
}

/// Usages have commas of their own.
fn listed(known: &[String]) -> String {
    let has_commas = known.iter().any(|usage| usage.contains(','));
    known.join(if has_commas { "; " } else { ", " })
}

fn whose(node: Option<NodeId>) -> String {
    node.map_or_else(|| "a node".into(), |node| format!("node {node}"))
}
