//! A map written piece by piece: it may have a million edges, and its readers share one graph.

use super::pieces::{PIECE, Pieces};
use crate::agent::Positions;
use axum::BoxError;
use graph_bandit::{Graph, NodeId};
use serde::Serialize;
use std::sync::Arc;

/// A map that is being written.
pub(super) struct MapPieces {
    graph: Arc<Graph>,
    positions: Option<Arc<Positions>>,
    next: Next,
}

/// What comes next.
enum Next {
    Head,
    /// The edges from this node to higher ones.
    Edges(usize),
    /// What is said of this node.
    Item(List, usize),
    Nothing,
}

/// Something that is said of each node.
#[derive(Clone, Copy)]
enum List {
    Names,
    Coordinates,
    Positions,
}

impl MapPieces {
    pub(super) fn new(graph: Arc<Graph>, positions: Option<Arc<Positions>>) -> Self {
        Self { graph, positions, next: Next::Head }
    }

    /// Writes a little of what comes next.
    fn write(&mut self, text: &mut Vec<u8>) -> serde_json::Result<()> {
        let nodes = self.graph.len();
        self.next = match self.next {
            Next::Head => {
                text.extend_from_slice(format!("{{\"nodes\":{nodes},\"edges\":[").as_bytes());
                Next::Edges(0)
            }
            Next::Edges(node) if node < nodes => {
                self.write_edges(text, node as NodeId)?;
                Next::Edges(node + 1)
            }
            Next::Edges(_) => self.next_list(text, None),
            Next::Item(list, node) if node < nodes => {
                separate(text, node > 0);
                match (list, &self.positions) {
                    (List::Names, _) => item(text, self.graph.names(), node)?,
                    (List::Coordinates, _) => item(text, self.graph.coordinates(), node)?,
                    (List::Positions, positions) => {
                        item(text, positions.as_ref().map(|all| all.as_slice()), node)?;
                    }
                }
                Next::Item(list, node + 1)
            }
            Next::Item(list, _) => self.next_list(text, Some(list)),
            Next::Nothing => Next::Nothing,
        };
        Ok(())
    }

    fn write_edges(&self, text: &mut Vec<u8>, node: NodeId) -> serde_json::Result<()> {
        let mut above: Vec<NodeId> = self.graph.neighbors(node).filter(|&to| to > node).collect();
        above.sort_unstable();
        for to in above {
            // Every list begins with its bracket.
            separate(text, text.last() != Some(&b'['));
            serde_json::to_writer(&mut *text, &(node, to))?;
        }
        Ok(())
    }

    /// Ends a list and begins the next that there is.
    fn next_list(&self, text: &mut Vec<u8>, last: Option<List>) -> Next {
        text.push(b']');
        let lists = [
            (List::Names, "names", self.graph.names().is_some()),
            (List::Coordinates, "coordinates", self.graph.coordinates().is_some()),
            (List::Positions, "positions", self.positions.is_some()),
        ];
        let done = last.map_or(0, |list| list as usize + 1);
        let next = lists.into_iter().skip(done).find(|(_, _, there)| *there);
        if let Some((list, name, _)) = next {
            text.extend_from_slice(format!(",\"{name}\":[").as_bytes());
            return Next::Item(list, 0);
        }
        text.push(b'}');
        Next::Nothing
    }
}

fn separate(text: &mut Vec<u8>, is_needed: bool) {
    if is_needed {
        text.push(b',');
    }
}

fn item<T: Serialize>(text: &mut Vec<u8>, all: Option<&[T]>, at: usize) -> serde_json::Result<()> {
    serde_json::to_writer(text, &all.and_then(|all| all.get(at)))
}

impl Pieces for MapPieces {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, BoxError> {
        let mut text = Vec::with_capacity(PIECE + PIECE / 8);
        while text.len() < PIECE && !matches!(self.next, Next::Nothing) {
            self.write(&mut text)?;
        }
        Ok((!text.is_empty()).then_some(text))
    }
}

#[cfg(test)]
mod tests {
    use super::super::maps::Drawn;
    use super::*;
    use futures_util::FutureExt;

    fn written(graph: &Arc<Graph>, positions: Option<&Arc<Positions>>) -> (String, usize) {
        let mut pieces = MapPieces::new(Arc::clone(graph), positions.cloned());
        let (mut text, mut count) = (Vec::new(), 0);
        while let Some(piece) = pieces.next().now_or_never().unwrap().unwrap() {
            text.extend(piece);
            count += 1;
        }
        (String::from_utf8(text).unwrap(), count)
    }

    /// The same bytes as in one piece, for all that a graph may have.
    #[test]
    fn pieces_are_a_whole() {
        let edges: Vec<(NodeId, NodeId)> = (1..20_000).map(|node| (node / 3, node)).collect();
        let plain = Graph::from_edges(20_000, edges).unwrap();
        let names = (0..20_000).map(|node| format!("n\"{node}\u{1F980}")).collect();
        let named = plain.clone().with_names(names).unwrap();
        let place = |node: usize| [node as f64 / 7.0, -(node as f64)];
        let coordinates: Vec<[f64; 2]> = (0..20_000).map(place).collect();
        let all = named.clone().with_coordinates(coordinates.clone()).unwrap();
        let single = Graph::from_edges(1, []).unwrap();
        for graph in [plain, named, all, single] {
            let graph = Arc::new(graph);
            let positions = Arc::new(coordinates[..graph.len()].to_vec());
            for positions in [None, Some(&positions)] {
                let (text, pieces) = written(&graph, positions);
                let whole = Drawn::new(Arc::clone(&graph), positions.cloned());
                assert_eq!(text, serde_json::to_string(&whole).unwrap());
                assert_eq!(pieces > 2, graph.len() > 1);
            }
        }
    }
}
