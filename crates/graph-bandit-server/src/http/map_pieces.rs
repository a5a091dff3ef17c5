//! Writes a map piece by piece: it may have a million edges, and its readers share one graph.

use super::maps::DrawnMap;
use super::pieces::{PIECE, Pieces};
use axum::BoxError;
use graph_bandit::NodeId;
use serde::Serialize;

/// A map while it is written.
pub(super) struct MapPieces {
    map: DrawnMap,
    next: Next,
}

/// The next part.
enum Next {
    Head,
    /// The edges from this node to higher ones, or all roads from it.
    Edges(usize),
    /// The member of this node.
    Item(List, usize),
    Nothing,
}

/// A member with a value for each node.
#[derive(Clone, Copy)]
enum List {
    Names,
    Coordinates,
    Positions,
}

impl MapPieces {
    pub(super) fn new(map: DrawnMap) -> Self {
        Self { map, next: Next::Head }
    }

    /// Writes a little of the next part.
    fn write(&mut self, text: &mut Vec<u8>) -> serde_json::Result<()> {
        let graph = &self.map.graph;
        let nodes = graph.len();
        self.next = match self.next {
            Next::Head => {
                let list = if graph.roads().is_some() { "roads" } else { "edges" };
                text.extend_from_slice(format!("{{\"nodes\":{nodes},\"{list}\":[").as_bytes());
                Next::Edges(0)
            }
            Next::Edges(node) if node < nodes => {
                self.write_edges(text, node as NodeId)?;
                Next::Edges(node + 1)
            }
            Next::Edges(_) => {
                text.push(b']');
                if let Some(seconds) = self.map.visit_time {
                    text.extend_from_slice(b",\"visit_time\":");
                    serde_json::to_writer(&mut *text, &seconds)?;
                }
                self.next_list(text, None)?
            }
            Next::Item(list, node) if node < nodes => {
                separate(text, node > 0);
                match (list, &self.map.positions) {
                    (List::Names, _) => item(text, graph.names(), node)?,
                    (List::Coordinates, _) => item(text, graph.coordinates(), node)?,
                    (List::Positions, positions) => {
                        item(text, positions.as_ref().map(|all| all.as_slice()), node)?;
                    }
                }
                Next::Item(list, node + 1)
            }
            Next::Item(list, _) => {
                text.push(b']');
                self.next_list(text, Some(list))?
            }
            Next::Nothing => Next::Nothing,
        };
        Ok(())
    }

    fn write_edges(&self, text: &mut Vec<u8>, node: NodeId) -> serde_json::Result<()> {
        let graph = &self.map.graph;
        let has_roads = graph.roads().is_some();
        let listed = graph.roads_from(node).filter(|&(to, _)| has_roads || to > node);
        let mut listed: Vec<(NodeId, f64)> = listed.collect();
        listed.sort_unstable_by_key(|&(to, _)| to);
        for (to, time) in listed {
            // Every list begins with its bracket.
            separate(text, text.last() != Some(&b'['));
            if has_roads {
                serde_json::to_writer(&mut *text, &(node, to, time))?;
            } else {
                serde_json::to_writer(&mut *text, &(node, to))?;
            }
        }
        Ok(())
    }

    /// Begins the next list.
    fn next_list(&self, text: &mut Vec<u8>, last: Option<List>) -> serde_json::Result<Next> {
        let map = &self.map;
        let lists = [
            (List::Names, "names", map.graph.names().is_some()),
            (List::Coordinates, "coordinates", map.graph.coordinates().is_some()),
            (List::Positions, "positions", map.positions.is_some()),
        ];
        let done = last.map_or(0, |list| list as usize + 1);
        let next = lists.into_iter().skip(done).find(|(_, _, there)| *there);
        if let Some((list, name, _)) = next {
            text.extend_from_slice(format!(",\"{name}\":[").as_bytes());
            return Ok(Next::Item(list, 0));
        }
        if let Some(blocked) = &map.blocked {
            text.extend_from_slice(b",\"blocked\":");
            serde_json::to_writer(&mut *text, blocked)?;
        }
        if let Some(learned) = &map.learned {
            text.extend_from_slice(b",\"learned\":");
            serde_json::to_writer(&mut *text, learned)?;
        }
        text.push(b'}');
        Ok(Next::Nothing)
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
    use super::*;
    use crate::fleet::Learned;
    use futures_util::FutureExt;
    use graph_bandit::{Graph, Road};
    use std::sync::Arc;

    fn written(map: DrawnMap) -> (String, usize) {
        let mut pieces = MapPieces::new(map);
        let (mut text, mut count) = (Vec::new(), 0);
        while let Some(piece) = pieces.next().now_or_never().unwrap().unwrap() {
            text.extend(piece);
            count += 1;
        }
        (String::from_utf8(text).unwrap(), count)
    }

    /// The pieces are the bytes of the whole, for every member that a graph may have.
    #[test]
    fn pieces_make_the_whole() {
        let edges: Vec<(NodeId, NodeId)> = (1..20_000).map(|node| (node / 3, node)).collect();
        let plain = Graph::from_edges(20_000, edges).unwrap();
        let names = (0..20_000).map(|node| format!("n\"{node}\u{1F980}")).collect();
        let named = plain.clone().with_names(names).unwrap();
        let place = |node: usize| [node as f64 / 7.0, -(node as f64)];
        let coordinates: Vec<[f64; 2]> = (0..20_000).map(place).collect();
        let all = named.clone().with_coordinates(coordinates.clone()).unwrap();
        let single = Graph::from_edges(1, []).unwrap();
        let ring = |from| Road { from, to: (from + 1) % 20_000, time: f64::from(from) / 7.0 };
        let roads = Graph::from_roads(20_000, (0..20_000).map(ring)).unwrap();
        let learned = Learned { from: 0, to: 1, time: 2.5, told: 3 };
        for graph in [plain, named, all, single, roads] {
            let graph = Arc::new(graph);
            let positions = Arc::new(coordinates[..graph.len()].to_vec());
            for (positions, blocked, visit_time) in
                [(None, None, None), (Some(positions), Some(vec![(0, 1), (7, 6)]), Some(2.5))]
            {
                let map = || DrawnMap {
                    graph: Arc::clone(&graph),
                    visit_time,
                    positions: positions.clone(),
                    blocked: blocked.clone(),
                    learned: blocked.as_ref().map(|_| vec![learned]),
                };
                let (text, pieces) = written(map());
                assert_eq!(text, serde_json::to_string(&map()).unwrap());
                assert_eq!(pieces > 2, graph.len() > 1);
            }
        }
    }
}
