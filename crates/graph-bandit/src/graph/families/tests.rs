//! The shapes, checked by hand.

use super::arkansas::COUNTY_EDGES;
use super::size::pairs;
use super::{FamilyError, Size};
use crate::graph::{Graph, GraphError, MAX_NODES, NodeId};

/// Nodes, edges, diameter.
fn facts(graph: &Graph) -> (usize, usize, u32) {
    (graph.len(), graph.edge_count(), graph.diameter())
}

fn edges(graph: &Graph) -> Vec<(NodeId, NodeId)> {
    graph.edges().collect()
}

#[test]
fn the_six_graphs_of_the_paper() {
    assert_eq!(facts(&Graph::line(100).unwrap()), (100, 99, 99));
    assert_eq!(facts(&Graph::circle(100).unwrap()), (100, 100, 50));
    assert_eq!(facts(&Graph::star(100).unwrap()), (100, 99, 2));
    assert_eq!(facts(&Graph::tree(100, 2).unwrap()), (100, 99, 12));
    assert_eq!(facts(&Graph::grid(10, 10).unwrap()), (100, 180, 18));
    assert_eq!(facts(&Graph::complete(100).unwrap()), (100, 4950, 1));
}

#[test]
fn neighborhoods_by_hand() {
    assert_eq!(Graph::line(3).unwrap().neighborhood(1), [0, 1, 2]);
    assert_eq!(Graph::circle(5).unwrap().neighborhood(0), [0, 1, 4]);
    assert_eq!(Graph::star(4).unwrap().neighborhood(0), [0, 1, 2, 3]);
    assert_eq!(Graph::star(4).unwrap().neighborhood(3), [0, 3]);
    assert_eq!(Graph::tree(8, 2).unwrap().neighborhood(3), [1, 3, 7]);
    assert_eq!(Graph::tree(13, 3).unwrap().neighborhood(1), [0, 1, 4, 5, 6]);
    let grid = Graph::grid(3, 4).unwrap();
    assert_eq!(grid.neighborhood(5), [1, 4, 5, 6, 9]);
    assert_eq!(grid.neighborhood(3), [2, 3, 7]);
    assert_eq!(grid.neighborhood(8), [4, 8, 9]);
    assert_eq!(facts(&grid), (12, 17, 5));
}

#[test]
fn the_smallest_graph_of_each_family() {
    for graph in [
        Graph::line(1),
        Graph::circle(1),
        Graph::star(1),
        Graph::tree(1, 2),
        Graph::grid(1, 1),
        Graph::complete(1),
        Graph::broom(1, 1),
    ] {
        assert_eq!(facts(&graph.unwrap()), (1, 0, 0));
    }
    assert_eq!(edges(&Graph::circle(2).unwrap()), [(0, 1)]);
    assert_eq!(edges(&Graph::barbell(2, 0).unwrap()), [(0, 1), (1, 2), (2, 3)]);
    assert_eq!(edges(&Graph::tree(4, 1).unwrap()), edges(&Graph::line(4).unwrap()));
    assert_eq!(edges(&Graph::grid(1, 4).unwrap()), edges(&Graph::line(4).unwrap()));
    assert_eq!(edges(&Graph::grid(4, 1).unwrap()), edges(&Graph::line(4).unwrap()));
}

#[test]
fn a_broom_has_the_diameter_of_its_handle() {
    for handle in (2..50).step_by(4) {
        let broom = Graph::broom(50, handle).unwrap();
        assert_eq!(facts(&broom), (50, 49, handle as u32));
        assert_eq!(broom.degree(handle as NodeId - 1), 51 - handle);
    }
    assert_eq!(Graph::broom(50, 50).unwrap().diameter(), 49);
    assert_eq!(edges(&Graph::broom(5, 1).unwrap()), edges(&Graph::star(5).unwrap()));
}

#[test]
fn a_barbell_is_numbered_as_in_networkx() {
    assert_eq!(
        edges(&Graph::barbell(3, 2).unwrap()),
        [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (5, 7), (6, 7)]
    );
    assert_eq!(facts(&Graph::barbell(15, 8).unwrap()), (38, 219, 11));
}

#[test]
fn the_ten_counties() {
    let counties = Graph::arkansas().unwrap();
    assert_eq!(facts(&counties), (10, 19, 4));
    assert_eq!(edges(&counties), COUNTY_EDGES);
    assert_eq!(counties.neighborhood(5), [2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(counties.coordinates().unwrap()[9], [270.0, 75.0]);
    assert_eq!(counties.names(), None);
}

#[test]
fn coordinates_by_hand() {
    let line = Graph::line(3).unwrap();
    assert_eq!(line.coordinates().unwrap()[2], [2.0, 0.0]);
    let grid = Graph::grid(2, 3).unwrap();
    assert_eq!(grid.coordinates().unwrap()[5], [2.0, 1.0]);
    let circle = Graph::circle(4).unwrap();
    let [x, y] = circle.coordinates().unwrap()[1];
    assert!(x.abs() < 1e-15 && y == 1.0);
}

#[test]
fn sizes_are_refused_before_anything_is_allocated() {
    let empty = Err(FamilyError::Graph(GraphError::Empty));
    assert_eq!(Graph::line(0), empty);
    assert_eq!(Graph::circle(0), empty);
    assert_eq!(Graph::star(0), empty);
    assert_eq!(Graph::tree(0, 2), empty);
    assert_eq!(Graph::grid(0, usize::MAX), empty);
    assert_eq!(Graph::grid(3, 0), empty);
    assert_eq!(Graph::complete(0), empty);
    assert_eq!(Graph::broom(0, 0), empty);
    for graph in [
        Graph::line(usize::MAX),
        Graph::circle(usize::MAX),
        Graph::star(MAX_NODES + 1),
        Graph::tree(usize::MAX, usize::MAX),
        Graph::grid(usize::MAX, usize::MAX),
        Graph::grid(MAX_NODES, 2),
        Graph::complete(usize::MAX),
        Graph::broom(usize::MAX, 1),
        Graph::barbell(MAX_NODES, usize::MAX),
        Graph::barbell(2, MAX_NODES),
    ] {
        assert!(matches!(graph, Err(FamilyError::Graph(GraphError::TooManyNodes { .. }))));
    }
    for graph in
        [Graph::complete(100_000), Graph::complete(MAX_NODES), Graph::barbell(MAX_NODES / 2 - 1, 0)]
    {
        assert!(matches!(graph, Err(FamilyError::Graph(GraphError::TooManyEdges { .. }))));
    }
    assert_eq!(Size::of_pairs(16_384, 1.0).check(), Ok(()));
    assert!(Size::of_pairs(16_385, 1.0).check().is_err());
    assert_eq!(pairs(usize::MAX), usize::MAX);
    assert_eq!((pairs(0), pairs(5)), (0, 10));
}

#[test]
fn parameters_are_named_with_their_range() {
    let message = |graph: Result<Graph, FamilyError>| graph.unwrap_err().to_string();
    assert_eq!(message(Graph::broom(5, 6)), "handle is 6; it must be from 1 to 5");
    assert_eq!(message(Graph::tree(5, 0)), "branching is 0; it must be from 1 to 67108864");
    assert_eq!(message(Graph::barbell(1, 3)), "bell is 1; it must be from 2 to 67108864");
    assert_eq!(
        message(Graph::complete(100_000)),
        "4999950000 edges are too many; the limit is 134217728"
    );
}
