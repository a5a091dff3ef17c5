//! Paths of fewest hops with tables, compared to plain breadth-first searches and petgraph.

use graph_bandit::graph::{HopPaths, Hops, Preparation, SelfPlace, SmallWorld};
use graph_bandit::{Graph, NodeId, Seed, Stream};
use petgraph::algo::dijkstra;
use petgraph::graph::{NodeIndex, UnGraph};

const PREPARATIONS: [Preparation; 3] =
    [Preparation::AtOnce, Preparation::Never, Preparation::WhenWorthwhile];

/// The expected path: from each node to the lowest-numbered neighbour one hop nearer.
fn plain(graph: &Graph, from: NodeId, targets: &[NodeId]) -> Vec<NodeId> {
    let mut hops = Hops::default();
    hops.search(graph, targets.iter().copied(), None);
    let (mut node, mut path) = (from, Vec::new());
    while hops.distance(node).is_some_and(|left| left > 0) {
        node = hops.next(graph, node);
        path.push(node);
    }
    path
}

/// A random spanning tree of a grid, by Kruskal on shuffled edges, and `extra` more of them.
fn maze(stream: &mut Stream, side: usize, extra: usize) -> Graph {
    fn root(parent: &mut [u32], mut node: u32) -> u32 {
        while parent[node as usize] != node {
            parent[node as usize] = parent[parent[node as usize] as usize];
            node = parent[node as usize];
        }
        node
    }
    let mut edges: Vec<(u32, u32)> = Graph::grid(side, side).unwrap().edges().collect();
    for i in (1..edges.len()).rev() {
        edges.swap(i, stream.below(i as u64 + 1) as usize);
    }
    let mut parent: Vec<u32> = (0..(side * side) as u32).collect();
    let mut left = extra;
    edges.retain(|&(a, b)| {
        let (a, b) = (root(&mut parent, a), root(&mut parent, b));
        parent[a as usize] = b;
        let is_extra = a == b && left > 0;
        left -= usize::from(is_extra);
        a != b || is_extra
    });
    Graph::from_edges(side * side, edges).unwrap()
}

/// The same graph with its nodes numbered at random.
fn shuffled(stream: &mut Stream, graph: &Graph) -> Graph {
    let mut number: Vec<u32> = graph.nodes().collect();
    for i in (1..number.len()).rev() {
        number.swap(i, stream.below(i as u64 + 1) as usize);
    }
    let edges = graph.edges().map(|(a, b)| (number[a as usize], number[b as usize]));
    Graph::from_edges(graph.len(), edges).unwrap()
}

fn families(stream: &mut Stream) -> Vec<(&'static str, Graph)> {
    let seed = Seed(stream.below(1 << 40));
    let small_world = SmallWorld { nodes: 400, neighbors: 4, rewiring: 0.05 };
    let mut graphs = vec![
        ("one node", Graph::from_edges(1, []).unwrap()),
        ("line", Graph::line(300).unwrap()),
        ("circle", Graph::circle(301).unwrap()),
        ("star", Graph::star(60).unwrap()),
        ("complete", Graph::complete(40).unwrap()),
        ("broom", Graph::broom(80, 30).unwrap()),
        ("barbell", Graph::barbell(12, 20).unwrap()),
        ("tree", Graph::tree(200, 3).unwrap()),
        ("grid", Graph::grid(17, 23).unwrap()),
        ("maze", maze(stream, 20, 0)),
        ("maze with loops", maze(stream, 20, 15)),
        ("Erdős-Rényi", Graph::erdos_renyi(400, 0.02, seed).unwrap()),
        ("geometric", Graph::geometric(400, 0.12, seed).unwrap()),
        ("small world", Graph::small_world(small_world, seed).unwrap()),
    ];
    for i in 1..graphs.len() {
        let again = shuffled(stream, &graphs[i].1);
        graphs.push((graphs[i].0, again));
    }
    graphs
}

fn draw(stream: &mut Stream, graph: &Graph, count: usize) -> Vec<NodeId> {
    (0..count).map(|_| stream.below(graph.len() as u64) as NodeId).collect()
}

