//! The graph of an agent as a client writes it, and how large it may be.

use super::listed_graph::ListedGraph;
use super::place::{NoSuchNode, Spoken};
use crate::member::in_member;
use graph_bandit::{Graph, GraphError, GraphSpec, MAX_TRAVEL, Seed, SpecError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use thiserror::Error;

/// The largest graphs the service accepts, so that no client can make it plan for minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraphLimits {
    /// The most nodes.
    pub nodes: usize,
    /// The most edges.
    pub edges: usize,
}

impl Default for GraphLimits {
    fn default() -> Self {
        Self { nodes: 100_000, edges: 1_000_000 }
    }
}

impl GraphLimits {
    /// Checks the size of a graph.
    ///
    /// # Errors
    /// When it has too many nodes or edges.
    pub fn check(self, nodes: usize, edges: usize) -> Result<(), GraphSourceError> {
        check("nodes", nodes, self.nodes)?;
        check("edges", edges, self.edges)
    }

    /// Checks the number of roads: an edge may be given once per direction.
    pub(super) fn check_roads(self, nodes: usize, roads: usize) -> Result<(), GraphSourceError> {
        check("nodes", nodes, self.nodes)?;
        check("roads", roads, self.edges.saturating_mul(2))
    }
}

/// A graph: a family, as text (`"grid:10x10"`) or as an object (`{"family": "grid", ..}`), or a list of nodes
/// with edges or roads. Every node must be reachable from every other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, try_from = "Value")]
#[schemars(!try_from, rename = "Graph")]
pub enum GraphInput {
    /// A family and its size, as on the command line.
    #[schemars(example = "grid:10x10")]
    Text(String),
    /// Nodes and edges, or roads.
    Listed(ListedGraph),
    /// A family and its size.
    Family(#[schemars(with = "GraphSpec")] Map<String, Value>),
}

/// A valid graph, in the client's words.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "GraphInput")]
pub enum GraphSource {
    /// A family and its size, as on the command line.
    Text {
        /// The client's text, which may differ from the library's form.
        text: String,
        /// The parsed text.
        spec: GraphSpec,
    },
    /// Nodes and edges, or roads.
    Listed(ListedGraph),
    /// A family and its size.
    Family(GraphSpec),
}

impl Serialize for GraphSource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text { text, .. } => serializer.serialize_str(text),
            Self::Listed(listed) => listed.serialize(serializer),
            Self::Family(spec) => spec.serialize(serializer),
        }
    }
}

/// Why a graph is refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum GraphSourceError {
    /// Too large for this service.
    #[error("a graph of {size} {what} is too large for this service; the limit is {limit}")]
    TooLarge {
        /// Nodes or edges.
        what: &'static str,
        /// How many it has.
        size: usize,
        /// How many it may have.
        limit: usize,
    },
    /// The family or its parameters are wrong.
    #[error(transparent)]
    Family(#[from] SpecError),
    /// The edges do not make a graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// An edge names an unknown node.
    #[error(transparent)]
    Node(#[from] NoSuchNode),
    /// There are neither edges nor roads.
    #[error("a list of nodes alone is not a graph; give `edges`, or `roads`")]
    NeitherEdgesNorRoads,
    /// There are both edges and roads.
    #[error(
        "there are both `edges` and `roads`; give one of them (an edge is two roads that take no time)"
    )]
    EdgesAndRoads,
    /// A road has an impossible time.
    #[error(
        "the road from {from} to {to} takes {time} beyond the visit; give a number from 0 to {MAX_TRAVEL}"
    )]
    ImpossibleTime {
        /// Where it begins.
        from: Spoken,
        /// Where it leads.
        to: Spoken,
        /// The time given.
        time: f64,
    },
    /// Some nodes cannot be reached from others along the roads.
    #[error(
        "not every node can be reached from every other: the nodes fall into {} parts, {}; \
         add the missing roads, or leave out the nodes beyond the largest part",
        parts.len(), listed(parts)
    )]
    NoWayBack {
        /// A node of each part and how many nodes it has, the largest first.
        parts: Vec<(Spoken, usize)>,
    },
    /// The visit time is impossible.
    #[error("visit_time is {seconds} seconds; give a finite number above 0")]
    VisitTime {
        /// The time given.
        seconds: f64,
    },
}

