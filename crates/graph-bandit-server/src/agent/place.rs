//! How clients name a node, by number or name, and how the service describes it.

use super::whole_number::whole_number;
use graph_bandit::{Edge, Graph, NodeId, nearest_name};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use thiserror::Error;

/// A node, by number or by name. If nodes have no names, the number may also be in quotes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a node is a number or a name")]
pub enum NodeName {
    /// By number.
    #[serde(deserialize_with = "whole_number")]
    Number(NodeId),
    /// By name, or a number in quotes if nodes have no names.
    Name(String),
}

impl From<NodeId> for NodeName {
    fn from(node: NodeId) -> Self {
        Self::Number(node)
    }
}

/// A node, with its name and coordinates on the map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// Its number.
    pub node: NodeId,
    /// Its name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its coordinates, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coordinates: Option<[f64; 2]>,
}

impl Place {
    /// A node with what the graph knows of it.
    pub fn of(graph: &Graph, node: NodeId) -> Self {
        let index = node as usize;
        Self {
            node,
            name: graph.names().map(|names| names[index].clone()),
            coordinates: graph.coordinates().map(|all| all[index]),
        }
    }
}

/// There is no such node.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoSuchNode {
    /// A number beyond the last.
    #[error("there is no node {number}; the nodes are 0 to {last}")]
    Number {
        /// The number given.
        number: String,
        /// The highest number.
        last: NodeId,
    },
    /// An unknown name.
    #[error("no node is named {name:?}; one is named {example:?}")]
    Name {
        /// The name given.
        name: String,
        /// The name of some node.
        example: String,
    },
    /// A name close to that of a node.
    #[error("no node is named {name:?}; did you mean {near:?}?")]
    NearName {
        /// The name given.
        name: String,
        /// The name that was probably meant.
        near: String,
    },
}

/// A node in a message: its name if it has one, else its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoken(String);

impl Spoken {
    /// The name of a node, or its number.
    pub fn of(graph: &Graph, node: NodeId) -> Self {
        Self::among(graph.names().unwrap_or_default(), node)
    }

    /// The name of a node among these, or its number.
    pub(super) fn among(names: &[String], node: NodeId) -> Self {
        let name = names.get(node as usize);
        Self(name.map_or_else(|| format!("node {node}"), |name| format!("{name:?}")))
    }
}

impl fmt::Display for Spoken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An edge or a road in a message, with its ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ends {
    /// An edge, which leads both ways.
    Edge(Spoken, Spoken),
    /// A road, in its direction.
    Road(Spoken, Spoken),
}

impl Ends {
    /// What joins two nodes of a graph of this kind.
    pub fn of(graph: &Graph, (a, b): Edge) -> Self {
        let (a, b) = (Spoken::of(graph, a), Spoken::of(graph, b));
        if graph.roads().is_some() { Self::Road(a, b) } else { Self::Edge(a, b) }
    }
}

impl fmt::Display for Ends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Edge(a, b) => write!(f, "edge between {a} and {b}"),
            Self::Road(from, to) => write!(f, "road from {from} to {to}"),
        }
    }
}

/// Finds nodes by name without looking at all of them.
#[derive(Debug, Clone)]
pub struct Directory {
    by_name: HashMap<String, NodeId>,
    nodes: usize,
}

impl Directory {
    /// A directory of these names.
    pub fn new(names: &[String], nodes: usize) -> Self {
        let numbered = names.iter().zip(0..).map(|(name, node)| (name.clone(), node));
        Self { by_name: numbered.collect(), nodes }
    }

    /// The number of a node; `names` are the names that the directory was made of.
    ///
    /// # Errors
    /// When there is no such node.
    pub fn find(&self, node: &NodeName, names: &[String]) -> Result<NodeId, NoSuchNode> {
        let number = match node {
            NodeName::Number(number) => Some(*number),
            NodeName::Name(name) if self.by_name.is_empty() => name.parse().ok(),
            NodeName::Name(name) => {
                return self.by_name.get(name).copied().ok_or_else(|| unknown(name, names));
            }
        };
        number.filter(|&number| (number as usize) < self.nodes).ok_or_else(|| {
            let number = match node {
                NodeName::Number(number) => number.to_string(),
                NodeName::Name(name) => format!("{name:?}"),
            };
            NoSuchNode::Number { number, last: self.nodes.saturating_sub(1) as NodeId }
        })
    }
}

/// Looks only at the first names of the map, in order: a wrong name on a large map costs little, and ties
/// always give the same suggestion.
fn unknown(name: &str, names: &[String]) -> NoSuchNode {
    let near = nearest_name(name, names.iter().map(String::as_str));
    let name = name.to_owned();
    match near {
        Some(near) => NoSuchNode::NearName { near: near.to_owned(), name },
        None => NoSuchNode::Name { name, example: names.first().cloned().unwrap_or_default() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_suggest_the_first_name_and_late_names_are_not_searched() {
        let mut names: Vec<String> = (0..100_000).map(|node| format!("{node:0>30}")).collect();
        for (node, name) in [(7_000, "roof"), (300, "roof"), (50_000, "gate")] {
            names[node] = name.to_owned();
        }
        let directory = Directory::new(&names, names.len());
        let find = |name: &str| directory.find(&NodeName::Name(name.to_owned()), &names);
        assert_eq!((find("roof"), find("gate")), (Ok(7_000), Ok(50_000)));
        let wrong = |name: &str| find(name).unwrap_err().to_string();
        assert_eq!(wrong("roo"), "no node is named \"roo\"; did you mean \"roof\"?");
        let example = "0".repeat(30);
        assert_eq!(wrong("gat"), format!("no node is named \"gat\"; one is named {example:?}"));
    }
}
