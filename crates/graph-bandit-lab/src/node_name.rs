//! A node as people write it: by number, or by its name in the map.

use crate::error::LabError;
use graph_bandit::{Graph, NodeId, nearest_name};
use serde::{Deserialize, Serialize};

/// A node of a graph that is not read yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "report", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "a node is written as its number or as its name")]
pub enum NodeName {
    /// By its number, from 0.
    Number(NodeId),
    /// By its name or, if names are not numbers, by the text of its number.
    Name(String),
}

impl Default for NodeName {
    fn default() -> Self {
        Self::Number(0)
    }
}

impl From<NodeId> for NodeName {
    fn from(number: NodeId) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for NodeName {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl NodeName {
    /// The number of the node that a `start` means. The study checks numbers later.
    ///
    /// # Errors
    /// When no node of the graph has that name; the message suggests a similar name.
    pub fn find_start(&self, graph: &Graph) -> Result<NodeId, LabError> {
        let text = match self {
            Self::Number(number) => return Ok(*number),
            Self::Name(text) => text,
        };
        let names = graph.names().unwrap_or_default();
        if let Some(named) = names.iter().position(|name| name == text) {
            return Ok(named as NodeId);
        }
        let numbered = names.iter().any(|name| name.parse::<f64>().is_ok());
        text.parse().ok().filter(|_| !numbered).ok_or_else(|| {
            let remedy = if names.is_empty() {
                format!("write a whole number from 0 to {}", graph.len() - 1)
            } else if let Some(near) = nearest_name(text, names.iter().map(String::as_str)) {
                format!("did you mean {near:?}?")
            } else {
                format!("write the name of a node, such as {:?}", names[0])
            };
            LabError::setting("start", format!("{text:?} is not a node of the graph; {remedy}"))
        })
    }
}