/// The first few parts, in words.
fn listed(parts: &[(Spoken, usize)]) -> String {
    const SHOWN: usize = 4;
    let shown = parts.iter().take(SHOWN).enumerate().map(|(place, (node, size))| match place {
        0 => format!("of {size} nodes ({node} among them)"),
        _ => format!("{size} ({node})"),
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    if parts.len() > SHOWN { format!("{shown} and so on") } else { shown }
}

/// Picks the form before it parses, so that the error is about the form that the client meant.
impl TryFrom<Value> for GraphInput {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match value {
            Value::String(text) => Ok(Self::Text(text)),
            Value::Object(family) if family.contains_key("family") => Ok(Self::Family(family)),
            value => {
                let listed = serde_path_to_error::deserialize(value);
                listed.map(Self::Listed).map_err(|error| {
                    let said = error.inner().to_string();
                    in_member(error.path(), &said, said.clone())
                })
            }
        }
    }
}

impl TryFrom<GraphInput> for GraphSource {
    type Error = SpecError;

    fn try_from(request: GraphInput) -> Result<Self, SpecError> {
        Ok(match request {
            GraphInput::Text(text) => Self::Text { spec: text.parse()?, text },
            GraphInput::Listed(listed) => Self::Listed(listed),
            GraphInput::Family(fields) => Self::Family(GraphSpec::of_fields(&fields)?),
        })
    }
}

impl GraphInput {
    /// How many nodes and edges it has; 0 if it is not a graph.
    pub(crate) fn size(&self) -> usize {
        let family = match self {
            Self::Text(text) => text.parse().ok(),
            Self::Family(fields) => GraphSpec::of_fields(fields).ok(),
            Self::Listed(listed) => return listed.size(),
        };
        family.map_or(0, |spec| size_of(&spec))
    }
}

fn size_of(spec: &GraphSpec) -> usize {
    let size = spec.size();
    size.nodes.saturating_add(size.edges)
}

impl GraphSource {
    /// A short description.
    pub(super) fn described(&self) -> String {
        match self {
            Self::Text { text, .. } => text.clone(),
            Self::Family(spec) => spec.to_string(),
            Self::Listed(listed) => format!("a list of {} nodes", listed.nodes),
        }
    }

    /// How many nodes and edges it has.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Text { spec, .. } | Self::Family(spec) => size_of(spec),
            Self::Listed(listed) => listed.size(),
        }
    }

    /// How many seconds a visit takes, if given.
    pub fn visit_time(&self) -> Option<f64> {
        match self {
            Self::Listed(listed) => listed.visit_time,
            Self::Text { .. } | Self::Family(_) => None,
        }
    }

    /// Builds the graph; random families are drawn from `seed`.
    ///
    /// # Errors
    /// When it is too large, not connected, or not a graph at all.
    pub fn build(&self, seed: Seed, limits: GraphLimits) -> Result<Graph, GraphSourceError> {
        match self {
            Self::Text { spec, .. } | Self::Family(spec) => build_family(spec, seed, limits),
            Self::Listed(listed) => listed.build(limits),
        }
    }
}

fn build_family(
    spec: &GraphSpec,
    seed: Seed,
    limits: GraphLimits,
) -> Result<Graph, GraphSourceError> {
    let size = spec.size();
    limits.check(size.nodes, size.edges)?;
    Ok(spec.build(seed)?)
}

fn check(what: &'static str, size: usize, limit: usize) -> Result<(), GraphSourceError> {
    if size > limit { Err(GraphSourceError::TooLarge { what, size, limit }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(json: &str) -> Result<Graph, String> {
        let source: GraphSource = serde_json::from_str(json).map_err(|error| error.to_string())?;
        source.build(Seed(0), GraphLimits::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn one_graph_in_three_forms() {
        let grid = built(r#""grid:2x2""#).unwrap();
        assert_eq!(built(r#"{"family":"grid","rows":2,"columns":2.0}"#).unwrap(), grid);
        let listed = r#"{"nodes":4,"edges":[[0,1],[0,2],["1",3],[2,3]]}"#;
        let edges = |graph: &Graph| graph.edges().collect::<Vec<_>>();
        assert_eq!(edges(&built(listed).unwrap()), edges(&grid));
        let named = r#"{"nodes":2,"edges":[["hall","yard"]],"names":["hall","yard"],
            "coordinates":[[0,0],[1,2.5]]}"#;
        let named = built(named).unwrap();
        assert_eq!((named.label(1), named.coordinates().unwrap()[1]), ("yard".into(), [1.0, 2.5]));
    }

    #[test]
    fn refusals_name_the_wrong_value() {
        let refused = |json: &str| built(json).unwrap_err();
        assert!(refused(r#"{"nodes":2,"edges":[]}"#).contains("node 1 is cut off from node 0"));
        assert!(refused(r#"{"nodes":2,"edges":[[0,2]]}"#).contains("the nodes are 0 to 1"));
        let unknown = r#"{"nodes":2,"edges":[["a","x"]],"names":["a","b"]}"#;
        assert!(refused(unknown).contains(r#"no node is named "x"; one is named "a""#));
        for large in ["line:100001", "complete:2000", "barbell:1100,3", "erdos-renyi:3000,0.9"] {
            assert!(refused(&format!("{large:?}")).contains("too large"), "{large}");
        }
        let listed = r#"{"nodes":18446744073709551615,"edges":[]}"#;
        assert!(refused(listed).contains("too large"));
        assert!(refused(r#""gird:2x2""#).contains("gird"));
    }
}
