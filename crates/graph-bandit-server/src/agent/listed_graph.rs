//! A graph that a client lists: its nodes, and its edges or its roads.
//!
//! Edges lead both ways and take no longer than the visit at their end. Roads run one way each and may take
//! longer.

use super::graph_source::{GraphLimits, GraphSourceError};
use super::place::{Directory, NoSuchNode, NodeName, Spoken};
use super::whole_number::{EXACT, whole_number};
use graph_bandit::{Graph, GraphError, MAX_TRAVEL, NodeId, Road};
use schemars::{JsonSchema, Schema};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;
use std::fmt;

/// A graph with its nodes and edges, or its nodes and roads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = edges_or_roads)]
pub struct ListedGraph {
    /// The number of nodes.
    #[serde(deserialize_with = "whole_number")]
    #[schemars(range(max = EXACT as u64))]
    pub nodes: usize,
    /// Pairs of nodes, by number or name; each edge leads both ways.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<[NodeName; 2]>")]
    pub edges: Option<Vec<[NodeName; 2]>>,
    /// Instead of edges. Each road has the node where it begins, the node where it ends, and its travel time in units
    /// of one visit, without the visit at its end (default: 0). A road runs one way; a two-way street is two roads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<ListedRoad>")]
    pub roads: Option<Vec<ListedRoad>>,
    /// How many seconds a visit takes. With it, orders also give their times in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub visit_time: Option<f64>,
    /// One name per node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<String>>,
    /// The coordinates of each node in the plane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coordinates: Option<Vec<[f64; 2]>>,
}

/// Just one of the two.
fn edges_or_roads(schema: &mut Schema) {
    let forms = json!([{"required": ["edges"]}, {"required": ["roads"]}]);
    schema.ensure_object().insert("oneOf".to_owned(), forms);
}

/// A road: the node where it begins, the node where it ends, and its travel time, without the visit at its end.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(transform = time_may_be_left_out, rename = "Road")]
pub struct ListedRoad(
    pub NodeName,
    pub NodeName,
    #[schemars(range(min = 0.0, max = MAX_TRAVEL))] pub f64,
);

fn time_may_be_left_out(schema: &mut Schema) {
    schema.ensure_object().insert("minItems".to_owned(), 2.into());
}

impl<'de> Deserialize<'de> for ListedRoad {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(RoadVisitor)
    }
}

struct RoadVisitor;

impl<'de> Visitor<'de> for RoadVisitor {
    type Value = ListedRoad;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a road: [from, to] or [from, to, time]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<ListedRoad, A::Error> {
        let from = parts.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
        let to = parts.next_element()?.ok_or_else(|| A::Error::invalid_length(1, &self))?;
        let time = parts.next_element()?.unwrap_or(0.0);
        if parts.next_element::<serde::de::IgnoredAny>()?.is_some() {
            return Err(A::Error::invalid_length(4, &self));
        }
        Ok(ListedRoad(from, to, time))
    }
}

impl ListedGraph {
    /// How many nodes and edges it has; a road counts as one.
    pub(super) fn size(&self) -> usize {
        let edges = self.edges.as_ref().map_or(0, Vec::len);
        let roads = self.roads.as_ref().map_or(0, Vec::len);
        self.nodes.saturating_add(edges).saturating_add(roads)
    }

    /// Builds the graph.
    ///
    /// # Errors
    /// When it is too large, not connected, or not a graph at all.
    pub fn build(&self, limits: GraphLimits) -> Result<Graph, GraphSourceError> {
        if let Some(seconds) = self.visit_time.filter(|&seconds| !is_time_of_visit(seconds)) {
            return Err(GraphSourceError::VisitTime { seconds });
        }
        let mut graph = match (&self.edges, &self.roads) {
            (Some(edges), None) => self.of_edges(edges, limits)?,
            (None, Some(roads)) => self.of_roads(roads, limits)?,
            (None, None) => return Err(GraphSourceError::NeitherEdgesNorRoads),
            (Some(_), Some(_)) => return Err(GraphSourceError::EdgesAndRoads),
        };
        if let Some(names) = &self.names {
            graph = graph.with_names(names.clone())?;
        }
        if let Some(coordinates) = &self.coordinates {
            graph = graph.with_coordinates(coordinates.clone())?;
        }
        Ok(graph)
    }

    fn of_edges(
        &self,
        edges: &[[NodeName; 2]],
        limits: GraphLimits,
    ) -> Result<Graph, GraphSourceError> {
        limits.check(self.nodes, edges.len())?;
        let names = self.names.as_deref().unwrap_or_default();
        let directory = Directory::new(names, self.nodes);
        let edge =
            |[a, b]: &[NodeName; 2]| Ok((directory.find(a, names)?, directory.find(b, names)?));
        let edges: Result<Vec<(NodeId, NodeId)>, NoSuchNode> = edges.iter().map(edge).collect();
        Ok(Graph::from_edges(self.nodes, edges?)?)
    }

