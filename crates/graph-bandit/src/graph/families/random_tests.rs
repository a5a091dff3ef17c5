//! Random graphs against counts, all pairs and pinned draws.

use super::connected::TRIES;
use super::erdos_renyi::{enough_probability, erdos_renyi_edges};
use super::geometric::{enough_radius, geometric_edges};
use super::{FamilyError, SmallWorld};
use crate::graph::{Graph, GraphError, MAX_EDGES, MAX_NODES, NodeId};
use crate::random::{Seed, label};

const RING_OF_60: SmallWorld = SmallWorld { nodes: 60, neighbors: 4, rewiring: 0.2 };

/// FNV-1a over the edges and the bits of the coordinates.
fn fingerprint(graph: &Graph) -> u64 {
    let ends = graph.edges().flat_map(|(a, b)| [a.into(), b.into()]);
    let places = graph.coordinates().unwrap_or_default().iter();
    let places = places.flatten().map(|coordinate| coordinate.to_bits());
    ends.chain(places)
        .fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ word).wrapping_mul(0x0100_0000_01b3))
}

fn drawn(seed: u64) -> [Graph; 3] {
    [
        Graph::erdos_renyi(200, 0.04, Seed(seed)).unwrap(),
        Graph::geometric(200, 0.15, Seed(seed)).unwrap(),
        Graph::small_world(RING_OF_60, Seed(seed)).unwrap(),
    ]
}

#[test]
fn values_are_stable() {
    let first_edges = |graph: &Graph| -> Vec<(NodeId, NodeId)> { graph.edges().take(4).collect() };
    let graphs = drawn(7);
    assert_eq!(
        graphs.each_ref().map(fingerprint),
        [12_939_634_241_152_343_156, 14_165_065_941_783_548_747, 15_242_271_407_736_626_810]
    );
    assert_eq!(
        graphs.each_ref().map(first_edges),
        [
            [(0, 25), (0, 44), (0, 45), (0, 116)],
            [(0, 3), (0, 83), (0, 85), (0, 99)],
            [(0, 1), (0, 2), (0, 12), (0, 58)]
        ]
    );
}

#[test]
fn the_seed_decides_the_draw() {
    assert_eq!(drawn(7), drawn(7));
    for (one, other) in drawn(7).iter().zip(&drawn(8)) {
        assert_ne!(one, other);
    }
}

#[test]
fn a_disconnected_draw_is_drawn_again() {
    // Near the threshold most draws are disconnected; the seeds below need several.
    let (nodes, probability) = (100, 0.04);
    let redrawn = (0..50).filter(|&seed| {
        let mut stream = Seed(seed).child(label::GRAPH).child(0).stream();
        let first = erdos_renyi_edges(nodes, probability, &mut stream).unwrap();
        let first = Graph::from_edges(nodes, first);
        let graph = Graph::erdos_renyi(nodes, probability, Seed(seed)).unwrap();
        assert!(first.is_err() || first == Ok(graph));
        first.is_err()
    });
    assert!((25..50).contains(&redrawn.count()));
}

#[test]
fn erdos_renyi_has_binomially_many_edges() {
    // 1000 * 999 / 2 pairs at 0.02: mean 9990, standard deviation 99.
    let counts: Vec<_> = (0..40)
        .map(|seed| Graph::erdos_renyi(1000, 0.02, Seed(seed)).unwrap().edge_count() as f64)
        .collect();
    let mean = counts.iter().sum::<f64>() / 40.0;
    let squares = counts.iter().map(|count| (count - mean) * (count - mean));
    let deviation = (squares.sum::<f64>() / 39.0).sqrt();
    assert!((mean - 9990.0).abs() < 4.0 * 99.0 / 40_f64.sqrt(), "{mean}");
    assert!((70.0..130.0).contains(&deviation), "{deviation}");
}

#[test]
fn erdos_renyi_favours_no_pair() {
    let mut seen = [0_u32; 10];
    for seed in 0..20_000 {
        let edges = erdos_renyi_edges(5, 0.3, &mut Seed(seed).stream()).unwrap();
        for (a, b) in edges {
            assert!(a < b && b < 5);
            seen[(b * (b - 1) / 2 + a) as usize] += 1;
        }
    }
    // Mean 6000, standard deviation 65.
    assert!(seen.iter().all(|&n| n.abs_diff(6000) < 300), "{seen:?}");
}

#[test]
fn certain_and_impossible_edges() {
    let complete = Graph::erdos_renyi(20, 1.0, Seed(1)).unwrap();
    assert_eq!(complete, Graph::complete(20).unwrap());
    assert_eq!(Graph::erdos_renyi(1, 0.0, Seed(1)).unwrap().len(), 1);
    assert_eq!(Graph::geometric(1, 0.0, Seed(1)).unwrap().len(), 1);
    let near = Graph::geometric(20, 1e300, Seed(1)).unwrap();
    assert_eq!(near.edge_count(), 190);
    assert!(Graph::erdos_renyi(2, f64::MIN_POSITIVE, Seed(1)).is_err());
    assert!(Graph::geometric(2, f64::MIN_POSITIVE, Seed(1)).is_err());
}

#[test]
fn geometric_edges_equal_brute_force_over_all_pairs() {
    for (seed, radius) in (0..).zip([0.0, 0.01, 0.06, 0.1, 0.25, 1.0 / 3.0, 0.5, 0.8, 1.0, 2.0]) {
        let mut stream = Seed(seed).stream();
        let places: Vec<_> = (0..300).map(|_| [stream.unit(), stream.unit()]).collect();
        let mut edges = geometric_edges(&places, radius).unwrap();
        edges.sort_unstable();
        let mut expected = Vec::new();
        for (a, [x, y]) in places.iter().enumerate() {
            for (b, [v, w]) in places.iter().enumerate().skip(a + 1) {
                if (x - v) * (x - v) + (y - w) * (y - w) <= radius * radius {
                    expected.push((a as NodeId, b as NodeId));
                }
            }
        }
        assert_eq!(edges, expected, "radius {radius}");
    }
}

