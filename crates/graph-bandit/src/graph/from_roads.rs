//! From a list of roads to compressed rows, forward and reversed.

use super::roads::{MAX_TRAVEL, Reversed, Road, Roads};
use super::strong_parts::{Parts, strong_parts};
use super::{Graph, GraphError, MAX_EDGES, MAX_NODES, NodeId, SelfPlace};
use std::sync::Arc;

impl Graph {
    /// Builds a graph of `nodes` nodes from its one-way roads. Of several roads from one node to
    /// another, the fastest is kept. A road that leads back to its start is dropped, because
    /// staying put is always allowed.
    ///
    /// If every road has its counterpart in the other direction and none takes time, the graph
    /// equals that of [`from_edges`](Self::from_edges).
    ///
    /// # Errors
    /// When there is no node, an end does not exist, a time is invalid, the graph is too large, or
    /// some node cannot be reached from another.
    ///
    /// # Complexity
    /// O(|S| + |E| log |E|).
    pub fn from_roads(
        nodes: usize,
        roads: impl IntoIterator<Item = Road>,
    ) -> Result<Self, GraphError> {
        let graph = Self::roads_in_parts(nodes, roads)?;
        if graph.is_connected() {
            return Ok(graph);
        }
        let parts =
            Parts::of(&strong_parts(nodes, graph.all_roads().map(|road| (road.from, road.to))));
        Err(GraphError::NotStronglyConnected { parts: parts.list, nodes })
    }

    /// Like [`from_roads`](Self::from_roads), but some nodes may be unreachable.
    pub(super) fn roads_in_parts(
        nodes: usize,
        roads: impl IntoIterator<Item = Road>,
    ) -> Result<Self, GraphError> {
        if nodes == 0 {
            return Err(GraphError::Empty);
        }
        if nodes > MAX_NODES {
            return Err(GraphError::TooManyNodes { nodes });
        }
        let roads = fastest(checked(nodes, roads)?);
        if is_unit_graph(&roads) {
            return Self::in_parts(nodes, roads.iter().map(|road| (road.from, road.to)));
        }
        Ok(Self::of_fastest(nodes, &roads))
    }

    /// The graph of sorted roads without repeats; some nodes may be unreachable.
    pub(super) fn of_fastest(nodes: usize, roads: &[Road]) -> Self {
        let mut row_starts = Vec::with_capacity(nodes + 1);
        let (mut rows, mut times) = (Vec::new(), Vec::new());
        let mut rest = roads;
        for node in 0..nodes as NodeId {
            row_starts.push(rows.len() as u32);
            let own = rest.partition_point(|road| road.from == node);
            let (out, later) = rest.split_at(own);
            let below = out.partition_point(|road| road.to < node);
            let itself = Road { from: node, to: node, time: 0.0 };
            for road in out[..below].iter().chain([&itself]).chain(&out[below..]) {
                rows.push(road.to);
                times.push(road.time);
            }
            rest = later;
        }
        row_starts.push(rows.len() as u32);
        let takes_time = roads.iter().any(|road| road.time > 0.0);
        let into = Reversed::of(nodes, roads);
        let part = strong_parts(nodes, roads.iter().map(|road| (road.from, road.to)));
        Self {
            row_starts,
            rows,
            self_place: SelfPlace::Ascending,
            names: None,
            coordinates: None,
            cut_off: (0..).zip(&part).find(|&(_, part)| *part != 0).map(|(node, _)| node),
            roads: Some(Arc::new(Roads { times, into, takes_time, mapped: None })),
        }
    }
}

impl Reversed {
    /// The roads by their ends; the input is sorted by where roads begin.
    pub(super) fn of(nodes: usize, roads: &[Road]) -> Self {
        let mut row_starts = vec![0_u32; nodes + 1];
        for road in roads {
            row_starts[road.to as usize + 1] += 1;
        }
        for s in 0..nodes {
            row_starts[s + 1] += row_starts[s];
        }
        let mut free = row_starts[..nodes].to_vec();
        let (mut sources, mut times) = (vec![0; roads.len()], vec![0.0; roads.len()]);
        for road in roads {
            let slot = &mut free[road.to as usize];
            sources[*slot as usize] = road.from;
            times[*slot as usize] = road.time;
            *slot += 1;
        }
        Self { row_starts, sources, times }
    }
}

