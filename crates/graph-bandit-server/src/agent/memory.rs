//! How much memory an agent takes, by its graph and how that is written. Measured with agents of several kinds that
//! know every node: they take between 0.8 and 1.3 times as much, and less than half before they know any.

use super::{GraphSource, ListedRoad, NodeName, Served};

/// On the smallest graph.
const LEAST: usize = 4 << 10;
/// For each node: rows, estimates, scores, and what planners note.
const NODE: usize = 220;
/// For each edge or road: rows, and what planners note.
const EDGE: usize = 20;
/// For each name of a node, without its text: in the definition, the graph and the directory.
const NAME: usize = 220;
/// How often the text of a name is there.
const TEXTS: usize = 3;
/// For each text that an edge of the definition has instead of a number, without the text.
const TEXT: usize = 16;

impl Served {
    /// About how many bytes it takes. It does not depend on what the agent has learned.
    pub(crate) fn bytes(&self) -> usize {
        let graph = self.graph();
        let name = |name: &String| NAME + TEXTS * name.len();
        let names: usize = graph.names().unwrap_or_default().iter().map(name).sum();
        let listed = match &self.definition().graph {
            GraphSource::Listed(listed) => {
                let edges = listed.edges.iter().flatten().flatten();
                let roads = listed.roads.iter().flatten().flat_map(|ListedRoad(a, b, _)| [a, b]);
                edges.chain(roads).map(end).sum()
            }
            _ => 0,
        };
        LEAST + NODE * graph.len() + EDGE * graph.edge_count() + names + listed
    }
}

/// One end of an edge of the definition.
fn end(node: &NodeName) -> usize {
    let text = match node {
        NodeName::Number(_) => 0,
        NodeName::Name(name) => TEXT + name.len(),
    };
    size_of::<NodeName>() + text
}