#[test]
fn paths_equal_a_plain_search_on_every_family() {
    let mut stream = Seed(11).stream();
    for _ in 0..4 {
        for (name, graph) in families(&mut stream) {
            let place = [SelfPlace::Ascending, SelfPlace::First, SelfPlace::Last];
            let graph = graph.with_self_place(place[stream.below(3) as usize]);
            for preparation in PREPARATIONS {
                let mut paths = HopPaths::new(preparation);
                for round in 0..60 {
                    let from = draw(&mut stream, &graph, 1)[0];
                    let count = [1, 1, 1, 2, 3, 5, 8, 40][round % 8];
                    let targets = draw(&mut stream, &graph, count);
                    let mut path = vec![NodeId::MAX];
                    paths.append(&graph, from, &targets, &mut path);
                    let expected = plain(&graph, from, &targets);
                    assert_eq!(path[0], NodeId::MAX);
                    assert_eq!(path[1..], expected, "{name}, {preparation:?}, {from} {targets:?}");
                }
            }
        }
    }
}

/// Large enough for searches to exhaust their first budgets and alternate, and for numbers to be
/// far apart.
#[test]
fn paths_equal_a_plain_search_on_large_graphs() {
    let mut stream = Seed(12).stream();
    let small_world = SmallWorld { nodes: 40_000, neighbors: 4, rewiring: 0.001 };
    let grid = Graph::grid(200, 200).unwrap();
    let graphs = [
        ("grid, shuffled", shuffled(&mut stream, &grid)),
        ("grid", grid),
        ("maze", maze(&mut stream, 200, 300)),
        ("holes", maze(&mut stream, 200, 15_000)),
        ("geometric", Graph::geometric(40_000, 0.015, Seed(1)).unwrap()),
        ("small world", Graph::small_world(small_world, Seed(2)).unwrap()),
        ("circle", Graph::circle(40_000).unwrap()),
    ];
    for (name, graph) in graphs {
        for preparation in PREPARATIONS {
            let mut paths = HopPaths::new(preparation);
            for round in 0..40 {
                let from = draw(&mut stream, &graph, 1)[0];
                let targets = draw(&mut stream, &graph, [1, 1, 1, 3, 30, 500][round % 6]);
                let mut path = Vec::new();
                paths.append(&graph, from, &targets, &mut path);
                assert_eq!(path, plain(&graph, from, &targets), "{name}, {preparation:?}");
            }
        }
    }
}

#[test]
fn hops_equal_petgraph_s_and_no_lower_neighbour_was_as_near() {
    let mut stream = Seed(13).stream();
    for (name, graph) in families(&mut stream) {
        let mut theirs = UnGraph::<(), ()>::new_undirected();
        let at: Vec<NodeIndex> = graph.nodes().map(|_| theirs.add_node(())).collect();
        for (a, b) in graph.edges() {
            theirs.add_edge(at[a as usize], at[b as usize], ());
        }
        let mut paths = HopPaths::new(Preparation::AtOnce);
        for _ in 0..10 {
            let ends = draw(&mut stream, &graph, 2);
            let distance = dijkstra(&theirs, at[ends[1] as usize], None, |_| 1_usize);
            let left = |node: NodeId| distance[&at[node as usize]];
            let mut path = Vec::new();
            paths.append(&graph, ends[0], &[ends[1]], &mut path);
            assert_eq!(path.len(), left(ends[0]), "{name}");
            let mut from = ends[0];
            for &to in &path {
                let nearer = graph.neighbors(from).find(|&v| left(v) < left(from));
                assert_eq!(nearer, Some(to), "{name}");
                from = to;
            }
        }
    }
}

#[test]
fn no_target_or_already_there_gives_an_empty_path() {
    let line = Graph::line(4).unwrap();
    for preparation in PREPARATIONS {
        let (mut paths, mut path) = (HopPaths::new(preparation), Vec::new());
        paths.append(&line, 2, &[], &mut path);
        paths.append(&line, 2, &[0, 2], &mut path);
        assert!(path.is_empty());
        paths.append(&line, 0, &[3, 3], &mut path);
        assert_eq!(path, [1, 2, 3]);
    }
}