fn checked(nodes: usize, roads: impl IntoIterator<Item = Road>) -> Result<Vec<Road>, GraphError> {
    let last = nodes as NodeId - 1;
    let mut kept = Vec::new();
    for Road { from, to, time } in roads {
        if let Some(missing) = [from, to].into_iter().find(|&v| v > last) {
            return Err(GraphError::UnknownEndpoint {
                source_node: from,
                target: to,
                missing,
                last,
            });
        }
        if !(0.0..=MAX_TRAVEL).contains(&time) {
            return Err(GraphError::ImpossibleTime { from, to, time });
        }
        if from != to {
            // A time of -0 becomes 0.
            kept.push(Road { from, to, time: time + 0.0 });
        }
        if kept.len() > 2 * MAX_EDGES {
            return Err(GraphError::TooManyEdges { edges: kept.len() });
        }
    }
    Ok(kept)
}

/// The fastest road between each two nodes, sorted.
fn fastest(mut roads: Vec<Road>) -> Vec<Road> {
    roads.sort_unstable_by(|a, b| {
        (a.from, a.to).cmp(&(b.from, b.to)).then(a.time.total_cmp(&b.time))
    });
    roads.dedup_by_key(|road| (road.from, road.to));
    roads
}

/// Whether all roads lead both ways and none takes time.
fn is_unit_graph(roads: &[Road]) -> bool {
    let back = |road: &Road| {
        roads.binary_search_by_key(&(road.to, road.from), |road| (road.from, road.to)).is_ok()
    };
    roads.iter().all(|road| road.time == 0.0 && back(road))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn road(from: NodeId, to: NodeId, time: f64) -> Road {
        Road { from, to, time }
    }

    #[test]
    fn the_fastest_of_parallel_roads_stays() {
        let roads =
            [road(0, 1, 2.0), road(0, 1, 0.5), road(1, 2, 3.0), road(2, 0, 0.0), road(1, 1, 9.0)];
        let graph = Graph::from_roads(3, roads).unwrap();
        assert_eq!((graph.road_count(), graph.edge_count()), (3, 3));
        assert_eq!(graph.travel(0, 1), Some(0.5));
        assert_eq!((graph.travel(1, 0), graph.travel(1, 1)), (None, Some(0.0)));
        assert!(graph.allows(0, 1) && !graph.allows(1, 0) && graph.allows(1, 1));
        assert_eq!(graph.neighborhood(0), [0, 1]);
        let into: Vec<_> = graph.roads().unwrap().into(2).collect();
        assert_eq!(into, [(1, 3.0)]);
        assert_eq!(graph.edges().collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
    }

    #[test]
    fn two_way_roads_without_times_equal_edges() {
        let both = [road(1, 0, 0.0), road(0, 1, -0.0), road(1, 2, 0.0), road(2, 1, 0.0)];
        let graph = Graph::from_roads(3, both).unwrap();
        assert_eq!(graph, Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap());
        assert!(graph.roads().is_none());
        assert_eq!(graph.all_roads().count(), 4);
    }

    #[test]
    fn errors_name_the_road_and_the_parts() {
        for time in [-1.0, f64::NAN, f64::INFINITY, 1e300] {
            let error = Graph::from_roads(2, [road(0, 1, 0.0), road(1, 0, time)]).unwrap_err();
            let message = error.to_string();
            assert!(message.contains("road from node 1 to node 0"), "{message}");
            assert!(message.contains(&format!("{time}")), "{message}");
        }
        let trap = [road(0, 1, 1.0), road(1, 0, 1.0), road(1, 2, 1.0), road(3, 0, 1.0)];
        let error = Graph::from_roads(4, trap).unwrap_err();
        assert_eq!(
            error,
            GraphError::NotStronglyConnected { parts: vec![(0, 2), (2, 1), (3, 1)], nodes: 4 }
        );
        assert_eq!(
            error.to_string(),
            "not every node can reach every other: there are 3 strongly connected parts, \
             of 2 nodes (including node 0), 1 (node 2), 1 (node 3); add the missing roads, or keep \
             the largest part"
        );
        assert!(Graph::from_roads(2, [road(0, 5, 0.0)]).is_err());
        assert_eq!(Graph::from_roads(0, []), Err(GraphError::Empty));
    }
}