#[test]
fn small_worlds_keep_their_edge_count() {
    for (nodes, neighbors, rewiring) in [
        (60, 4, 0.2),
        (60, 5, 0.9),
        (60, 6, 0.0),
        (7, 6, 1.0),
        (8, 6, 1.0),
        (8, 7, 0.7),
        (3, 2, 1.0),
        (1000, 10, 1.0),
    ] {
        let small_world = SmallWorld { nodes, neighbors, rewiring };
        let graph = Graph::small_world(small_world, Seed(3)).unwrap();
        assert_eq!(graph.edge_count(), nodes * (neighbors / 2));
    }
    let ring = SmallWorld { nodes: 12, neighbors: 2, rewiring: 0.0 };
    let ring = Graph::small_world(ring, Seed(3)).unwrap();
    assert!(ring.edges().eq(Graph::circle(12).unwrap().edges()));
}

#[test]
fn small_worlds_rewire_about_the_requested_share() {
    let small_world = SmallWorld { nodes: 10_000, neighbors: 4, rewiring: 0.2 };
    let graph = Graph::small_world(small_world, Seed(3)).unwrap();
    let far = graph.edges().filter(|(a, b)| (b - a).min(10_000 - (b - a)) > 2);
    // 20,000 edges at 0.2: mean 4000, standard deviation 57.
    assert!(far.count().abs_diff(4000) < 230);
}

#[test]
fn hopeless_parameters_name_the_remedy() {
    let sparse = Graph::erdos_renyi(1000, 0.001, Seed(1)).unwrap_err();
    assert_eq!(
        sparse.to_string(),
        "100 draws of 1000 nodes with probability 0.001 were all disconnected; \
         0.006907755278982137 is enough (ln n / n)"
    );
    let narrow = Graph::geometric(1000, 0.01, Seed(1)).unwrap_err();
    assert_eq!(
        narrow.to_string(),
        "100 draws of 1000 nodes with radius 0.01 were all disconnected; \
         0.0703371544237904 is enough (1.5 sqrt(ln n / (pi n)))"
    );
    // Even rings of two neighbours are disconnected too rarely for a quick test.
    let loose = FamilyError::NeverConnectedSmallWorld {
        small_world: SmallWorld { neighbors: 2, ..RING_OF_60 },
        tries: TRIES,
    };
    assert_eq!(
        loose.to_string(),
        "100 draws of 60 nodes with neighbors 2 and rewiring 0.2 were all disconnected; \
         use neighbors 4 or more, or less rewiring"
    );
}

#[test]
fn remedies_work() {
    for nodes in [2, 3, 10, 30, 100, 300, 1000, 10_000] {
        for seed in (0..10).map(Seed) {
            assert!(Graph::erdos_renyi(nodes, enough_probability(nodes), seed).is_ok());
            assert!(Graph::geometric(nodes, enough_radius(nodes), seed).is_ok());
        }
    }
}

#[test]
fn a_hundred_thousand_nodes() {
    let nodes = 100_000;
    let sparse = Graph::erdos_renyi(nodes, 2e-4, Seed(1)).unwrap();
    let near = Graph::geometric(nodes, 0.01, Seed(1)).unwrap();
    let small_world = SmallWorld { nodes, neighbors: 6, rewiring: 0.1 };
    let ring = Graph::small_world(small_world, Seed(1)).unwrap();
    assert_eq!([sparse.len(), near.len(), ring.len()], [nodes; 3]);
}

#[test]
fn parameters_out_of_range() {
    for bad in [-0.1, 1.1, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(matches!(
            Graph::erdos_renyi(10, bad, Seed(1)),
            Err(FamilyError::NotAProbability { .. })
        ));
        let small_world = SmallWorld { rewiring: bad, ..RING_OF_60 };
        assert!(matches!(
            Graph::small_world(small_world, Seed(1)),
            Err(FamilyError::NotAProbability { .. })
        ));
    }
    for bad in [-0.1, f64::NAN, f64::INFINITY] {
        assert!(matches!(Graph::geometric(10, bad, Seed(1)), Err(FamilyError::NotARadius { .. })));
    }
    for (nodes, neighbors) in [(0, 0), (2, 1), (usize::MAX, 4), (60, 0), (60, 1), (60, 60)] {
        let small_world = SmallWorld { nodes, neighbors, ..RING_OF_60 };
        assert!(matches!(
            Graph::small_world(small_world, Seed(1)),
            Err(FamilyError::OutOfRange { .. })
        ));
    }
}

#[test]
fn too_many_edges_are_refused_before_drawing() {
    let too_many = |graph: Result<Graph, FamilyError>| {
        matches!(
            graph,
            Err(FamilyError::Graph(GraphError::TooManyEdges { edges })) if edges > MAX_EDGES
        )
    };
    assert!(too_many(Graph::erdos_renyi(100_000, 0.5, Seed(1))));
    assert!(too_many(Graph::geometric(100_000, 0.5, Seed(1))));
    assert!(too_many(Graph::geometric(MAX_NODES, 1e9, Seed(1))));
    let dense = SmallWorld { nodes: MAX_NODES, neighbors: 100, rewiring: 0.0 };
    assert!(too_many(Graph::small_world(dense, Seed(1))));
    assert!(Graph::erdos_renyi(usize::MAX, 0.5, Seed(1)).is_err());
    assert!(Graph::geometric(0, 0.5, Seed(1)).is_err());
}