    fn of_roads(
        &self,
        listed: &[ListedRoad],
        limits: GraphLimits,
    ) -> Result<Graph, GraphSourceError> {
        limits.check_roads(self.nodes, listed.len())?;
        let names = self.names.as_deref().unwrap_or_default();
        let directory = Directory::new(names, self.nodes);
        let spoken = |node| Spoken::among(names, node);
        let mut roads = Vec::with_capacity(listed.len());
        for ListedRoad(from, to, time) in listed {
            let (from, to) = (directory.find(from, names)?, directory.find(to, names)?);
            roads.push(Road { from, to, time: *time });
        }
        let graph = Graph::from_roads(self.nodes, roads).map_err(|error| match error {
            GraphError::ImpossibleTime { from, to, time } => {
                GraphSourceError::ImpossibleTime { from: spoken(from), to: spoken(to), time }
            }
            GraphError::NotStronglyConnected { parts, .. } => GraphSourceError::NoWayBack {
                parts: parts.into_iter().map(|(node, size)| (spoken(node), size)).collect(),
            },
            other => other.into(),
        })?;
        limits.check(graph.len(), graph.edge_count())?;
        Ok(graph)
    }
}

/// Whether the visit time is a positive number.
fn is_time_of_visit(seconds: f64) -> bool {
    seconds.is_finite() && seconds > 0.0
}

#[cfg(test)]
mod tests {
    use super::super::graph_source::GraphSource;
    use super::*;
    use graph_bandit::Seed;

    fn read(json: &str) -> Result<GraphSource, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    fn built(json: &str) -> Result<Graph, String> {
        let limits = GraphLimits { nodes: 10, edges: 4 };
        read(json)?.build(Seed(0), limits).map_err(|error| error.to_string())
    }

    #[test]
    fn roads_run_one_way_and_take_time() {
        let ring = r#"{"nodes":3,"roads":[["a","b",2.5],[1,"c"],["c","a",0]],"names":["a","b","c"],"visit_time":30}"#;
        let graph = built(ring).unwrap();
        assert_eq!((graph.travel(0, 1), graph.travel(1, 0)), (Some(2.5), None));
        assert_eq!(graph.travel(1, 2), Some(0.0));
        // Written as it was read, without the time that was left out.
        let written = serde_json::to_string(&read(ring).unwrap()).unwrap();
        let expected = r#"{"nodes":3,"roads":[["a","b",2.5],[1,"c",0.0],["c","a",0.0]],"visit_time":30.0,"names":["a","b","c"]}"#;
        assert_eq!(written, expected);
        assert_eq!(read(&written).unwrap(), read(ring).unwrap());
        // Roads that lead both ways and take no time are edges.
        let both = r#"{"nodes":2,"roads":[[0,1],[1,0]]}"#;
        assert_eq!(built(both).unwrap(), built(r#"{"nodes":2,"edges":[[0,1]]}"#).unwrap());
    }

    #[test]
    fn graphs_without_roads_keep_their_bytes() {
        for listed in
            [r#"{"nodes":1,"edges":[]}"#, r#"{"nodes":2,"edges":[[0,1]],"names":["a","b"]}"#]
        {
            assert_eq!(serde_json::to_string(&read(listed).unwrap()).unwrap(), listed);
        }
    }

    #[test]
    fn refusals_name_nodes_as_the_client_does() {
        let of = |roads: &str| {
            format!(r#"{{"nodes":3,"names":["hall","yard","roof"],"roads":[{roads}]}}"#)
        };
        let refused = |json: &str| built(json).unwrap_err();
        let negative = of(r#"["hall","yard",-1]"#);
        assert_eq!(
            refused(&negative),
            "the road from \"hall\" to \"yard\" takes -1 beyond the visit; give a number from 0 to 134217728"
        );
        assert!(refused(&of(r#"["hall","yard",1e300]"#)).contains("takes 1000000"));
        assert!(refused(&of(r#"["hall","cellar",1]"#)).contains("no node is named \"cellar\""));
        let trap = of(r#"["hall","yard"],["yard","hall"],["yard","roof",1]"#);
        assert_eq!(
            refused(&trap),
            "not every node can be reached from every other: the nodes fall into 2 parts, of \
             2 nodes (\"hall\" among them), 1 (\"roof\"); add the missing roads, or leave out the nodes beyond the \
             largest part"
        );
        assert!(refused(r#"{"nodes":2}"#).contains("give `edges`, or `roads`"));
        let both = r#"{"nodes":2,"edges":[[0,1]],"roads":[[0,1],[1,0]]}"#;
        assert!(refused(both).contains("both `edges` and `roads`"));
        for wrong in ["[0]", "[0,1,2,3]", "[0,1,\"x\"]", "7", "[]"] {
            assert!(read(&of(wrong)).is_err(), "{wrong}");
        }
        let long: Vec<String> = (0..9).map(|time| format!("[0,1,{time}]")).collect();
        assert!(refused(&of(&long.join(","))).contains("9 roads is too large"));
        let visit = r#"{"nodes":2,"edges":[[0,1]],"visit_time":0}"#;
        assert!(refused(visit).contains("visit_time is 0"), "{}", refused(visit));
    }
}
