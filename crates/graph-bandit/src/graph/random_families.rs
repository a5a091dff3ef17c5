//! Random graphs, drawn again until connected.
//!
//! `G(n, p)` of Gilbert (1959), the random geometric graph of the unit square, and the small world
//! of Watts and Strogatz (1998). Draw `k` comes from the seed's `GRAPH` child `k`, so a graph is a
//! function of its parameters and one seed.

use super::families::{FamilyError, check};
use super::{Graph, GraphError, MAX_NODES, NodeId};
use crate::random::{Seed, Stream, label};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, DefaultHasher};

/// How often a graph is drawn before its parameters are called hopeless.
const TRIES: u64 = 100;

/// The parameters of a small world.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmallWorld {
    /// The number of nodes, at least 3.
    pub nodes: usize,
    /// How many ring neighbours each node starts with, from 2 to `nodes - 1`; an odd number counts
    /// as the even one below it.
    pub neighbors: usize,
    /// The probability with which each edge is moved to a random other end.
    pub rewiring: f64,
}

impl SmallWorld {
    pub(crate) fn check(&self) -> Result<(), FamilyError> {
        check::range("nodes", self.nodes, 3, MAX_NODES)?;
        check::range("neighbors", self.neighbors, 2, self.nodes - 1)?;
        check::edges(self.nodes.saturating_mul(self.neighbors / 2))?;
        check_probability("rewiring", self.rewiring)
    }
}

pub(crate) fn check_erdos_renyi(nodes: usize, probability: f64) -> Result<(), FamilyError> {
    check::nodes(nodes)?;
    check_probability("probability", probability)?;
    check_expected_edges(nodes, probability)
}

pub(crate) fn check_geometric(nodes: usize, radius: f64) -> Result<(), FamilyError> {
    check::nodes(nodes)?;
    if !(radius.is_finite() && radius >= 0.0) {
        return Err(FamilyError::NotARadius { given: radius });
    }
    // The probability that two points of the unit square are within r <= 1 of each other.
    let r = radius.min(1.0);
    let pi = std::f64::consts::PI;
    check_expected_edges(nodes, r * r * (pi - 8.0 / 3.0 * r + r * r / 2.0))
}

fn check_probability(what: &'static str, given: f64) -> Result<(), FamilyError> {
    if (0.0..=1.0).contains(&given) {
        return Ok(());
    }
    Err(FamilyError::NotAProbability { what, given })
}

fn check_expected_edges(nodes: usize, probability: f64) -> Result<(), FamilyError> {
    check::edges((check::pairs(nodes) as f64 * probability) as usize)
}

impl Graph {
    /// `G(n, p)`: every two nodes joined with the same probability, given that the graph is
    /// connected.
    ///
    /// # Errors
    /// When a parameter is out of range, the edges would be too many, or no draw is connected
    /// (`p = ln n / n` would do).
    ///
    /// # Complexity
    /// O(|S| + |E|) per draw: the gaps between edges are geometric and drawn directly (Batagelj and
    /// Brandes, 2005).
    pub fn erdos_renyi(nodes: usize, probability: f64, seed: Seed) -> Result<Self, FamilyError> {
        check_erdos_renyi(nodes, probability)?;
        first_connected(nodes, seed, |stream| {
            Ok((erdos_renyi_edges(nodes, probability, stream)?, None))
        })?
        .ok_or_else(|| FamilyError::NeverConnected {
            nodes,
            what: "probability",
            given: probability,
            tries: TRIES,
            enough: enough_probability(nodes),
            formula: "ln n / n",
        })
    }

    /// Uniform points of the unit square, joined when within `radius` of each other, given that the
    /// graph is connected; the nodes keep their places.
    ///
    /// # Errors
    /// When a parameter is out of range, the edges would be too many, or no draw is connected
    /// (a radius of `1.5 sqrt(ln n / (pi n))` would do).
    ///
    /// # Complexity
    /// O(|S| + |E|) expected per draw: only points of adjacent cells are compared.
    pub fn geometric(nodes: usize, radius: f64, seed: Seed) -> Result<Self, FamilyError> {
        check_geometric(nodes, radius)?;
        first_connected(nodes, seed, |stream| {
            let places: Vec<_> = (0..nodes).map(|_| [stream.unit(), stream.unit()]).collect();
            Ok((geometric_edges(&places, radius)?, Some(places)))
        })?
        .ok_or_else(|| FamilyError::NeverConnected {
            nodes,
            what: "radius",
            given: radius,
            tries: TRIES,
            enough: enough_radius(nodes),
            formula: "1.5 sqrt(ln n / (pi n))",
        })
    }

    /// A ring in which each node knows its nearest neighbours and some edges are moved to random
    /// ends, given that the graph is connected: networkx's `connected_watts_strogatz_graph`.
    ///
    /// # Errors
    /// When a parameter is out of range, the edges would be too many, or no draw is connected.
    ///
    /// # Complexity
    /// O(|E|) expected per draw while the graph is sparse; each moved edge costs `n / (n - k)`
    /// draws of its new end, k the number of neighbours.
    pub fn small_world(small_world: SmallWorld, seed: Seed) -> Result<Self, FamilyError> {
        small_world.check()?;
        first_connected(small_world.nodes, seed, |stream| {
            Ok((small_world_edges(&small_world, stream), None))
        })?
        .ok_or(FamilyError::NeverConnectedSmallWorld { small_world, tries: TRIES })
    }
}

/// At this probability, e^-1 of all large graphs are connected, so some draw is.
fn enough_probability(nodes: usize) -> f64 {
    libm::log(nodes as f64) / nodes as f64
}

/// Half as much again as the threshold of large graphs: at the threshold itself the sides of the
/// square still isolate nodes, and with a hundred nodes hardly one draw in a thousand is connected.
fn enough_radius(nodes: usize) -> f64 {
    1.5 * (enough_probability(nodes) / std::f64::consts::PI).sqrt()
}

type Edges = Vec<(NodeId, NodeId)>;

/// The first of [`TRIES`] draws that is connected, if there is one.
fn first_connected(
    nodes: usize,
    seed: Seed,
    mut draw: impl FnMut(&mut Stream) -> Result<(Edges, Option<Vec<[f64; 2]>>), FamilyError>,
) -> Result<Option<Graph>, FamilyError> {
    for attempt in 0..TRIES {
        let mut stream = seed.child(label::GRAPH).child(attempt).stream();
        let (edges, places) = draw(&mut stream)?;
        // Isolated nodes are what disconnects random graphs; seeing them early saves the rows.
        if nodes > 1 && leaves_a_node_out(nodes, &edges) {
            continue;
        }
        let graph = match Graph::from_edges(nodes, edges) {
            Err(GraphError::Disconnected { .. }) => continue,
            graph => graph?,
        };
        return Ok(Some(match places {
            Some(places) => graph.with_coordinates(places)?,
            None => graph,
        }));
    }
    Ok(None)
}

fn leaves_a_node_out(nodes: usize, edges: &[(NodeId, NodeId)]) -> bool {
    let mut touched = vec![false; nodes];
    for &(a, b) in edges {
        touched[a as usize] = true;
        touched[b as usize] = true;
    }
    touched.contains(&false)
}

fn push_within_limit(edges: &mut Edges, edge: (NodeId, NodeId)) -> Result<(), FamilyError> {
    edges.push(edge);
    check::edges(edges.len())
}

fn erdos_renyi_edges(
    nodes: usize,
    probability: f64,
    stream: &mut Stream,
) -> Result<Edges, FamilyError> {
    let mut edges = Vec::new();
    if probability == 0.0 {
        return Ok(edges);
    }
    let log_of_gap = libm::log1p(-probability);
    // Pairs (b, a) with a < b in order; `a` runs ahead of its row and is wrapped into the next.
    let (mut a, mut b) = (0_u64, 1_u64);
    loop {
        let gap = libm::log(1.0 - stream.unit()) / log_of_gap;
        a = a.saturating_add(gap as u64);
        while a >= b && b < nodes as u64 {
            a -= b;
            b += 1;
        }
        if b >= nodes as u64 {
            return Ok(edges);
        }
        push_within_limit(&mut edges, (a as NodeId, b as NodeId))?;
        a += 1;
    }
}

fn geometric_edges(places: &[[f64; 2]], radius: f64) -> Result<Edges, FamilyError> {
    // Cells a hair wider than the radius, so that rounding cannot part two neighbours by a cell;
    // no more cells than points.
    let side = ((0.999 / radius) as usize).clamp(1, places.len().isqrt());
    let cell_of = |&[x, y]: &[f64; 2]| {
        let index = |coordinate: f64| ((coordinate * side as f64) as usize).min(side - 1);
        (index(x), index(y))
    };
    let mut starts = vec![0_usize; side * side + 1];
    for place in places {
        let (column, row) = cell_of(place);
        starts[row * side + column + 1] += 1;
    }
    for cell in 0..side * side {
        starts[cell + 1] += starts[cell];
    }
    let mut free = starts.clone();
    let mut members = vec![0 as NodeId; places.len()];
    for (node, place) in places.iter().enumerate() {
        let (column, row) = cell_of(place);
        let slot = &mut free[row * side + column];
        members[*slot] = node as NodeId;
        *slot += 1;
    }

    let mut edges = Vec::new();
    for (a, place) in places.iter().enumerate() {
        let (column, row) = cell_of(place);
        let (left, right) = (column.saturating_sub(1), (column + 1).min(side - 1));
        for row in row.saturating_sub(1)..=(row + 1).min(side - 1) {
            // The cells of one row are neighbours in memory: one run of candidates.
            let candidates = starts[row * side + left]..starts[row * side + right + 1];
            for &b in &members[candidates] {
                let [x, y] = places[b as usize];
                let (dx, dy) = (x - place[0], y - place[1]);
                if b as usize > a && dx * dx + dy * dy <= radius * radius {
                    push_within_limit(&mut edges, (a as NodeId, b))?;
                }
            }
        }
    }
    Ok(edges)
}

fn small_world_edges(small_world: &SmallWorld, stream: &mut Stream) -> Edges {
    let nodes = small_world.nodes;
    let reach = small_world.neighbors / 2;
    // Ring edge (v, v + d) stands at (d - 1) * nodes + v; only moved edges need a set.
    let mut moved = vec![false; nodes * reach];
    let mut shortcuts = HashSet::<_, BuildHasherDefault<DefaultHasher>>::default();
    let mut degrees = vec![2 * reach; nodes];
    for distance in 1..=reach {
        for v in 0..nodes {
            if stream.unit() >= small_world.rewiring || degrees[v] >= nodes - 1 {
                continue;
            }
            let new_end = loop {
                let w = stream.below(nodes as u64) as usize;
                let (ahead, back) = ((w + nodes - v) % nodes, (v + nodes - w) % nodes);
                let on_ring = (1..=reach).contains(&ahead) && !moved[(ahead - 1) * nodes + v]
                    || (1..=reach).contains(&back) && !moved[(back - 1) * nodes + w];
                if w != v && !on_ring && !shortcuts.contains(&(v.min(w), v.max(w))) {
                    break w;
                }
            };
            moved[(distance - 1) * nodes + v] = true;
            degrees[(v + distance) % nodes] -= 1;
            degrees[new_end] += 1;
            shortcuts.insert((v.min(new_end), v.max(new_end)));
        }
    }
    let kept = (0..nodes * reach).filter(|&i| !moved[i]).map(|i| {
        let (v, distance) = (i % nodes, i / nodes + 1);
        (v, (v + distance) % nodes)
    });
    kept.chain(shortcuts.iter().copied()).map(|(a, b)| (a as NodeId, b as NodeId)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::MAX_EDGES;

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
        let first_edges =
            |graph: &Graph| -> Vec<(NodeId, NodeId)> { graph.edges().take(4).collect() };
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
    fn the_seed_decides() {
        assert_eq!(drawn(7), drawn(7));
        for (one, other) in drawn(7).iter().zip(&drawn(8)) {
            assert_ne!(one, other);
        }
    }

    #[test]
    fn a_disconnected_draw_is_drawn_again() {
        // Near the threshold most draws fall apart; the seeds below need several.
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
    fn geometric_edges_are_those_of_all_pairs() {
        for (seed, radius) in (0..).zip([0.0, 0.01, 0.06, 0.1, 0.25, 1.0 / 3.0, 0.5, 0.8, 1.0, 2.0])
        {
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
    fn small_worlds_move_about_the_share_asked_for() {
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
             0.006907755278982137 would do (ln n / n)"
        );
        let narrow = Graph::geometric(1000, 0.01, Seed(1)).unwrap_err();
        assert_eq!(
            narrow.to_string(),
            "100 draws of 1000 nodes with radius 0.01 were all disconnected; \
             0.0703371544237904 would do (1.5 sqrt(ln n / (pi n)))"
        );
        // Even rings of two neighbours fall apart too rarely for a quick test.
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
            assert!(matches!(
                Graph::geometric(10, bad, Seed(1)),
                Err(FamilyError::NotARadius { .. })
            ));
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
    fn too_many_edges_are_foreseen() {
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
}
